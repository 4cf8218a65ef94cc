// What is kept of a request until it completes.
#pragma once

#include <mpiprof/core/completion.hpp>
#include <mpiprof/raw/constants.hpp>
#include <mpiprof/raw/payload.hpp>

namespace mpiprof::inline v1::raw {

/// A request that was posted and not yet seen to complete.
struct pending {
    /// The completion as far as it is known at posting.
    completion posted;
    /// Is it a receive, whose status tells bytes, source and tag?
    bool receives = false;
    /// Bytes handed to MPI, taken back if the send is cancelled.
    std::int64_t sent = 0;
    /// The byte count in the region name of waits for it.
    std::int64_t region_bytes = 0;

    /// Is there anything to complete?
    explicit operator bool() const noexcept { return posted.operation != operation::none; }

    /// The completion, observed at `time` with this status. Nothing is asked of MPI but what the status
    /// holds: the datatype and the communicator may be freed by now.
    completion complete(MPI_Status const& status, std::int64_t time, bool arrivals) const noexcept {
        auto done = posted;
        done.observed = time;
        int cancelled = 0;
        PMPI_Test_cancelled(&status, &cancelled);
        done.cancelled = cancelled != 0;
        if (done.cancelled) {
            if (sent > 0) done.taken_back = sent;
        } else if (receives && done.peer != null_process) {
            done.peer = detail::recorded_peer(status.MPI_SOURCE);
            done.tag = detail::recorded_tag(status.MPI_TAG);
            if (arrivals) done.received = detail::arrived_nbytes(status);
        }
        return done;
    }
};

namespace detail {

/// Books the completion of one request, and names the wait after it if it is the only one.
template <class Scope>
void complete_one(Scope& measured, pending const& request, MPI_Status const& status, bool arrivals,
                  bool only) {
    if (!request) return;
    auto const done = request.complete(status, measured.record().end, arrivals);
    if (only) {
        auto& record = measured.record();
        record.request = done.operation;
        record.communicator = done.communicator;
        record.peer = done.peer;
        record.tag = done.tag;
        record.capacity = request.region_bytes;
    }
    measured.complete(done);
}

}  // namespace detail

}  // namespace mpiprof::inline v1::raw
