// The model of a finished run, of one rank or of many: what the file holds and reports are made of.
#pragma once

#include <mpiprof/results/key_order.hpp>
#include <mpiprof/results/rank_set.hpp>
#include <mpiprof/results/rows.hpp>
#include <mpiprof/results/statistics.hpp>

#include <cstdint>
#include <string>

namespace mpiprof::inline v1::results {

// Each row type has an order by its key (rows of one key are merged) and describes its fields by name. Times
// are nanoseconds.

/// Calls of one operation.
struct operation_row {
    std::string operation;
    results::statistics statistics;

    [[gnu::cold]] static int order(operation_row const& a, operation_row const& b) {
        return key_order{}.then(a.operation, b.operation).value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("operation", operation);
        field("statistics", statistics);
    }
};

/// Calls of one operation at one call site.
struct call_site_row {
    std::string operation;
    std::string file;
    std::int64_t line = 0;
    results::statistics statistics;

    [[gnu::cold]] static int order(call_site_row const& a, call_site_row const& b) {
        return key_order{}.then(a.file, b.file).then(a.line, b.line).then(a.operation, b.operation).value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("operation", operation);
        field("file", file);
        field("line", line);
        field("statistics", statistics);
    }
};

/// Calls that have everything in common that a summary tells apart.
struct call_row {
    std::string operation;
    /// For a wait or test of one request: the operation that made it.
    std::string request;
    std::int64_t communicator = -1;
    std::string file;
    std::int64_t line = 0;
    std::string phase;
    results::statistics statistics;

    [[gnu::cold]] static int order(call_row const& a, call_row const& b) {
        return key_order{}
            .then(a.operation, b.operation)
            .then(a.request, b.request)
            .then(a.communicator, b.communicator)
            .then(a.file, b.file)
            .then(a.line, b.line)
            .then(a.phase, b.phase)
            .value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("operation", operation);
        field("request", request);
        field("communicator", communicator);
        field("file", file);
        field("line", line);
        field("phase", phase);
        field("statistics", statistics);
    }
};

/// Requests that completed, by what made them.
struct completion_row {
    std::string operation;
    std::int64_t communicator = -1;
    std::string file;
    std::int64_t line = 0;
    std::string phase;
    std::int64_t completions = 0;
    std::int64_t cancelled = 0;
    std::int64_t received = 0;
    /// Bytes from files.
    std::int64_t read = 0;
    /// Bytes of cancelled sends, which their calls had counted as sent.
    std::int64_t taken_back = 0;
    std::int64_t unknown = 0;
    /// From posting to observed completion, and what of it was spent in wait and test calls on the request:
    /// the difference is an upper bound of what could have overlapped with work.
    times pending;
    times waited;
    /// Of the messages that arrived, in bytes, and of those that were sent without a call of their own.
    histogram sizes;

    [[gnu::cold]] static int order(completion_row const& a, completion_row const& b) {
        return key_order{}
            .then(a.operation, b.operation)
            .then(a.communicator, b.communicator)
            .then(a.file, b.file)
            .then(a.line, b.line)
            .then(a.phase, b.phase)
            .value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("operation", operation);
        field("communicator", communicator);
        field("file", file);
        field("line", line);
        field("phase", phase);
        field("completions", completions);
        field("cancelled", cancelled);
        field("received", received);
        field("read", read);
        field("taken_back", taken_back);
        field("unknown", unknown);
        field("pending", pending);
        field("waited", waited);
        field("sizes", sizes);
    }
};

/// Requests that were made (persistent ones: started) and never completed.
struct outstanding_row {
    /// The operation that made them.
    std::string operation;
    std::int64_t communicator = -1;
    /// As in call.hpp: -2 for any source and any tag, -3 for the null process. -1 also where a rank had so
    /// many different ones that they are told apart by call site alone.
    std::int64_t peer = -1;
    std::int64_t tag = -1;
    std::string file;
    std::int64_t line = 0;
    /// How many each rank has.
    over_ranks requests;

    [[gnu::cold]] static int order(outstanding_row const& a, outstanding_row const& b) {
        return key_order{}
            .then(a.file, b.file)
            .then(a.line, b.line)
            .then(a.operation, b.operation)
            .then(a.communicator, b.communicator)
            .then(a.peer, b.peer)
            .then(a.tag, b.tag)
            .value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("operation", operation);
        field("communicator", communicator);
        field("peer", peer);
        field("tag", tag);
        field("file", file);
        field("line", line);
        field("requests", requests);
    }
};

/// The call that threads of a rank were in when its shards were read, or when it died.
struct in_progress_row {
    std::int64_t rank = 0;
    std::string operation;
    std::string file;
    std::int64_t line = 0;
    std::int64_t threads = 0;
    /// End of the call before it, of the first of them, from the start of the rank's profile: the call began
    /// after that. 0 where there was none.
    std::int64_t since = 0;
    /// From then to the reading of the shards; -1 of a rank that was dead by then.
    std::int64_t duration = -1;

    [[gnu::cold]] static int order(in_progress_row const& a, in_progress_row const& b) {
        return key_order{}
            .then(a.rank, b.rank)
            .then(a.file, b.file)
            .then(a.line, b.line)
            .then(a.operation, b.operation)
            .value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("rank", rank);
        field("operation", operation);
        field("file", file);
        field("line", line);
        field("threads", threads);
        field("since", since);
        field("duration", duration);
    }
};

/// A communicator that the program used.
struct communicator_row {
    std::int64_t id = -1;
    /// Its last name, "" if it never had one.
    std::string name;
    std::int64_t size = -1;
    /// The communicator it was made from; -1 when its making was not seen.
    std::int64_t parent = -1;
    /// The id was not derived from the making, so it may differ between members.
    bool guessed = false;
    /// Members that reported it.
    std::int64_t ranks = 0;

