// A call of the C API, measured: what the function objects, the member functions and requests are made of.
#pragma once

#include <mpiprof/core/scope.hpp>
#include <mpiprof/raw/arguments.hpp>
#include <mpiprof/raw/communicator_identity.hpp>
#include <mpiprof/raw/request_table.hpp>
#include <mpiprof/raw/small_buffer.hpp>
#include <mpiprof/run/recording.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Does the row's function make a request?
template <class Row>
inline constexpr bool posts = has<Row>(role::request) && has<Row>(role::comm);

/// Does it complete requests?
template <class Row>
inline constexpr bool completes = kind_of(Row::operation) == kind::wait;

/// Does it end a request that then never completes?
template <class Row>
inline constexpr bool releases = Row::operation == operation::request_free;

/// Where the requests that a call posts or completes are kept: in the process's table by handle, or in
/// request objects of ours, one beside each handle.
class request_storage {
  public:
    constexpr request_storage() noexcept = default;
    /// The requests of `first[0]`, `first[1]`, … stand at these addresses.
    explicit constexpr request_storage(pending* const* first) noexcept : objects_{first} {}

    void put(MPI_Request handle, pending const& request) const noexcept try {
        if (objects_ != nullptr) **objects_ = request;
        else request_table::instance().insert(handle, request);
    } catch (...) {
        // No memory: the request goes on unseen.
    }

    /// Takes the request number `place`, of this handle, out.
    pending take(std::size_t place, MPI_Request handle) const {
        if (objects_ == nullptr) return request_table::instance().take(handle);
        auto const request = *objects_[place];
        *objects_[place] = {};
        return request;
    }

    /// Is there none at all, so that nobody need look?
    bool empty() const noexcept { return objects_ == nullptr && request_table::instance().size() == 0; }

  private:
    pending* const* objects_ = nullptr;
};

/// The handle before a call that may change it; a null pointer is for MPI to reject.
inline MPI_Request handle_at(MPI_Request const* request) noexcept {
    return request == nullptr ? MPI_REQUEST_NULL : *request;
}

/// Puts a status of ours in the place of an ignored one, where what arrived must be known.
template <role Role, class Arguments>
void substitute_status(Arguments& call, MPI_Status* own) noexcept {
    auto* const given = call.template get<Role>();
    if (given == MPI_STATUS_IGNORE) call.template set<Role>(own);
}

/// Fills in what the arguments say, whether the call succeeded or not.
template <class Row, class Arguments>
void fill_arguments(call& record, Arguments const& call) noexcept {
    if constexpr (has<Row>(role::destination)) {
        record.peer = recorded_peer(call.template get<role::destination>());
        record.tag = recorded_tag(call.template get<role::send_tag>());
    } else if constexpr (has<Row>(role::source)) {
        record.peer = recorded_peer(call.template get<role::source>());
        record.tag = recorded_tag(call.template get<role::receive_tag>());
    }
    if constexpr (has<Row>(role::root)) record.root = recorded_root(call.template get<role::root>());
    if constexpr (has<Row>(role::send_buffer) && has<Row>(role::receive_buffer)) {
        if (sends_in_place(call) || receives_in_place(call)) record.flags |= call_in_place;
    }
}

/// Fills in what a successful call of a function that makes no request and completes none has moved.
template <class Row, class I, class Scope, class Arguments>
void fill_moved(Scope& measured, Arguments const& call) noexcept {
    auto& record = measured.record();
    constexpr auto how = Row::movement;
    if constexpr (how == movement::send || how == movement::exchange) {
        if constexpr (I::sizes) record.sent = record.peer == null_process ? 0 : sent_nbytes(call);
    }
    if constexpr (how == movement::exchange) {
        // The receive side is a completion of its own, with its own peer, tag and bytes.
        auto done = measured.completed();
        done.peer = recorded_peer(call.template get<role::source>());
        done.tag = recorded_tag(call.template get<role::receive_tag>());
        if constexpr (I::arrivals) {
            if (done.peer != null_process) {
                auto const& status = *call.template get<role::status>();
                done.peer = recorded_peer(status.MPI_SOURCE);
                done.tag = recorded_tag(status.MPI_TAG);
                done.received = arrived_nbytes(status);
            }
        }
        measured.complete(done);
    } else if constexpr (how == movement::receive || has<Row>(role::source)) {
        bool found = true;
        if constexpr (has<Row>(role::flag)) found = *call.template get<role::flag>() != 0;
        if (!found) record.flags |= call_incomplete;
        if constexpr (I::arrivals) {
            if (found && record.peer != null_process) {
                auto const& status = *call.template get<role::status>();
                record.peer = recorded_peer(status.MPI_SOURCE);
                record.tag = recorded_tag(status.MPI_TAG);
                if constexpr (how == movement::receive) record.received = arrived_nbytes(status);
            }
        }
    } else if constexpr (how != movement::nothing && how != movement::send && I::sizes) {
        auto const moved = collective_nbytes<Row>(call);
        record.sent = moved.sent;
        record.received = moved.received;
    }
}

