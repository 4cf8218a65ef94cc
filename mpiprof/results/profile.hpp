// The model of a finished run, of one rank or of many: what the file holds and reports are made of.
#pragma once

#include <mpiprof/results/rank_set.hpp>
#include <mpiprof/results/statistics.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace mpiprof::inline v1::results {

// Each row type says what its key is (rows of one key are merged) and describes its fields by name, for the
// file, the wire between ranks and the reader alike. Times are nanoseconds.

/// Calls of one operation.
struct operation_row {
    std::string operation;
    results::statistics statistics;

    auto key() const { return std::tie(operation); }

    template <class Self, class Field>
    static void describe(Self& self, Field&& field) {
        field("operation", self.operation);
        field("statistics", self.statistics);
    }
};

/// Calls of one operation at one call site.
struct call_site_row {
    std::string operation;
    std::string file;
    std::int64_t line = 0;
    results::statistics statistics;

    auto key() const { return std::tie(file, line, operation); }

    template <class Self, class Field>
    static void describe(Self& self, Field&& field) {
        field("operation", self.operation);
        field("file", self.file);
        field("line", self.line);
        field("statistics", self.statistics);
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

    auto key() const { return std::tie(operation, request, communicator, file, line, phase); }

    template <class Self, class Field>
    static void describe(Self& self, Field&& field) {
        field("operation", self.operation);
        field("request", self.request);
        field("communicator", self.communicator);
        field("file", self.file);
        field("line", self.line);
        field("phase", self.phase);
        field("statistics", self.statistics);
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
    /// Bytes of cancelled sends, which their calls had counted as sent.
    std::int64_t taken_back = 0;
    std::int64_t unknown = 0;
    /// From posting to observed completion.
    times pending;
    /// Of the messages that arrived, in bytes.
    histogram sizes;

    auto key() const { return std::tie(operation, communicator, file, line, phase); }

    template <class Self, class Field>
    static void describe(Self& self, Field&& field) {
        field("operation", self.operation);
        field("communicator", self.communicator);
        field("file", self.file);
        field("line", self.line);
        field("phase", self.phase);
        field("completions", self.completions);
        field("cancelled", self.cancelled);
        field("received", self.received);
        field("taken_back", self.taken_back);
        field("unknown", self.unknown);
        field("pending", self.pending);
        field("sizes", self.sizes);
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

    auto key() const { return std::tie(id); }

    template <class Self, class Field>
    static void describe(Self& self, Field&& field) {
        field("id", self.id);
        field("name", self.name);
        field("size", self.size);
        field("parent", self.parent);
        field("guessed", self.guessed);
        field("ranks", self.ranks);
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

    auto key() const { return std::tie(name); }

    template <class Self, class Field>
    static void describe(Self& self, Field&& field) {
        field("name", self.name);
        field("entered", self.entered);
        field("depth", self.depth);
        field("rank_time", self.rank_time);
    }
};

/// Messages between one rank and a peer, both ways, counted where their bytes are. Peer and communicator are
/// -1 for what found no row.
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

    auto key() const { return std::tie(rank, communicator, peer); }

    template <class Self, class Field>
    static void describe(Self& self, Field&& field) {
        field("rank", self.rank);
        field("communicator", self.communicator);
        field("peer", self.peer);
        field("sends", self.sends);
        field("sent", self.sent);
        field("receives", self.receives);
        field("received", self.received);
    }
};

/// A node of the machine.
struct host_row {
    std::string name;
    std::int64_t ranks = 0;

    auto key() const { return std::tie(name); }

    template <class Self, class Field>
    static void describe(Self& self, Field&& field) {
        field("name", self.name);
        field("ranks", self.ranks);
    }
};

/// A finished run.
struct profile {
    /// What the file calls itself, and the version of its schema (docs/file-format.md).
    static constexpr char const* format_name = "mpiprof-profile";
    static constexpr std::int64_t format_version = 1;
    /// Fields that the first files of this version lack.
    static constexpr char const* later_fields[] = {"deviation", "durations", "peers", "sizes", "unfinished"};

    std::string program;
    std::string command;
    /// Start of the earliest rank, ISO 8601 in UTC.
    std::string start;
    /// The MPI library; "" for a run without MPI.
    std::string library;
    std::string clock;
    std::string bytes;
    std::string sink;
    std::int64_t world_size = 1;
    rank_set ranks;
    /// Those of them that did not reach the end: what they had recorded until then is here.
    rank_set unfinished;
    std::vector<host_row> hosts;
    /// Each rank's time from the start of profiling to its end, and its time in profiled calls.
    over_ranks run_time;
    over_ranks mpi_time;
    std::vector<operation_row> operations;
    std::vector<call_site_row> call_sites;
    std::vector<call_row> calls;
    std::vector<completion_row> completions;
    std::vector<peer_row> peers;
    std::vector<communicator_row> communicators;
    std::vector<phase_row> phases;
    /// Calls and completions that found no row of their own, and records that found no memory.
    results::statistics overflow;
    std::int64_t lost = 0;

    template <class Self, class Field>
    static void describe(Self& self, Field&& field) {
        field("program", self.program);
        field("command", self.command);
        field("start", self.start);
        field("library", self.library);
        field("clock", self.clock);
        field("bytes", self.bytes);
        field("sink", self.sink);
        field("world_size", self.world_size);
        field("ranks", self.ranks);
        field("unfinished", self.unfinished);
        field("hosts", self.hosts);
        field("run_time", self.run_time);
        field("mpi_time", self.mpi_time);
        field("operations", self.operations);
        field("call_sites", self.call_sites);
        field("calls", self.calls);
        field("completions", self.completions);
        field("peers", self.peers);
        field("communicators", self.communicators);
        field("phases", self.phases);
        field("overflow", self.overflow);
        field("lost", self.lost);
    }
};

}  // namespace mpiprof::inline v1::results
