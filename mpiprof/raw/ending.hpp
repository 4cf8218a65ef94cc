// The end of a run: the ranks' results are merged, written and reported.
#pragma once

#include <mpiprof/raw/clock_exchange.hpp>
#include <mpiprof/raw/communicator_identity.hpp>
#include <mpiprof/raw/private_world.hpp>
#include <mpiprof/raw/sessions.hpp>
#include <mpiprof/report/text.hpp>
#include <mpiprof/results/file.hpp>
#include <mpiprof/results/json.hpp>
#include <mpiprof/results/merge.hpp>
#include <mpiprof/results/wire.hpp>
#include <mpiprof/run/harmless_writes.hpp>
#include <mpiprof/run/output_file.hpp>
#include <mpiprof/run/recording.hpp>

#include <cstdio>
#include <mpi.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::raw::detail {

using mpiprof::detail::before_ending;
using mpiprof::detail::harmless_writes;
using mpiprof::detail::output_path;
using mpiprof::detail::rank_file;

/// Does `work`; false where that returns it or has no memory.
template <class Work>
[[gnu::cold]] bool attempt(Work work) noexcept {
    MPIPROF_INTERNAL_TRY { return work(); }
    MPIPROF_INTERNAL_CATCH_ALL { return false; }
}

// The number of bytes goes first, then the bytes in parts that an int can count.
inline constexpr std::int64_t largest_part = std::int64_t{1} << 30;
inline constexpr int merge_tag = 0;

[[gnu::cold]] inline bool send_bytes(std::string const& bytes, int rank, MPI_Comm comm) noexcept {
    auto const size = static_cast<std::int64_t>(bytes.size());
    if (PMPI_Send(&size, 1, MPI_INT64_T, rank, merge_tag, comm) != MPI_SUCCESS) return false;
    for (std::int64_t done = 0; done < size; done += largest_part) {
        auto const part = static_cast<int>(largest_part < size - done ? largest_part : size - done);
        if (PMPI_Send(bytes.data() + done, part, MPI_BYTE, rank, merge_tag, comm) != MPI_SUCCESS)
            return false;
    }
    return true;
}

/// What a rank sends in place of a size when it has not all that it should have.
inline constexpr std::int64_t incomplete = -1;

