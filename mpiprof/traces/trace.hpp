// The trace of a run, read from the files of its ranks.
#pragma once

#include <mpiprof/traces/event.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mpiprof::inline v1::traces {

/// A thread of a rank. Threads that did not run at the same time may share one.
struct thread {
    /// As the operating system has it.
    std::int64_t id = 0;
    /// Never empty: "thread 1", if it had none.
    std::string name;
    /// Records that were lost, since there was no room.
    std::int64_t dropped = 0;
};

/// How well a rank's clock is known by the others'.
enum class clock_knowledge {
    same,      ///< it is the same clock, of one machine
    measured,  ///< compared with rank 0's at the start and at the end
    no_drift,  ///< compared once: how fast it runs is not known
    unknown,   ///< never compared; the machines' times of day are taken
};

/// A rank whose trace there is.
struct rank {
    /// In MPI_COMM_WORLD.
    std::int64_t number = 0;
    std::vector<traces::thread> threads;
    /// Start of the recording and end of the last event, on the trace's timeline.
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// What is to be added to a time of this rank's on the timeline to get its CLOCK_MONOTONIC.
    std::int64_t to_monotonic = 0;
    /// The same for the time of day, in nanoseconds since 1970 (UTC), as its machine had it when the
    /// recording started.
    std::int64_t to_realtime = 0;
    /// By how much times may be off those of rank 0 at most; -1 where that is not known.
    std::int64_t clock_error = 0;
    clock_knowledge clock_known = clock_knowledge::same;
    /// Records that were lost, and whether those were old ones, with newer ones kept.
    std::int64_t dropped = 0;
    bool keeps_newest = false;
    /// Calls are missing since recording was paused for a time, or only some were chosen.
    bool has_gaps = false;
    /// It did not reach the end of the run.
    bool unfinished = false;
    std::string host;
    std::string program;
    std::string command;
    /// ISO 8601 in UTC.
    std::string start_time;
    std::string library;
    std::string clock;
    std::string job;
    std::int64_t process = 0;
};

/// A communicator that the ranks used.
struct communicator {
    communicator_id id = unknown_communicator;
    /// Never empty: "communicator 2a", if it had none.
    std::string name;
    communicator_id parent = unknown_communicator;
    bool guessed = false;
    /// Ranks in MPI_COMM_WORLD of its members, by their ranks in it; -1 where that member's trace is not
    /// there. An intercommunicator has two groups, any other one. Of self, which each process has for itself,
    /// there is one group of no rank.
    std::vector<std::vector<std::int64_t>> groups;

    bool is_inter() const noexcept { return groups.size() == 2; }
};

/// The trace of one run.
class trace {
  public:
    /// Reads the traces of the ranks of one run: files of one rank, of several, or both. Throws
    /// results::input_error for what cannot be used, naming the file and the place. Of a file that is cut off
    /// or damaged what precedes the damage is kept, and `notes` says so.
    explicit trace(std::vector<std::string> const& paths);
    trace(trace&&) noexcept;
    ~trace();

    std::int64_t world_size() const noexcept;
    /// By their numbers.
    std::vector<rank> const& ranks() const noexcept;
    std::map<communicator_id, communicator> const& communicators() const noexcept;
    /// Lines that a user should read: what is missing, damaged or dropped, and what is not known of clocks.
    std::vector<std::string> const& notes() const noexcept;

    /// The rank in MPI_COMM_WORLD of a peer or root of one of `rank`'s calls on a communicator (of an
    /// intercommunicator: in the group that `rank` is not in); -1 where that is not known or there is none.
    std::int64_t world_rank(communicator_id id, std::size_t rank, std::int64_t peer) const;

    /// Calls visit(event) for all events of a rank's thread (places in `ranks()` and its `threads`), in the
    /// order in which they were recorded: that of their ends. Reads the file as it goes.
    void for_each(std::size_t rank, std::size_t thread, std::function<void(event const&)> const& visit) const;
    /// The same of all threads, one after the other.
    void for_each(std::function<void(event const&)> const& visit) const;

  private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

}  // namespace mpiprof::inline v1::traces