/// Fills in what a successful call has posted, and keeps the request for its completion.
template <class Row, class I, class Scope, class Arguments>
void fill_posted(Scope& measured, Arguments const& call, request_storage requests) {
    auto& record = measured.record();
    constexpr bool receives = Row::movement == movement::receive;
    if constexpr (I::sizes) {
        if constexpr (receives) record.capacity = record.peer == null_process ? 0 : received_nbytes(call);
        else record.sent = record.peer == null_process ? 0 : sent_nbytes(call);
    }
    pending request{measured.completed(), receives, record.sent, region_bytes(record)};
    auto const handle = *call.template get<role::request>();
    if (handle == MPI_REQUEST_NULL) {
        // It was complete at once, and no wait will ever see it.
        request.posted.observed = record.end;
        measured.complete(request.posted);
    } else {
        requests.put(handle, request);
    }
}

/// The identity of the call's communicator, where it is not known yet. A handle that made the call fail is
/// asked nothing.
template <class Row, class Arguments>
communicator_id identity_of(communicator_id known, Arguments const& call, int code) noexcept try {
    if constexpr (has<Row>(role::comm)) {
        if (known != unknown_communicator) return known;
        auto& identities = communicator_identities::instance();
        auto const comm = call.template get<role::comm>();
        return code == MPI_SUCCESS ? identities.find(comm) : identities.known(comm);
    }
    return known;
} catch (...) {
    return known;
}

/// A call that completes no requests.
template <class Row, class I, class... Arguments>
int invoke_measured(communicator_id communicator, request_storage requests, call_site site,
                    Arguments... values) {
    arguments<Row, Arguments...> call{values...};
    MPI_Status own;
    if constexpr (I::arrivals && has<Row>(role::status)) substitute_status<role::status>(call, &own);

    scope<Row::operation, I> measured{&recording_of<I>.sink(), communicator, site};
    int const code = call.call();
    measured.stop();

    fill_arguments<Row>(measured.record(), call);
    measured.record().communicator = identity_of<Row>(communicator, call, code);
    // Only now is it known that the arguments are valid: asking MPI about wrong ones would raise errors of
    // our own.
    if (code != MPI_SUCCESS) measured.fail();
    else if constexpr (posts<Row>) fill_posted<Row, I>(measured, call, requests);
    else fill_moved<Row, I>(measured, call);
    return code;
}

/// Wait and test of one request.
template <class Row, class I>
int invoke_completing(typename I::sink* sink, request_storage requests, call_site site, MPI_Request* request,
                      auto... rest) {
    arguments<Row, MPI_Request*, decltype(rest)...> call{request, rest...};
    MPI_Status own;
    substitute_status<role::status>(call, &own);
    auto const handle = handle_at(request);

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = call.call();
    measured.stop();

    bool done = true;
    if constexpr (has<Row>(role::flag)) done = code != MPI_SUCCESS || *call.template get<role::flag>() != 0;
    if (code != MPI_SUCCESS) measured.fail();
    if (!done) measured.record().flags |= call_incomplete;
    // A request that is still there is persistent or failed to complete.
    if (!done || handle == MPI_REQUEST_NULL || *request == handle) return code;
    auto const completed = requests.take(0, handle);
    if (code == MPI_SUCCESS) {
        complete_one(measured, completed, *call.template get<role::status>(), I::arrivals, true);
    }
    return code;
}

