// The report of a run, from the files that it left.
#pragma once

#include <mpiprof/core/config.hpp>

#include <string>
#include <vector>

namespace mpiprof::inline v1::cli {

/// The report of the profile of a run, or of the rank files or shards of one run, with what is to be said of
/// its call sites. Throws input_error for what cannot be used.
std::string report_files(std::vector<std::string> const& paths);

}  // namespace mpiprof::inline v1::cli
