// The handles that calls make and free: communicators, windows, files and matched messages, and over which
// communicator they were made.
#pragma once

#include <mpiprof/raw/arguments.hpp>
#include <mpiprof/raw/communicator_identity.hpp>
#include <mpiprof/raw/handle_table.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Calls function(table, pointer to handle) for the handle that a call of the row's function frees or
/// receives, if it is no communicator.
template <class Row, class Arguments, class Function>
[[gnu::always_inline]] inline void with_ending_handle(Arguments const& call, Function function) noexcept {
    if constexpr (has<Row>(role::message)) function(known_messages(), call.template get<role::message>());
    else if constexpr (has<Row>(role::window_pointer))
        function(known_windows(), call.template get<role::window_pointer>());
    else if constexpr (has<Row>(role::file_pointer))
        function(known_files(), call.template get<role::file_pointer>());
}

/// Does a call of the row's function free or receive such a handle?
template <class Row>
inline constexpr bool ends_handle =
    has<Row>(role::message) || has<Row>(role::window_pointer) || has<Row>(role::file_pointer);

/// Does it make one, or a communicator?
template <class Row>
inline constexpr bool makes_handle =
    has<Row>(role::new_comm) || has<Row>(role::new_comm_of_group) || has<Row>(role::new_intercomm) ||
    has<Row>(role::spawned_comm) || has<Row>(role::new_message) || has<Row>(role::new_window) ||
    has<Row>(role::new_file);

/// A handle that a call is about to free or receive: it may come back in another thread before the call
/// returns.
template <class Row>
class ending_handle {
  public:
    template <class Arguments>
    explicit ending_handle(Arguments const& call) noexcept {
        with_ending_handle<Row>(call, [&](auto& table, auto const* handle) {
            if (handle != nullptr) communicator_ = table.take(*handle);
        });
    }

    communicator_id communicator() const noexcept { return communicator_; }

    /// The call has failed.
    template <class Arguments>
    void put_back(Arguments const& call) const noexcept {
        if (communicator_ == unknown_communicator) return;
        with_ending_handle<Row>(call,
                                [&](auto& table, auto const* handle) { table.put(*handle, communicator_); });
    }

  private:
    communicator_id communicator_ = unknown_communicator;
};

/// The communicator of a call by its arguments, if its handles are known to be right, or else of those that
/// were met before.
template <class Row, bool Failed, class Arguments>
[[gnu::always_inline]] inline communicator_id communicator_of(Arguments const& call) noexcept {
    if constexpr (has<Row>(role::comm)) return find_identity<Failed>(call.template get<role::comm>());
    else if constexpr (has<Row>(role::window)) return known_windows().find(call.template get<role::window>());
    else if constexpr (has<Row>(role::file)) return known_files().find(call.template get<role::file>());
    else return unknown_communicator;
}

/// A tag as a number; MPI 4 has text for it too.
constexpr int number_of(int tag) noexcept { return tag; }
constexpr int number_of(char const* tag) noexcept {
    std::uint32_t number = 0;
    for (; tag != nullptr && *tag != '\0'; ++tag) number = number * 31 + static_cast<unsigned char>(*tag);
    return static_cast<int>(number >> 1);
}

/// Enters what a successful call on `communicator` has made.
template <class Row, class Arguments>
void enter_made(communicator_id communicator, Arguments const& call) noexcept {
    using enum role;
    if (communicator == unknown_communicator) communicator = communicator_of<Row, false>(call);
    if constexpr (has<Row>(new_comm)) {
        auto const creation = count_creation(communicator);
        enter_created(communicator, creation, *call.template get<new_comm>());
    } else if constexpr (has<Row>(spawned_comm) && has<Row>(comm)) {
        // The other side is in no world of ours, and agrees on nothing.
        auto const creation = count_creation(communicator);
        enter_created(communicator, creation, *call.template get<spawned_comm>());
    } else if constexpr (has<Row>(spawned_comm)) {
        find_identity<false>(*call.template get<spawned_comm>());
    } else if constexpr (has<Row>(new_comm_of_group)) {
        enter_created_by_group(communicator, number_of(call.template get<tag>()),
                               *call.template get<new_comm_of_group>());
    } else if constexpr (has<Row>(new_intercomm)) {
        enter_connected(communicator, number_of(call.template get<tag>()),
                        *call.template get<new_intercomm>());
    } else if constexpr (has<Row>(new_window)) {
        known_windows().put(*call.template get<new_window>(), communicator);
    } else if constexpr (has<Row>(new_file)) {
        known_files().put(*call.template get<new_file>(), communicator);
    } else if constexpr (has<Row>(new_message)) {
        if constexpr (has<Row>(flag)) {
            if (*call.template get<flag>() == 0) return;
        }
        auto const message = *call.template get<new_message>();
        if (message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
            known_messages().put(message, communicator);
    }
}

}  // namespace mpiprof::inline v1::raw::detail
