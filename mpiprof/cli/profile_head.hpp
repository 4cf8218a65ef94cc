// What a profile says of its job, without the rest of it being read.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <string>

namespace mpiprof::inline v1::cli {

struct profile_head {
    /// As in results::profile; "" also where the file is no profile.
    std::string job = {};
    std::int64_t world_size = 0;
};

profile_head read_head(std::string const& path);

}  // namespace mpiprof::inline v1::cli
