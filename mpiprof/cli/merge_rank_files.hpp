// Rank files of one job become the profile of its run.
#pragma once

#include <mpiprof/run/settings.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mpiprof::inline v1::cli {

/// What the name of a rank file says: "run.rank3.2.json" is the second of rank 3's for "run.json".
struct rank_file_name {
    /// -1 where the name is that of no rank file.
    std::int64_t rank = -1;
    std::int64_t number = 1;
    /// The name of the run's profile.
    std::string output = {};
};

/// Takes a name apart. `wanted` is the profile's name; "" for any that a program has by default.
rank_file_name parse_rank_file(std::string_view name, std::string_view wanted);

/// Ranks of which some left no file, so that theirs were not merged.
struct incomplete_run {
    /// Path of the profile that there would have been.
    std::string output;
    /// How many did, and should have.
    std::int64_t ranks = 0;
    std::int64_t wanted = 0;
};

/// Merges the rank files of the session (see in_session) where all of a job's ranks that were to be recorded
/// have one, and removes them. Any number of processes may do this at a time; one of them merges, prints the
/// report if the settings say so, and tells on standard error what fails. Files of other jobs are let alone.
/// Returns the jobs with files missing.
std::vector<incomplete_run> merge_rank_files(settings const& options, std::string const& session);

}  // namespace mpiprof::inline v1::cli
