// A call of the C API that completes no requests, measured.
#pragma once

#include <mpiprof/core/scope.hpp>
#include <mpiprof/raw/arguments.hpp>
#include <mpiprof/raw/communicator_identity.hpp>
#include <mpiprof/raw/request_storage.hpp>
#include <mpiprof/raw/simple_row.hpp>
#include <mpiprof/run/recording.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Does the row's function make a request?
template <class Row>
inline constexpr bool posts = has<Row>(role::request) && has<Row>(role::comm);

/// Fills in what the arguments say, whether the call succeeded or not.
template <class Row, class Arguments>
[[gnu::always_inline]] inline void fill_arguments(call& record, Arguments const& call) noexcept {
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
[[gnu::always_inline]] inline void fill_moved(Scope& measured, Arguments const& call) noexcept {
    auto& record = measured.record();
    constexpr auto how = Row::movement;
    if constexpr (how == movement::send || how == movement::exchange) {
        if constexpr (I::sizes) record.sent = record.peer == null_process ? 0 : sent_nbytes(call);
    }
    if constexpr (how == movement::exchange) {
        // The receive side is a completion of its own, with its own peer, tag and bytes.
        auto done = measured.completed();
        done.waited = done.observed - done.posted;
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
                if constexpr (how == movement::receive) {
                    record.received = Arguments::asks ? arrived_nbytes(status) : status_bytes::find(status);
                }
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
[[gnu::always_inline]] inline void fill_posted(Scope& measured, Arguments const& call,
                                               request_storage requests) {
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

/// Records a call that completes no requests. Out of line, so that what stays beside the call in the caller's
/// code is two readings of the clock. A handle that made the call fail is asked nothing. The times are no
/// struct, since g++ would take that through memory.
template <class Row, class I, bool Failed, class... Arguments>
[[gnu::noinline]] void record_call(std::int64_t begin, std::int64_t end, call_site site,
                                   communicator_id communicator, request_storage requests,
                                   Arguments... values) noexcept {
    arguments<Row, Arguments...> const call{values...};
    if constexpr (has<Row>(role::comm)) {
        if (communicator == unknown_communicator)
            communicator = find_identity<Failed>(call.template get<role::comm>());
    }
    scope<Row::operation, I> measured{&recording_of<I>.sink(), communicator, site, {begin, end}};
    fill_arguments<Row>(measured.record(), call);
    // Only now is it known that the arguments are valid: asking MPI about wrong ones would raise errors of
    // our own.
    if constexpr (Failed) measured.fail();
    else if constexpr (posts<Row>) fill_posted<Row, I>(measured, call, requests);
    else fill_moved<Row, I>(measured, call);
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
    fill_moved<row, I>(measured, call);
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
    if constexpr (is_simple<Row> && quick_sink<typename I::sink>) {
        using places = std::make_index_sequence<simple_row<Row>::roles.size()>;
        if (code == MPI_SUCCESS && record_quickly<Row, I>(times, site, communicator, call, places{}))
            [[likely]]
            return code;
    }
    call.apply([&](auto... finished) {
        if (code == MPI_SUCCESS)
            record_call<Row, I, false>(times.begin, times.end, site, communicator, requests, finished...);
        else record_call<Row, I, true>(times.begin, times.end, site, communicator, requests, finished...);
    });
    return code;
}

}  // namespace mpiprof::inline v1::raw::detail