    [[gnu::cold]] static int order(communicator_row const& a, communicator_row const& b) {
        return key_order{}.then(a.id, b.id).value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("id", id);
        field("name", name);
        field("size", size);
        field("parent", parent);
        field("guessed", guessed);
        field("ranks", ranks);
    }
};

/// A phase of the program.
struct phase_row {
    std::string name;
    std::int64_t entered = 0;
    /// Largest number of entries into itself, by recursion.
    std::int64_t depth = 0;
    /// Each rank's time inside, from the outermost entry to its end.
    over_ranks rank_time;

    [[gnu::cold]] static int order(phase_row const& a, phase_row const& b) {
        return key_order{}.then(a.name, b.name).value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("name", name);
        field("entered", entered);
        field("depth", depth);
        field("rank_time", rank_time);
    }
};

/// Phases that were begun and ended by calls which were no pairs.
struct unbalanced_phases {
    /// Ends that found no begin on their thread.
    std::int64_t ends = 0;
    /// Begins that found no end.
    std::int64_t begins = 0;

    [[gnu::cold]] void describe(field_visitor& field) {
        field("ends", ends);
        field("begins", begins);
    }
};

/// Messages between one rank and a peer, both ways, counted where their bytes are, cancelled ones not. Peer
/// and communicator are -1 for what found no row.
struct peer_row {
    /// In MPI_COMM_WORLD.
    std::int64_t rank = 0;
    std::int64_t communicator = -1;
    /// In the communicator.
    std::int64_t peer = -1;
    std::int64_t sends = 0;
    std::int64_t sent = 0;
    std::int64_t receives = 0;
    std::int64_t received = 0;

    [[gnu::cold]] static int order(peer_row const& a, peer_row const& b) {
        return key_order{}
            .then(a.rank, b.rank)
            .then(a.communicator, b.communicator)
            .then(a.peer, b.peer)
            .value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("rank", rank);
        field("communicator", communicator);
        field("peer", peer);
        field("sends", sends);
        field("sent", sent);
        field("receives", receives);
        field("received", received);
    }
};

/// A node of the machine.
struct host_row {
    std::string name;
    std::int64_t ranks = 0;

    [[gnu::cold]] static int order(host_row const& a, host_row const& b) {
        return key_order{}.then(a.name, b.name).value();
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("name", name);
        field("ranks", ranks);
    }
};

/// A finished run.
struct profile {
    /// What the file calls itself, and the version of its schema (docs/file-format.md).
    static constexpr char const* format_name = "mpiprof-profile";
    static constexpr std::int64_t format_version = 1;
    /// Fields that the first files of this version lack.
    static constexpr char const* later_fields[] = {
        "deviation", "durations",         "filters",    "in_progress", "job",
        "left_out",  "outstanding",       "peers",      "read",        "running",
        "sizes",     "unbalanced_phases", "unfinished", "waited",      "written"};

    std::string program;
    std::string command;
    /// Start of the earliest rank, ISO 8601 in UTC.
    std::string start;
    /// A name for the job that all of its ranks have, and no other job; "" where the launcher gives none.
    std::string job;
    /// The MPI library; "" for a run without MPI.
    std::string library;
    std::string clock;
    std::string bytes;
    std::string sink;
    std::int64_t world_size = 1;
    rank_set ranks;
    /// Those of them that did not reach the end: what they had recorded until then is here.
    rank_set unfinished;
    /// The settings that chose what was recorded, as MPIPROF spells them ("exclude=test*, ranks=0-3"), and
    /// the ranks of the world that they left out.
    std::string filters;
    rank_set left_out;
    /// Those of the unfinished that still ran when their shards were read, or the snapshot was written.
    rank_set running;
    rows<host_row> hosts;
    /// Each rank's time from the start of profiling to its end, and its time in profiled calls.
    over_ranks run_time;
    over_ranks mpi_time;
    rows<operation_row> operations;
    rows<call_site_row> call_sites;
    rows<call_row> calls;
    rows<completion_row> completions;
    rows<outstanding_row> outstanding;
    rows<in_progress_row> in_progress;
    rows<peer_row> peers;
    rows<communicator_row> communicators;
    rows<phase_row> phases;
    unbalanced_phases unbalanced;
    /// Calls and completions that found no row of their own, and records that found no memory.
    results::statistics overflow;
    std::int64_t lost = 0;

    [[gnu::cold]] void describe(field_visitor& field) {
        field("program", program);
        field("command", command);
        field("start", start);
        field("job", job);
        field("library", library);
        field("clock", clock);
        field("bytes", bytes);
        field("sink", sink);
        field("world_size", world_size);
        field("ranks", ranks);
        field("unfinished", unfinished);
        field("filters", filters);
        field("left_out", left_out);
        field("running", running);
        field("hosts", hosts);
        field("run_time", run_time);
        field("mpi_time", mpi_time);
        field("operations", operations);
        field("call_sites", call_sites);
        field("calls", calls);
        field("completions", completions);
        field("outstanding", outstanding);
        field("in_progress", in_progress);
        field("peers", peers);
        field("communicators", communicators);
        field("phases", phases);
        field("unbalanced_phases", unbalanced);
        field("overflow", overflow);
        field("lost", lost);
    }
};

}  // namespace mpiprof::inline v1::results
