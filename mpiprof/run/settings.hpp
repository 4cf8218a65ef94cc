// Settings of a run, as the program gives them.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <string>

namespace mpiprof::inline v1 {

/// Where the report goes at the end of a run.
enum class report_to { nowhere, standard_error };

/// How the ranks' results come together at the end of a run.
enum class merge_by {
    /// Collectively where all ranks are known to take part, else by files.
    automatic,
    /// Over MPI, by all ranks of MPI_COMM_WORLD.
    collective,
    /// Each rank writes a file; `mpiprof report` merges them.
    files,
};

/// Which clock is read.
enum class clock_by {
    /// The timing policy's.
    automatic,
    /// The operating system's monotonic clock, for all recordings of the process.
    steady,
};

/// What a trace keeps when there is more than it has room for.
enum class trace_keep { oldest, newest };

/// Settings of one recording.
struct settings {
    /// Name of the profile, or of a directory for it; "" for the program's name with `.mpiprof.json`. Rank
    /// files have `.rank<N>` before the ending.
    std::string output = {};
    /// Sinks to record to, `+` between them, of those compiled in; "" for all, "none" for none.
    std::string sinks = {};
    /// Nothing is recorded before `profiler::resume()`.
    bool start_paused = false;
    report_to report = report_to::nowhere;
    merge_by merge = merge_by::automatic;
    /// Folder for the shards, in which a process that dies leaves what was counted; "none" for no file. ""
    /// for /dev/shm, or where that is not, TMPDIR or /tmp.
    std::string shards = {};
    clock_by clock = clock_by::automatic;
    /// Room for a trace's records, in bytes for each process; 2 MiB for names come on top. Giving it asks for
    /// a trace beside what is recorded anyway, unless `sinks` names others. 0 for 64 MiB, where `sinks` names
    /// the trace.
    std::int64_t trace_size = 0;
    mpiprof::trace_keep trace_keep = mpiprof::trace_keep::oldest;
    /// Full parts of a trace are written to its file while the program runs, by a thread of ours, which makes
    /// room for more.
    bool trace_spill = false;
    /// Calls of kind `query` (MPI_Comm_rank, MPI_Pack …) are recorded too.
    bool queries = false;
    /// Of an unmodified program: how many frames a call site is made of, 1 to 16. More than 1 takes a walk up
    /// the stack in each call.
    int depth = 1;
    /// Operations to record, `+` between them, a `*` at the end of one standing for any ending ("test*"); ""
    /// for all. What completes is recorded with the operation that posted it.
    std::string include = {};
    /// Operations not to record, in the same form; it wins over `include`.
    std::string exclude = {};
    /// Ranks of MPI_COMM_WORLD to record, "0-3+8"; "" for all. The others leave nothing.
    std::string ranks = {};
    /// Nothing is recorded or written at all.
    bool off = false;
};

}  // namespace mpiprof::inline v1
