// The end of a run: the ranks' results are merged, written and reported.
#pragma once

#include <mpiprof/raw/communicator_identity.hpp>
#include <mpiprof/report/text.hpp>
#include <mpiprof/results/file.hpp>
#include <mpiprof/results/json.hpp>
#include <mpiprof/results/merge.hpp>
#include <mpiprof/results/wire.hpp>
#include <mpiprof/run/recording.hpp>

#include <cstdio>
#include <mpi.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::raw::detail {

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

[[gnu::cold]] inline bool receive_bytes(std::string& bytes, int rank, MPI_Comm comm) {
    std::int64_t size = 0;
    if (PMPI_Recv(&size, 1, MPI_INT64_T, rank, merge_tag, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return false;
    bytes.resize(static_cast<std::size_t>(size));
    for (std::int64_t done = 0; done < size; done += largest_part) {
        auto const part = static_cast<int>(largest_part < size - done ? largest_part : size - done);
        if (PMPI_Recv(bytes.data() + done, part, MPI_BYTE, rank, merge_tag, comm, MPI_STATUS_IGNORE) !=
            MPI_SUCCESS) {
            return false;
        }
    }
    return true;
}

/// Merges the profiles of all ranks of `comm` into rank 0's, over a binomial tree. False where a message
/// failed, with what had come in merged already.
[[gnu::cold]] inline bool merge_over_ranks(results::profile& run, MPI_Comm comm) {
    int rank = 0;
    int size = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    for (int distance = 1; distance < size; distance *= 2) {
        if ((rank & distance) != 0) return send_bytes(results::pack(run), rank - distance, comm);
        if (rank + distance >= size) continue;
        std::string bytes;
        results::profile other;
        if (!receive_bytes(bytes, rank + distance, comm)) return false;
        if (!results::unpack(other, bytes.data(), bytes.size())) return false;
        results::merge(run, std::move(other));
    }
    return true;
}

/// The name of a rank's own file: "run.rank3.json" for "run.json".
[[gnu::cold]] inline std::string rank_file(std::string const& path, std::string const& rank) {
    constexpr std::string_view ending = ".json";
    auto text = path;
    auto const end = path.ends_with(ending) ? path.size() - ending.size() : path.size();
    return text.insert(end, rank).insert(end, ".rank");
}

/// False, with one line on standard error, where it cannot be written; `shards` is the file that then stays.
[[gnu::cold]] inline bool write_profile(results::profile const& run, std::string const& path,
                                        std::string const& shards) {
    auto const file = results::write_file(path, results::to_json(run));
    if (file.error.empty()) return true;
    std::fprintf(stderr, "mpiprof: cannot write the profile '%s': %s%s%s\n", file.path.c_str(),
                 file.error.c_str(), shards.empty() ? "" : "; what was recorded stays in ", shards.c_str());
    return false;
}

/// Where a recording's profile goes: to the file that was asked for, under the program's name into a
/// directory that was asked for, or else into the working directory.
[[gnu::cold]] inline std::string output_path(settings const& options) {
    auto text = options.output;
    if (!text.empty() && !results::is_directory(text)) return text;
    if (!text.empty()) text += '/';
    text += mpiprof::detail::program_name();
    text += ".mpiprof.json";
    return text;
}

/// Ends one recording on all ranks together. Returns whether all that this rank recorded is in a file.
[[gnu::cold]] inline bool finish_collectively(recording_base const& recording, results::profile& run,
                                              std::string const& output, MPI_Comm comm) {
    bool const merged = merge_over_ranks(run, comm);
    bool const first = process::instance().place.rank == 0;
    int written = first && merged && write_profile(run, output, recording.shards_path()) ? 1 : 0;
    if (first && merged && recording.options().report == report_to::standard_error) {
        std::fputs(report::to_text(run).c_str(), stderr);
    }
    PMPI_Bcast(&written, 1, MPI_INT, 0, comm);
    if (merged) return written != 0;
    return write_profile(run, rank_file(output, std::to_string(process::instance().place.rank)),
                         recording.shards_path());
}

/// Ends one recording on this rank alone. Returns whether all that this rank recorded is in a file.
[[gnu::cold]] inline bool finish_alone(recording_base const& recording, results::profile const& run,
                                       std::string const& output) {
    bool const written = write_profile(run, rank_file(output, std::to_string(run.ranks.front().first)),
                                       recording.shards_path());
    if (recording.options().report == report_to::standard_error && run.ranks.front().first == 0) {
        std::fprintf(stderr, "mpiprof: the ranks' profiles were not merged; to see them: mpiprof report %s\n",
                     rank_file(output, "*").c_str());
    }
    return written;
}

/// May this recording be merged over MPI?
[[gnu::cold]] inline bool merges_collectively(recording_base const& recording) noexcept {
    auto const merge = recording.options().merge;
    if (merge == merge_by::files) return false;
    return merge == merge_by::collective || recording.collective_order() != recording_base::not_collective ||
           process::instance().place.world_size == 1;
}

/// A private communicator of all ranks: messages of the program's own that nobody received are on its
/// communicators. A duplicate would call the program's attribute callbacks. MPI_COMM_NULL where it cannot be
/// made.
[[gnu::cold]] inline MPI_Comm private_world() noexcept {
    MPI_Group everybody = MPI_GROUP_NULL;
    MPI_Comm own = MPI_COMM_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &everybody);
    bool const made = PMPI_Comm_create(MPI_COMM_WORLD, everybody, &own) == MPI_SUCCESS;
    PMPI_Group_free(&everybody);
    if (!made) return MPI_COMM_NULL;
    PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    return own;
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
[[gnu::cold]] inline void finish_run() noexcept try {
    auto& shared = process::instance();
    std::lock_guard const lock{shared.mutex};
    for (auto* const each : shared.recordings) each->stop();
    communicator_identities::instance().update_names();
    sort_for_ending(shared.recordings);

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
