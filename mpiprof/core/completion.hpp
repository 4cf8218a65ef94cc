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
    /// Bytes that a nonblocking read from a file brought; -1 where that cannot be known.
    std::int64_t read = 0;
    /// Bytes of a send that a start of several requests (startall) started, 0 included: the call's record has
    /// their sum and names no peer, so that the message is to be counted for its peer here. They add to no
    /// sum of bytes. not_applicable for any other request.
    std::int64_t sent = not_applicable;
    /// Bytes of a cancelled send, which its call had counted as sent.
    std::int64_t taken_back = 0;
    /// Begin of the call that made the request (persistent: that started it), and end of the call that
    /// observed its completion, in ticks.
    std::int64_t posted = 0;
    std::int64_t observed = 0;
    /// Ticks from posted to observed that the program spent inside wait and test calls on this request; all
    /// of them for the receive side of a sendrecv.
    std::int64_t waited = 0;
    /// Where the request was made.
    call_site site;
};

}  // namespace mpiprof::inline v1
