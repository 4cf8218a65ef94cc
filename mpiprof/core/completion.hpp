// What is known of one request that completed.
#pragma once

#include <mpiprof/core/call.hpp>

namespace mpiprof::inline v1 {

/// The record of one request that completed, and of the receive side of a sendrecv.
struct completion {
    /// The operation that made the request.
    mpiprof::operation operation = operation::none;
    bool cancelled = false;
    /// Resolved source of a receive, destination of a send; null_process for the null process.
    int peer = not_applicable;
    int tag = not_applicable;
    phase_id phase = 0;
    communicator_id communicator = unknown_communicator;
    /// Bytes that arrived; 0 for a send; -1 where that cannot be known.
    std::int64_t received = 0;
    /// Bytes of a cancelled send, which its call had counted as sent.
    std::int64_t taken_back = 0;
    /// Begin of the call that made the request, and end of the call that observed its completion, in ticks.
    std::int64_t posted = 0;
    std::int64_t observed = 0;
    /// Where the request was made.
    call_site site;
};

}  // namespace mpiprof::inline v1
