// Profiles read from their files.
#pragma once

#include <mpiprof/results/input_error.hpp>
#include <mpiprof/results/profile.hpp>

#include <functional>
#include <string>
#include <vector>

namespace mpiprof::inline v1::cli {

using results::input_error;

/// Reads one profile. Throws input_error naming the file and what is wrong with it.
results::profile read_profile(std::string const& path);

/// Reads a run: one file of the whole run, or the files of its ranks, which are merged, each after
/// `prepare(its profile)`. Throws input_error.
results::profile read_run(std::vector<std::string> const& paths,
                          std::function<void(results::profile&)> const& prepare = {});

}  // namespace mpiprof::inline v1::cli
