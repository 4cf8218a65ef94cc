// What is kept of a request until it completes.
#pragma once

#include <mpiprof/core/completion.hpp>
#include <mpiprof/raw/arrived.hpp>
#include <mpiprof/raw/constants.hpp>
#include <mpiprof/raw/payload.hpp>

#include <algorithm>

namespace mpiprof::inline v1::raw {

/// What is known of a request that this process made: one that was posted and not yet seen to complete, or a
/// persistent one, started or not.
struct pending {
    /// The completion as far as it is known at posting.
    completion posted;
    /// Does its status tell bytes, source and tag of a message that arrived?
    bool receives = false;
    /// Does its status tell the bytes read from a file?
    bool reads = false;
    /// Does it stay when it completes, until it is freed?
    bool persistent = false;
    /// Is there anything to complete? Not for a persistent request that is not started.
    bool active = true;
    /// Root of a collective, and what a start of a persistent request moves (else what its call has moved).
    int root = not_applicable;
    std::int64_t sent = 0;
    std::int64_t received = 0;
    std::int64_t capacity = not_applicable;
    /// The byte count in the region name of waits for it.
    std::int64_t region_bytes = 0;
    /// Where the communicator is that it makes, and the number of the creating call on its parent.
    MPI_Comm const* made = nullptr;
    std::uint64_t creation = 0;

    /// Is it one at all?
    explicit operator bool() const noexcept { return posted.operation != operation::none; }

    /// When, where and how a persistent request is started.
    struct posting {
        std::int64_t time;
        call_site site;
        phase_id phase;
        /// By a call that starts others too, and so names no peer.
        bool among_many;
    };

    /// Nothing but messages can be cancelled (MPI 3.1, section 3.8.4); Open MPI leaves the mark in the
    /// statuses of other requests as it finds it.
    bool was_cancelled(MPI_Status const& status) const noexcept {
        if (kind_of(posted.operation) != kind::point_to_point) return false;
        int cancelled = 0;
        PMPI_Test_cancelled(&status, &cancelled);
        return cancelled != 0;
    }

    /// Marks a persistent request as started; false for any other. Of one that is started already the
    /// completion went unseen, since MPI starts no active one (MPI 3.1, section 3.9).
    bool start(posting const& how) noexcept {
        if (!persistent) return false;
        active = true;
        posted.posted = how.time;
        posted.waited = 0;
        posted.site = how.site;
        posted.phase = how.phase;
        bool const sends = message_side_of(operation::start, posted.operation) == message_side::sent;
        posted.sent = how.among_many && sends ? sent : not_applicable;
        return true;
    }

    /// The completion, observed at `time` with this status. Nothing is asked of MPI but what the status
    /// holds: the datatype and the communicator may be freed by now.
    completion complete(MPI_Status const& status, std::int64_t time, bool arrivals) const noexcept {
        auto done = posted;
        done.observed = time;
        done.cancelled = was_cancelled(status);
        if (done.cancelled) {
            if (sent > 0) done.taken_back = sent;
        } else if (reads) {
            if (arrivals) done.read = detail::arrived_nbytes(status);
        } else if (receives && done.peer != null_process) {
            done.peer = detail::recorded_peer(status.MPI_SOURCE);
            done.tag = detail::recorded_tag(status.MPI_TAG);
            if (arrivals) done.received = detail::arrived_nbytes(status);
        }
        return done;
    }
};

namespace detail {

/// Ticks that a wait or test spent on a request that was posted before it ended.
inline std::int64_t ticks_spent(call const& record, std::int64_t posted) noexcept {
    if (kind_of(record.operation) != kind::wait) return 0;
    auto const from = std::max(record.begin, posted);
    return record.end > from ? record.end - from : 0;
}

/// Names a wait or test after the only request that it is for.
inline void name_wait(call& record, completion const& request, std::int64_t region_bytes) noexcept {
    record.request = request.operation;
    record.communicator = request.communicator;
    record.peer = request.peer;
    record.tag = request.tag;
    record.capacity = region_bytes;
}

/// Books the completion of one request, and names the wait after it if it is the only one.
template <class Scope>
void complete_one(Scope& measured, pending const& request, MPI_Status const& status, bool arrivals,
                  bool only) {
    if (!request) return;
    auto& record = measured.record();
    auto done = request.complete(status, record.end, arrivals);
    done.waited += ticks_spent(record, done.posted);
    if (only) name_wait(record, done, request.region_bytes);
    measured.complete(done);
}

/// Notes that a wait or test of a request has ended without it, and names it after the request if it is the
/// only one.
template <class Scope>
void keep_waiting(Scope& measured, pending& request, bool only) {
    if (!request) return;
    auto& record = measured.record();
    request.posted.waited += ticks_spent(record, request.posted.posted);
    if (only) name_wait(record, request.posted, request.region_bytes);
}

}  // namespace detail

}  // namespace mpiprof::inline v1::raw
