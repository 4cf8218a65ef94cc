// A call of the C API that completes no requests, measured.
#pragma once

#include <mpiprof/raw/made_handles.hpp>
#include <mpiprof/raw/posted.hpp>
#include <mpiprof/raw/simple_row.hpp>
#include <mpiprof/run/envelope.hpp>
#include <mpiprof/run/recording.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Does a successful call of the row's function move nothing, and is it quick enough with the record that all
/// such functions share? A quick one takes long to compile.
template <class Row>
inline constexpr bool is_bare =
    Row::movement == movement::nothing && !posts<Row> && !has<Row>(role::source) &&
    kind_of(Row::operation) != kind::point_to_point && kind_of(Row::operation) != kind::collective;

/// Records a call of which nothing is known but this.
template <class I>
[[gnu::noinline]] void record_bare(operation which, std::uint16_t flags, mpiprof::detail::envelope with,
                                   std::int64_t begin, std::int64_t end, call_site site,
                                   communicator_id communicator) noexcept {
    scope<operation::none, I> measured{&recording_of<I>.sink(), communicator, site, {begin, end}};
    auto& record = measured.record();
    record.operation = which;
    record.flags = flags;
    record.peer = with.peer;
    record.tag = with.tag;
    record.root = with.root;
}

/// The same with what the arguments of a failed call say, or of one that moves nothing.
template <class Row, class I, bool Failed, class Arguments>
void record_bare_call(std::int64_t begin, std::int64_t end, call_site site, communicator_id communicator,
                      Arguments const& call) noexcept {
    mpiprof::call told{};
    fill_arguments<Row>(told, call);
    if constexpr (Failed) told.flags |= call_failed;
    else if (!found<Row>(call)) told.flags |= call_incomplete;
    record_bare<I>(Row::operation, told.flags, {told.peer, told.tag, told.root}, begin, end, site,
                   communicator);
}

/// Records a call that completes no requests. Out of line, so that what stays beside the call in the caller's
/// code is two readings of the clock. A handle that made the call fail is asked nothing. The times are no
/// struct, since g++ would take that through memory.
template <class Row, class I, bool Failed, class... Arguments>
[[gnu::noinline]] void record_call(std::int64_t begin, std::int64_t end, call_site site,
                                   communicator_id communicator, request_storage requests,
                                   Arguments... values) noexcept {
    arguments<Row, Arguments...> const call{values...};
    if (communicator == unknown_communicator) communicator = communicator_of<Row, Failed>(call);
    // Only of a call that succeeded is it known that its arguments are valid: asking MPI about wrong ones
    // would raise errors of our own.
    if constexpr (Failed || is_bare<Row>) {
        record_bare_call<Row, I, Failed>(begin, end, site, communicator, call);
    } else {
        scope<Row::operation, I> measured{&recording_of<I>.sink(), communicator, site, {begin, end}};
        fill_arguments<Row>(measured.record(), call);
        fill_moved<Row, I>(measured.record(), call);
        if constexpr (posts<Row>) keep_posted<Row, I>(measured, call, requests);
        else fill_arrived<Row, I>(measured, call);
    }
}

/// Records a successful call of a simple row, from its significant arguments, if all is as it mostly is: then
/// no function is called, and hardly a register is to be saved. Else it does nothing and returns false.
template <class Row, class I, class... Arguments>
[[gnu::noinline]] bool record_simple(std::int64_t begin, std::int64_t end, call_site site,
                                     communicator_id communicator, Arguments... values) noexcept {
    if (communicator == unknown_communicator) return false;
    using row = simple_row<Row>;
    known_arguments<row, Arguments...> const call{values...};
    scope<Row::operation, I> measured{&recording_of<I>.sink(), communicator, site, {begin, end}};
    fill_arguments<row>(measured.record(), call);
    fill_moved<row, I>(measured.record(), call);
    fill_arrived<row, I>(measured, call);
    bool const done = measured.hand_over_quickly();
    measured.release();
    return done;
}

template <class Row, class I, class Arguments, std::size_t... Places>
[[gnu::always_inline]] inline bool record_quickly(interval times, call_site site,
                                                  communicator_id communicator, Arguments const& call,
                                                  std::index_sequence<Places...>) noexcept {
    if constexpr (has<Row>(role::send_buffer) && has<Row>(role::receive_buffer)) {
        if (sends_in_place(call) || receives_in_place(call)) return false;
    }
    return record_simple<Row, I>(times.begin, times.end, site, communicator,
                                 call.template get<simple_row<Row>::roles[Places]>()...);
}

/// A call that completes no requests.
template <class Row, class I, class... Arguments>
[[gnu::always_inline]] inline int invoke_measured(communicator_id communicator, request_storage requests,
                                                  call_site site, Arguments... values) {
    arguments<Row, Arguments...> call{values...};
    MPI_Status own;
    if constexpr (I::arrivals && has<Row>(role::status)) substitute_status<role::status>(call, &own);

    scope<Row::operation, I> measured{&recording_of<I>.sink(), communicator, site};
    int const code = call.call();
    measured.stop();
    auto const times = measured.release();
    if constexpr (is_simple<Row> && !is_bare<Row> && quick_sink<typename I::sink>) {
        using places = std::make_index_sequence<simple_row<Row>::roles.size()>;
        if (code == MPI_SUCCESS) {
            if (communicator == unknown_communicator) communicator = communicator_of<Row, false>(call);
            if (record_quickly<Row, I>(times, site, communicator, call, places{})) [[likely]]
                return code;
        }
    }
    call.apply([&](auto... finished) {
        if (code == MPI_SUCCESS)
            record_call<Row, I, false>(times.begin, times.end, site, communicator, requests, finished...);
        else record_call<Row, I, true>(times.begin, times.end, site, communicator, requests, finished...);
    });
    return code;
}

}  // namespace mpiprof::inline v1::raw::detail
