// What a call says of itself and has moved: by its arguments, and by the status of what arrived.
#pragma once

#include <mpiprof/core/scope.hpp>
#include <mpiprof/raw/arrived.hpp>
#include <mpiprof/raw/collective_nbytes.hpp>
#include <mpiprof/raw/constants.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Does one call of the row's function send and receive within a group?
template <class Row>
inline constexpr bool is_collective =
    Row::movement >= movement::bcast && Row::movement <= movement::neighbor_alltoall;

/// Fills in what the arguments say, whether the call succeeded or not.
template <class Row, class Arguments>
[[gnu::always_inline]] inline void fill_arguments(call& record, Arguments const& call) noexcept {
    if constexpr (has<Row>(role::destination)) {
        record.peer = recorded_peer(call.template get<role::destination>());
        record.tag = recorded_tag(call.template get<role::send_tag>());
    } else if constexpr (has<Row>(role::source)) {
        record.peer = recorded_peer(call.template get<role::source>());
        record.tag = recorded_tag(call.template get<role::receive_tag>());
    } else if constexpr (has<Row>(role::target)) {
        record.peer = recorded_peer(call.template get<role::target>());
    }
    if constexpr (has<Row>(role::root)) record.root = recorded_root(call.template get<role::root>());
    if constexpr (is_collective<Row> && has<Row>(role::send_buffer) && has<Row>(role::receive_buffer)) {
        if (sends_in_place(call) || receives_in_place(call)) record.flags |= call_in_place;
    }
}

/// Bytes that go to a window in a call that fetches. With MPI_NO_OP nothing goes, and nobody looks at the
/// origin's count and type (MPI 3.1, sections 11.3.4 and 11.3.5).
template <class Row, class Arguments>
std::int64_t given_nbytes(Arguments const& call) noexcept {
    if constexpr (has<Row>(role::op)) {
        if (call.template get<role::op>() == MPI_NO_OP) return 0;
    }
    if constexpr (has<Row>(role::send_count)) return sent_nbytes(call);
    else return message_nbytes(1, call.template get<role::send_type>());
}

/// Those that come from it.
template <class Row, class Arguments>
std::int64_t fetched_nbytes(Arguments const& call) noexcept {
    if constexpr (has<Row>(role::receive_count)) return received_nbytes(call);
    else return message_nbytes(1, call.template get<role::send_type>());
}

/// Bytes of one message that a call sends, in all its partitions.
template <class Row, class Arguments>
[[gnu::always_inline]] inline std::int64_t whole_nbytes(std::int64_t bytes, Arguments const& call) noexcept {
    if constexpr (has<Row>(role::partitions))
        return for_each_rank(bytes, call.template get<role::partitions>());
    else return bytes;
}

/// Fills in what a successful call has moved as far as its arguments tell; for a receive that makes a
/// request, the room for the message.
template <class Row, class I, class Arguments>
[[gnu::always_inline]] inline void fill_moved(call& record, Arguments const& call) noexcept {
    constexpr auto how = Row::movement;
    if constexpr (!I::sizes) {
        return;
    } else if constexpr (is_collective<Row>) {
        auto const moved = collective_nbytes<Row>(call);
        record.sent = moved.sent;
        record.received = moved.received;
    } else if constexpr (how == movement::write) {
        record.written = sent_nbytes(call);
    } else if constexpr (how == movement::receive && posts<Row>) {
        record.capacity = record.peer == null_process ? 0 : whole_nbytes<Row>(received_nbytes(call), call);
    } else if constexpr (how == movement::send || how == movement::exchange || how == movement::put) {
        record.sent = record.peer == null_process ? 0 : whole_nbytes<Row>(sent_nbytes(call), call);
    } else if constexpr (how == movement::get) {
        record.received = record.peer == null_process ? 0 : received_nbytes(call);
    } else if constexpr (how == movement::fetch) {
        if (record.peer == null_process) return;
        record.sent = given_nbytes<Row>(call);
        record.received = fetched_nbytes<Row>(call);
    }
}

/// The receive side of a sendrecv: a completion of its own, with its own peer, tag and bytes.
template <class Row, class I, class Scope, class Arguments>
[[gnu::always_inline]] inline void complete_exchange(Scope& measured, Arguments const& call) noexcept {
    auto done = measured.completed();
    done.peer = recorded_peer(call.template get<role::source>());
    done.tag = recorded_tag(call.template get<role::receive_tag>());
    done.waited = done.observed - done.posted;
    if constexpr (I::arrivals) {
        if (done.peer != null_process) {
            auto const& status = *call.template get<role::status>();
            done.peer = recorded_peer(status.MPI_SOURCE);
            done.tag = recorded_tag(status.MPI_TAG);
            done.received = arrived_nbytes(status);
        }
    }
    measured.complete(done);
}

/// Has a successful call found what it looked for?
template <class Row, class Arguments>
[[gnu::always_inline]] inline bool found(Arguments const& call) noexcept {
    if constexpr (has<Row>(role::flag) && kind_of(Row::operation) != kind::query)
        return *call.template get<role::flag>() != 0;
    else return true;
}

/// Fills in what arrived in a successful call, or was found by it.
template <class Row, class I, class Scope, class Arguments>
[[gnu::always_inline]] inline void fill_arrived(Scope& measured, Arguments const& call) noexcept {
    constexpr auto how = Row::movement;
    constexpr auto nbytes_of = [](MPI_Status const& status) {
        return Arguments::asks ? arrived_nbytes(status) : status_bytes::find(status);
    };
    auto& record = measured.record();
    bool const was_found = found<Row>(call);
    if (!was_found) record.flags |= call_incomplete;
    if constexpr (how == movement::exchange) {
        complete_exchange<Row, I>(measured, call);
    } else if constexpr (how == movement::read && has<Row>(role::status)) {
        if constexpr (I::arrivals) record.read = nbytes_of(*call.template get<role::status>());
    } else if constexpr (how == movement::receive || has<Row>(role::source)) {
        if constexpr (I::arrivals) {
            if (was_found && record.peer != null_process) {
                auto const& status = *call.template get<role::status>();
                record.peer = recorded_peer(status.MPI_SOURCE);
                record.tag = recorded_tag(status.MPI_TAG);
                if constexpr (how == movement::receive) record.received = nbytes_of(status);
            }
        }
    }
}

}  // namespace mpiprof::inline v1::raw::detail