[[gnu::cold]] inline bool receive_bytes(std::string& bytes, int rank, MPI_Comm comm) noexcept {
    std::int64_t size = 0;
    if (PMPI_Recv(&size, 1, MPI_INT64_T, rank, merge_tag, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return false;
    if (size == incomplete) return false;
    bool const room = attempt([&] {
        bytes.resize(static_cast<std::size_t>(size));
        return true;
    });
    bool received = room;
    for (std::int64_t done = 0; done < size; done += largest_part) {
        auto const part = static_cast<int>(largest_part < size - done ? largest_part : size - done);
        // Without room the message is taken all the same, though cut off, since its sender waits for that.
        char nothing = 0;
        received = PMPI_Recv(room ? bytes.data() + done : &nothing, room ? part : 0, MPI_BYTE, rank,
                             merge_tag, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
                   received;
    }
    return received;
}

/// Takes in what a rank sends up the tree.
[[gnu::cold]] inline bool merge_from(results::profile& run, int rank, MPI_Comm comm) noexcept {
    std::string bytes;
    return receive_bytes(bytes, rank, comm) && attempt([&] {
               results::profile other;
               if (!results::unpack(other, bytes.data(), bytes.size())) return false;
               results::merge(run, std::move(other));
               return true;
           });
}

/// Merges the profiles of all ranks of `comm` into rank 0's, over a binomial tree. False where something of
/// this rank's part of the tree is missing; every rank goes through all of its messages, whatever fails.
[[gnu::cold]] inline bool merge_over_ranks(results::profile& run, bool complete, MPI_Comm comm) noexcept {
    int rank = 0;
    int size = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    for (int distance = 1; distance < size; distance *= 2) {
        if ((rank & distance) != 0) {
            std::string bytes;
            complete = complete && attempt([&] {
                           bytes = results::pack(run);
                           return true;
                       });
            if (complete) return send_bytes(bytes, rank - distance, comm);
            PMPI_Send(&incomplete, 1, MPI_INT64_T, rank - distance, merge_tag, comm);
            return false;
        }
        if (rank + distance < size) complete = merge_from(run, rank + distance, comm) && complete;
    }
    return complete;
}

/// False, with one line on standard error, where it cannot be written; `shards` is the file that then stays.
[[gnu::cold]] inline bool write_profile(results::profile const& run, std::string const& path,
                                        std::string const& shards) {
    auto const file = results::write_file(path, results::to_json(run));
    if (file.error.empty()) return true;
    harmless_writes const harmless;
    std::fprintf(stderr, "mpiprof: cannot write the profile '%s': %s%s%s\n", file.path.c_str(),
                 file.error.c_str(), shards.empty() ? "" : "; what was recorded stays in ", shards.c_str());
    return false;
}

/// Ends one recording on this rank alone. Returns whether all that this rank recorded is in a file.
[[gnu::cold]] inline bool finish_alone(recording_base const& recording, results::profile const& run) {
    if (recording.left_out()) return true;
    auto const output = output_path(recording.options());
    auto const rank = std::to_string(run.ranks.front().first);
    bool const written = write_profile(run, rank_file(output, rank), recording.shards_path());
    // `mpiprof run` merges them, and reports.
    bool const merged_later = !mpiprof::detail::environment(mpiprof::detail::job_variable).empty();
    if (recording.options().report == report_to::standard_error && run.ranks.front().first == 0 &&
        !merged_later) {
        harmless_writes const harmless;
        std::fprintf(stderr, "mpiprof: the ranks' profiles were not merged; to see them: mpiprof report %s\n",
                     rank_file(output, "*").c_str());
    }
    return written;
}

/// Leaves this rank's trace, which `mpiprof merge` puts together with the others'.
[[gnu::cold]] inline void finish_trace(recording_base& recording) {
    auto const file = recording.write_trace();
    if (file.error.empty()) return;
    harmless_writes const harmless;
    std::fprintf(stderr, "mpiprof: cannot write the trace '%s': %s%s%s\n", file.path.c_str(),
                 file.error.c_str(), recording.trace_source().empty() ? "" : "; it stays in ",
                 recording.trace_source().c_str());
}

/// How a merge has ended, as rank 0 tells all.
enum class outcome : int { not_merged, written, not_written };

/// What rank 0 does with the merged profile.
[[gnu::cold]] inline outcome finish_merged(recording_base const& recording,
                                           results::profile const& run) noexcept {
    if (run.ranks.empty()) {
        harmless_writes const harmless;
        std::fprintf(stderr,
                     "mpiprof: no profile: the world has none of the ranks that were to be recorded\n");
        return outcome::written;
    }
    bool const written = attempt(
        [&] { return write_profile(run, output_path(recording.options()), recording.shards_path()); });
    if (recording.options().report == report_to::standard_error) {
        attempt([&] {
            auto const text = report::to_text(run);
            harmless_writes const harmless;
            return std::fputs(text.c_str(), stderr) >= 0;
        });
    }
    return written ? outcome::written : outcome::not_written;
}

/// Ends one recording on all ranks together. Returns whether all that this rank recorded is in a file.
[[gnu::cold]] inline bool finish_collectively(recording_base const& recording, MPI_Comm comm) {
    results::profile run;
    bool const known = attempt([&] {
        run = recording.snapshot();
        return true;
    });
    bool const complete = merge_over_ranks(run, known, comm);
    bool const first = process::instance().place.rank == 0;
    auto how = first && complete ? finish_merged(recording, run) : outcome::not_merged;
    // All ranks come here, whatever has failed.
    PMPI_Bcast(&how, 1, MPI_INT, 0, comm);
    if (how == outcome::not_merged) return finish_alone(recording, recording.snapshot());
    return how == outcome::written;
}

/// May this recording be merged over MPI?
[[gnu::cold]] inline bool merges_collectively(recording_base const& recording) noexcept {
    auto const merge = recording.options().merge;
    if (merge == merge_by::files) return false;
    return merge == merge_by::collective || recording.collective_order() != recording_base::not_collective ||
           process::instance().place.world_size == 1;
}

/// Puts first those that all ranks have, in the order in which all ranks started them.
[[gnu::cold]] inline void sort_for_ending(std::vector<recording_base*>& recordings) noexcept {
    // There are few of them, and std::stable_sort takes long to compile.
    for (std::size_t sorted = 1; sorted < recordings.size(); ++sorted) {
        for (auto place = sorted; place > 0; --place) {
            auto*& here = recordings[place];
            auto*& before = recordings[place - 1];
            if (here->collective_order() < before->collective_order()) std::swap(here, before);
        }
    }
}

/// Ends all recordings of this process.
[[gnu::cold]] inline void finish_recordings() {
    auto& shared = process::instance();
    std::lock_guard const lock{shared.mutex};
    if (shared.over.exchange(true)) return;
    for (auto* const each : shared.recordings) each->end();
    communicator_identities::instance().update_names();
    sort_for_ending(shared.recordings);

    bool const only_rank = shared.place.world_size == 1;
    MPI_Comm own = MPI_COMM_NULL;
    auto const has_own = [&] {
        if (own == MPI_COMM_NULL) own = private_world();
        return own != MPI_COMM_NULL;
    };
    for (auto* const each : shared.recordings) {
        bool const on_all_ranks = each->collective_order() != recording_base::not_collective;
        if (!only_rank && compares_clocks(*each) && has_own()) sample_clocks(*each, own);
        bool together = each->has_profile() && merges_collectively(*each);
        if (!only_rank) {
            if (on_all_ranks) together = has_own() && all_want(together, own);
            together = together && has_own();
        }
        bool const written = !each->has_profile() || attempt([&] {
            if (!together) return finish_alone(*each, each->snapshot());
            if (only_rank) return finish_merged(*each, each->snapshot()) == outcome::written;
            return finish_collectively(*each, own);
        });
        // The profile holds what is in them.
        if (written) each->remove_shards();
        if (each->has_trace())
            attempt([&] {
                finish_trace(*each);
                return true;
            });
    }
    if (own != MPI_COMM_NULL) PMPI_Comm_free(&own);
}

/// The end of the run, once.
[[gnu::cold]] inline void finish_run() noexcept {
    MPIPROF_INTERNAL_TRY { finish_recordings(); }
    MPIPROF_INTERNAL_CATCH_ALL {
        harmless_writes const harmless;
        std::fputs("mpiprof: no memory to write the profile\n", stderr);
    }
}

/// May the calling thread ask MPI something now?
[[gnu::cold]] inline bool may_ask() noexcept {
    if (!world_runs()) return false;
    int level = MPI_THREAD_SINGLE;
    int main = 0;
    PMPI_Query_thread(&level);
    PMPI_Is_thread_main(&main);
    return main != 0 || level == MPI_THREAD_MULTIPLE;
}

/// Writes what the recordings of this process hold by now, on this rank alone, and goes on recording.
[[gnu::cold]] inline void write_snapshots() {
    auto& shared = process::instance();
    std::lock_guard const lock{shared.mutex};
    static std::uint64_t number = 0;
    if (shared.over) return;
    ++number;
    if (may_ask()) communicator_identities::instance().update_names();
    for (auto const* const each : shared.recordings) {
        if (!each->has_profile() || each->stopped()) continue;
        auto run = each->snapshot();
        if (run.ranks.empty()) continue;
        run.unfinished = run.running = run.ranks;
        auto const rank = ".rank" + std::to_string(run.ranks.front().first);
        auto const ending = ".snapshot" + std::to_string(number) + rank;
        write_profile(run, before_ending(output_path(each->options()), ending), {});
    }
}

/// The same; where it cannot be done, the program goes on without.
[[gnu::cold]] inline void try_to_write_snapshots() noexcept {
    MPIPROF_INTERNAL_TRY { write_snapshots(); }
    MPIPROF_INTERNAL_CATCH_ALL {
        harmless_writes const harmless;
        std::fputs("mpiprof: no memory to write a snapshot\n", stderr);
    }
}

}  // namespace mpiprof::inline v1::raw::detail
