// The end of a run: the ranks' results are merged, written and reported.
#pragma once

#include <mpiprof/raw/communicator_identity.hpp>
#include <mpiprof/report/text.hpp>
#include <mpiprof/results/file.hpp>
#include <mpiprof/results/json.hpp>
#include <mpiprof/results/wire.hpp>
#include <mpiprof/run/recording.hpp>

#include <algorithm>
#include <cstdio>
#include <mpi.h>
#include <string>
#include <vector>

namespace mpiprof::inline v1::raw::detail {

// The number of bytes goes first, then the bytes in parts that an int can count.
inline constexpr std::int64_t largest_part = std::int64_t{1} << 30;
inline constexpr int merge_tag = 0;

inline bool send_bytes(std::vector<char> const& bytes, int rank, MPI_Comm comm) noexcept {
    auto const size = static_cast<std::int64_t>(bytes.size());
    if (PMPI_Send(&size, 1, MPI_INT64_T, rank, merge_tag, comm) != MPI_SUCCESS) return false;
    for (std::int64_t done = 0; done < size; done += largest_part) {
        auto const part = static_cast<int>(std::min(largest_part, size - done));
        if (PMPI_Send(bytes.data() + done, part, MPI_BYTE, rank, merge_tag, comm) != MPI_SUCCESS)
            return false;
    }
    return true;
}

inline bool receive_bytes(std::vector<char>& bytes, int rank, MPI_Comm comm) {
    std::int64_t size = 0;
    if (PMPI_Recv(&size, 1, MPI_INT64_T, rank, merge_tag, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return false;
    bytes.resize(static_cast<std::size_t>(size));
    for (std::int64_t done = 0; done < size; done += largest_part) {
        auto const part = static_cast<int>(std::min(largest_part, size - done));
        if (PMPI_Recv(bytes.data() + done, part, MPI_BYTE, rank, merge_tag, comm, MPI_STATUS_IGNORE) !=
            MPI_SUCCESS) {
            return false;
        }
    }
    return true;
}

/// Merges the profiles of all ranks of `comm` into rank 0's, over a binomial tree. False where a message
/// failed, with what had come in merged already.
inline bool merge_over_ranks(results::profile& run, MPI_Comm comm) {
    int rank = 0;
    int size = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    for (int distance = 1; distance < size; distance *= 2) {
        if ((rank & distance) != 0) return send_bytes(results::pack(run), rank - distance, comm);
        if (rank + distance >= size) continue;
        std::vector<char> bytes;
        results::profile other;
        if (!receive_bytes(bytes, rank + distance, comm)) return false;
        if (!results::unpack(other, bytes.data(), bytes.size())) return false;
        results::merge(run, other);
    }
    return true;
}

/// The name of rank `rank`'s own file: "run.rank3.json" for "run.json".
inline std::string rank_file(std::string const& path, std::int64_t rank) {
    constexpr std::string_view ending = ".json";
    auto const insert = ".rank" + std::to_string(rank);
    if (!path.ends_with(ending)) return path + insert;
    return path.substr(0, path.size() - ending.size()) + insert + std::string{ending};
}

/// False, with one line on standard error, where it cannot be written; `shards` is the file that then stays.
inline bool write_profile(results::profile const& run, std::string const& path, std::string const& shards) {
    auto const file = results::write_file(path, results::to_json(run));
    if (file.error.empty()) return true;
    std::fprintf(stderr, "mpiprof: cannot write the profile '%s': %s%s%s\n", file.path.c_str(),
                 file.error.c_str(), shards.empty() ? "" : "; what was recorded stays in ", shards.c_str());
    return false;
}

/// Where a recording's profile goes: to the file that was asked for, under the program's name into a
/// directory that was asked for, or else into the working directory.
inline std::string output_path(settings const& options) {
    auto const by_program = mpiprof::detail::program_name() + ".mpiprof.json";
    if (options.output.empty()) return by_program;
    return results::is_directory(options.output) ? options.output + '/' + by_program : options.output;
}

/// Ends one recording on all ranks together. Returns whether all that this rank recorded is in a file.
inline bool finish_collectively(recording_base const& recording, results::profile& run,
                                std::string const& output, MPI_Comm comm) {
    bool const merged = merge_over_ranks(run, comm);
    bool const first = process::instance().place.rank == 0;
    int written = first && merged && write_profile(run, output, recording.shards_path()) ? 1 : 0;
    if (first && merged && recording.options().report == report_to::standard_error) {
        std::fputs(report::to_text(run).c_str(), stderr);
    }
    PMPI_Bcast(&written, 1, MPI_INT, 0, comm);
    if (merged) return written != 0;
    return write_profile(run, rank_file(output, process::instance().place.rank), recording.shards_path());
}

/// Ends one recording on this rank alone. Returns whether all that this rank recorded is in a file.
inline bool finish_alone(recording_base const& recording, results::profile const& run,
                         std::string const& output) {
    bool const written =
        write_profile(run, rank_file(output, run.ranks.front().first), recording.shards_path());
    if (recording.options().report == report_to::standard_error && run.ranks.front().first == 0) {
        std::fprintf(stderr, "mpiprof: the ranks' profiles were not merged; to see them: mpiprof report %s\n",
                     rank_file(output, 0).replace(rank_file(output, 0).find(".rank0") + 5, 1, "*").c_str());
    }
    return written;
}

/// May this recording be merged over MPI?
inline bool merges_collectively(recording_base const& recording) noexcept {
    auto const merge = recording.options().merge;
    if (merge == merge_by::files) return false;
    return merge == merge_by::collective || recording.collective_order() != recording_base::not_collective ||
           process::instance().place.world_size == 1;
}

/// A private communicator of all ranks: messages of the program's own that nobody received are on its
/// communicators. A duplicate would call the program's attribute callbacks. MPI_COMM_NULL where it cannot be
/// made.
inline MPI_Comm private_world() noexcept {
    MPI_Group everybody = MPI_GROUP_NULL;
    MPI_Comm own = MPI_COMM_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &everybody);
    bool const made = PMPI_Comm_create(MPI_COMM_WORLD, everybody, &own) == MPI_SUCCESS;
    PMPI_Group_free(&everybody);
    if (!made) return MPI_COMM_NULL;
    PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    return own;
}

/// Ends all recordings of this process: first those that all ranks have, in the order in which all ranks
/// started them.
inline void finish_run() noexcept try {
    auto& shared = process::instance();
    std::lock_guard const lock{shared.mutex};
    for (auto* const each : shared.recordings) each->stop();
    communicator_identities::instance().update_names();
    std::stable_sort(shared.recordings.begin(), shared.recordings.end(),
                     [](auto* a, auto* b) { return a->collective_order() < b->collective_order(); });

    MPI_Comm own = MPI_COMM_NULL;
    for (auto* const each : shared.recordings) {
        if (!each->has_profile()) continue;
        auto run = each->snapshot();
        auto const output = output_path(each->options());
        bool const together = merges_collectively(*each);
        if (together && own == MPI_COMM_NULL) own = private_world();
        bool const written = together && own != MPI_COMM_NULL ? finish_collectively(*each, run, output, own)
                                                              : finish_alone(*each, run, output);
        // The profile holds what is in them.
        if (written) each->remove_shards();
    }
    if (own != MPI_COMM_NULL) PMPI_Comm_free(&own);
} catch (...) {
    std::fputs("mpiprof: no memory to write the profile\n", stderr);
}

}  // namespace mpiprof::inline v1::raw::detail
