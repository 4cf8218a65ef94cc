// Profiles of processes that did not reach their end, from the shards that they left.
#pragma once

#include <mpiprof/results/profile.hpp>

#include <string>
#include <string_view>

namespace mpiprof::inline v1::cli {

/// Does the text begin as a file of shards does?
bool is_shard_file(std::string_view bytes) noexcept;

/// What the process had recorded. Throws input_error where the bytes are no file of shards that this version
/// knows, or the process did not know its rank yet.
results::profile read_shards(std::string_view bytes);

}  // namespace mpiprof::inline v1::cli
