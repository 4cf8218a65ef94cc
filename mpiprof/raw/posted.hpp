// What a call has posted: the request that it made, and what is to be known when that completes.
#pragma once

#include <mpiprof/raw/communicator_identity.hpp>
#include <mpiprof/raw/moved.hpp>
#include <mpiprof/raw/request_storage.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Does the row's function make a communicator that is there when its request completes?
template <class Row>
inline constexpr bool makes_later = has<Row>(role::new_comm) && has<Row>(role::new_request);

/// Gives the communicator that a request made its identity, now that the request is complete.
inline void settle(pending const& done) noexcept {
    if (done.made != nullptr) enter_created(done.posted.communicator, done.creation, *done.made);
}

/// What the completion of a nonblocking sendrecv tells: its receive side. Where no status tells what arrived,
/// that is the room for it, and the call is marked.
template <class Row, class I, class Arguments>
void fill_receive_side(pending& request, call& record, Arguments const& call) noexcept {
    auto& posted = request.posted;
    posted.peer = recorded_peer(call.template get<role::source>());
    posted.tag = recorded_tag(call.template get<role::receive_tag>());
    if constexpr (!MPIPROF_INTERNAL_ISENDRECV_STATUS) {
        request.receives = false;
        if (!I::sizes || posted.peer == null_process) return;
        if constexpr (has<Row>(role::receive_count)) posted.received = received_nbytes(call);
        else posted.received = sent_nbytes(call);
        record.flags |= call_estimated;
    }
}

/// The request of a call whose record is filled in.
template <class Row, class I, class Scope, class Arguments>
[[gnu::always_inline]] inline pending posted_by(Scope& measured, Arguments const& call) noexcept {
    auto& record = measured.record();
    pending request{measured.completed()};
    request.receives = Row::movement == movement::receive || Row::movement == movement::exchange;
    request.reads = Row::movement == movement::read;
    request.root = record.root;
    request.sent = record.sent;
    request.received = record.received;
    request.capacity = record.capacity;
    request.region_bytes = region_bytes(record);
    if constexpr (Row::movement == movement::exchange) fill_receive_side<Row, I>(request, record, call);
    if constexpr (makes_later<Row>) {
        request.made = call.template get<role::new_comm>();
        request.creation = count_creation(record.communicator);
    }
    return request;
}

/// Keeps the request of a successful call for its completion. A call that only prepares has moved nothing.
template <class Row, class I, class Scope, class Arguments>
[[gnu::always_inline]] inline void keep_posted(Scope& measured, Arguments const& call,
                                               request_storage requests) noexcept {
    auto request = posted_by<Row, I>(measured, call);
    if constexpr (has<Row>(role::new_persistent_request)) {
        request.persistent = true;
        request.active = false;
        auto& record = measured.record();
        record.sent = record.received = 0;
        requests.put(*call.template get<role::new_persistent_request>(), request);
    } else {
        auto const handle = *call.template get<role::new_request>();
        if (handle != MPI_REQUEST_NULL) {
            requests.put(handle, request);
        } else {
            // It was complete at once, and no wait will ever see it.
            request.posted.observed = measured.record().end;
            settle(request);
            measured.complete(request.posted);
        }
    }
}

}  // namespace mpiprof::inline v1::raw::detail
