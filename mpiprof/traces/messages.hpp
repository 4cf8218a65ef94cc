// Which send a receive belongs to, and which calls are one collective.
#pragma once

#include <mpiprof/traces/trace.hpp>

#include <deque>
#include <vector>

namespace mpiprof::inline v1::traces {

/// One end of a message.
struct message_end {
    /// The call that sent it, or that received it; for a receive by a request the completion.
    event_id event;
    communicator_id communicator = unknown_communicator;
    /// Of a send: begin of the call. Of a receive: when it was observed to be there. -1 in an end that is not
    /// there.
    std::int64_t time = -1;
    /// When the send, or the receive, was posted.
    std::int64_t posted = -1;
    std::int64_t bytes = -1;
    /// Ranks in MPI_COMM_WORLD of this end and of the other, -1 if that is not known.
    std::int32_t rank = -1;
    std::int32_t peer = -1;
    int tag = not_applicable;

    bool exists() const noexcept { return time >= 0; }
};

/// A message; one of its ends may not exist.
struct message {
    message_end sent;
    message_end received;

    bool is_whole() const noexcept { return sent.exists() && received.exists(); }
};

/// The messages between ranks of a trace: those that are whole in the order of their sending, then sends and
/// receives without a partner. Messages of one (communicator, sender, receiver, tag) are received in the
/// order in which they were sent (MPI 3.1, section 3.5), by receives in the order of their posting. Where
/// records were dropped, ends are matched from the side that was kept, and only if times and sizes agree.
/// Transfers with the null process are no messages. A trace may have millions: in a deque, they never take
/// twice their memory.
std::deque<message> messages_of(trace const& from);

/// The calls of a collective operation that belong together.
struct collective {
    communicator_id communicator = unknown_communicator;
    mpiprof::operation operation = operation::none;
    /// Of the group of ranks that made it: of self, the rank; else -1.
    std::int64_t rank = -1;
    std::vector<event_id> members;
    /// Members whose call is not there.
    std::int64_t missing = 0;
    /// First begin and last end.
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// The collective calls of a trace, in order of their begins: the n-th on a communicator of each member.
std::deque<collective> collectives_of(trace const& from);

}  // namespace mpiprof::inline v1::traces
