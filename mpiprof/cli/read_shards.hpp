// Profiles of processes that did not reach their end, from the shards that they left.
#pragma once

#include <mpiprof/results/profile.hpp>

#include <string>
#include <string_view>

namespace mpiprof::inline v1::cli {

/// Does the text begin as a file of shards does?
bool is_shard_file(std::string_view bytes) noexcept;

/// Does the process that keeps this file of shards still run? False also where the file system cannot tell.
bool is_running(std::string const& path) noexcept;

/// What the process had recorded, and with `running` how long it has been in the calls that it is in. Throws
/// input_error where the bytes are no file of shards that this version knows, or the process did not know its
/// rank yet.
results::profile read_shards(std::string_view bytes, bool running);

}  // namespace mpiprof::inline v1::cli
