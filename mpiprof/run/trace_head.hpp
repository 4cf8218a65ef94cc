// The head of a trace's file, of one process.
#pragma once

#include <mpiprof/sinks/trace_layout.hpp>

#include <atomic>
#include <cstdint>

namespace mpiprof::inline v1 {

/// What one rank's clock was by rank 0's at one moment. Rank 0 has samples too.
struct clock_sample {
    /// The rank's own clock, in its ticks.
    std::int64_t ticks = 0;
    /// Rank 0's CLOCK_MONOTONIC, in nanoseconds: as rank 0's own samples and its `monotonic_start` have it,
    /// no matter how well the rate of its ticks was known.
    std::int64_t nanoseconds = 0;
    /// By how much that may be wrong at most, in nanoseconds.
    std::int64_t error = 0;
};

/// The head of a trace's file: what is in it, and of which process. The file of a process that runs, or was
/// killed, is of the same form as a finished one.
struct trace_head {
    static constexpr char right_magic[16] = "mpiprof-trace\n\n";
    static constexpr std::uint32_t right_version = 1;
    static constexpr std::uint32_t right_order = 0x01020304;

    char magic[16] = {};
    std::uint32_t version = 0;
    /// right_order in the byte order of the machine that wrote it.
    std::uint32_t order = 0;
    /// So that a reader knows whether the numbers of operations are those it knows.
    std::uint32_t operations = 0;
    std::uint32_t process = 0;
    std::uint64_t process_start = 0;
    sinks::trace_parts parts;

    /// Rank in MPI_COMM_WORLD and its size; -1 until they are known.
    std::atomic<std::int64_t> rank{-1};
    std::atomic<std::int64_t> world_size{-1};
    /// Nanoseconds per tick as known by now.
    std::atomic<double> rate{1};
    /// The start of the recording, by the clock of the records in ticks, by CLOCK_MONOTONIC and by
    /// CLOCK_REALTIME in nanoseconds, all at one moment.
    std::int64_t start = 0;
    std::int64_t monotonic_start = 0;
    std::int64_t realtime_start = 0;
    /// Number of clock samples that there are: 0 where the ranks never compared their clocks, 1 where they
    /// did at the end only (drift is unknown), 2 for start and end.
    std::atomic<std::uint64_t> samples{0};
    clock_sample sample[2];
    /// The run came to its end.
    std::atomic<std::uint32_t> finished{0};
    /// When there was no more room, old records were dropped, not new ones.
    std::uint32_t keeps_newest = 0;
    /// Not all calls of the run were to be recorded: it was paused for a time, or calls were chosen.
    std::atomic<std::uint32_t> has_gaps{0};
    std::uint32_t unused = 0;

    char start_time[32] = {};
    char clock[16] = {};
    /// Identifies one boot of the machine: processes with the same one read the same clock.
    char boot[64] = {};
    char host[256] = {};
    char library[256] = {};
    char program[256] = {};
    char command[4096] = {};
    char job[256] = {};
    /// Path of the rank's finished trace, from the root.
    char output[4096] = {};
    /// Path of the file that full chunks were written to while the process ran, from byte parts.chunks.offset
    /// on, as in this one; "" if they were not. What precedes them there has no meaning.
    char spilled[4096] = {};
};

/// The head of a file that holds the traces of several ranks: `count` entries follow it, then the traces.
struct trace_archive_head {
    static constexpr char right_magic[16] = "mpiprof-traces\n";
    static constexpr std::uint32_t right_version = 1;

    struct entry {
        std::int64_t rank;
        /// Bytes, from the begin of the file; a multiple of 8.
        std::uint64_t offset;
        std::uint64_t size;
    };

    char magic[16] = {};
    std::uint32_t version = 0;
    std::uint32_t order = 0;
    std::uint64_t count = 0;
};

}  // namespace mpiprof::inline v1
