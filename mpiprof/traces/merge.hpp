// The traces of the ranks of a run become one file.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mpiprof::inline v1::traces {

/// Writes one file, `output`, of all traces in the files, by their ranks. It holds what can be read of them:
/// what is damaged or missing is left out, with a line in `notes`; chunks that were spilled to other files
/// are taken in. One chunk is in memory at a time, and the tables of one rank. Calls progress(bytes done, all
/// of them) after each chunk. Throws results::input_error for what cannot be used, and std::runtime_error,
/// with one line that names it, where the file cannot be written.
void merge(std::vector<std::string> const& paths, std::string const& output, std::vector<std::string>& notes,
           std::function<void(std::uint64_t, std::uint64_t)> const& progress);

}  // namespace mpiprof::inline v1::traces