/// Waits and tests of many requests: all of them, or any one.
template <class Row, class I>
int invoke_completing(typename I::sink* sink, request_storage requests, call_site site, int count,
                      MPI_Request* array, auto... rest) {
    arguments<Row, int, MPI_Request*, decltype(rest)...> call{count, array, rest...};
    auto const size =
        static_cast<std::size_t>(count > 0 && array != nullptr && !requests.empty() ? count : 0);
    constexpr bool all = has<Row>(role::statuses);
    // MPI overwrites the handles of what completes.
    small_buffer<MPI_Request> handles{size};
    small_buffer<MPI_Status> statuses{all ? size : 1};
    bool const tracked = size > 0 && handles.data() != nullptr && statuses.data() != nullptr;
    if (tracked) {
        for (std::size_t i = 0; i < size; ++i) handles[i] = array[i];
        if constexpr (!all) {
            substitute_status<role::status>(call, statuses.data());
        } else if (call.template get<role::statuses>() == MPI_STATUSES_IGNORE) {
            call.template set<role::statuses>(statuses.data());
        }
    }

    scope<Row::operation, I> measured{sink, unknown_communicator, site};
    int const code = call.call();
    measured.stop();

    if (code != MPI_SUCCESS) measured.fail();
    if constexpr (has<Row>(role::flag)) {
        if (code == MPI_SUCCESS && *call.template get<role::flag>() == 0) {
            measured.record().flags |= call_incomplete;
            return code;
        }
    }
    if (!tracked) return code;
    auto const complete = [&](std::size_t place, MPI_Status const& status, bool success) {
        if (handles[place] == MPI_REQUEST_NULL || array[place] == handles[place]) return;
        auto const request = requests.take(place, handles[place]);
        if (success) complete_one(measured, request, status, I::arrivals, !all || size == 1);
    };
    if constexpr (all) {
        // Only with this code does a status say whether its own request failed (MPI 3.1, section 3.7.5).
        int error_class = MPI_SUCCESS;
        if (code != MPI_SUCCESS) PMPI_Error_class(code, &error_class);
        bool const in_status = error_class == MPI_ERR_IN_STATUS;
        auto const* const result = call.template get<role::statuses>();
        for (std::size_t i = 0; i < size; ++i) {
            complete(i, result[i], code == MPI_SUCCESS || (in_status && result[i].MPI_ERROR == MPI_SUCCESS));
        }
    } else if (code == MPI_SUCCESS) {
        int const index = *call.template get<role::index>();
        if (index != MPI_UNDEFINED) {
            complete(static_cast<std::size_t>(index), *call.template get<role::status>(), true);
        }
    }
    return code;
}

/// Calls the row's function, and records the call if it is to be recorded. Requests that were posted while
/// calls were recorded are dropped when they complete or are freed, recorded or not.
template <class Row, class I, class... Arguments>
int invoke_recorded(communicator_id communicator, request_storage requests, call_site site,
                    Arguments... values) {
    auto& state = recording_of<I>;
    bool const ready = state.ready();
    if constexpr (completes<Row>) {
        if (!ready && requests.empty()) return Row::function(values...);
        return invoke_completing<Row, I>(ready ? &state.sink() : nullptr, requests, site, values...);
    } else {
        if constexpr (releases<Row>) requests.take(0, handle_at(values...));
        if (!ready) [[unlikely]]
            return Row::function(values...);
        return invoke_measured<Row, I>(communicator, requests, site, values...);
    }
}

/// Calls the row's function, measured where profiling is on. Always inlined, as what leads here is, since g++
/// -O1 would otherwise not make the plain call's code of it with profiling off.
template <class Row, class I, class... Arguments>
[[gnu::always_inline]] inline int invoke(communicator_id communicator, request_storage requests,
                                         call_site site, Arguments... values) {
    if constexpr (!I::enabled) {
        return Row::function(values...);
    } else if constexpr (has<Row>(role::new_comm)) {
        int const code = invoke_recorded<Row, I>(communicator, requests, site, values...);
        // Also while paused: all members must count the same creating calls.
        if (code == MPI_SUCCESS && !recording_of<I>.stopped()) {
            arguments<Row, Arguments...> const call{values...};
            enter_created(identity_of<Row>(communicator, call, code), *call.template get<role::new_comm>());
        }
        return code;
    } else {
        return invoke_recorded<Row, I>(communicator, requests, site, values...);
    }
}

}  // namespace mpiprof::inline v1::raw::detail
