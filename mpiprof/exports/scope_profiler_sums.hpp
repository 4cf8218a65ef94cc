// Sums over regions, made of a profile.
#pragma once

#include <mpiprof/results/profile.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace mpiprof::inline v1::exports {

/// What is known of a region without its single calls, in nanoseconds.
struct region_sums {
    std::string name;
    std::vector<std::string> tags;
    std::int64_t count = 0;
    std::int64_t total = 0;
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    std::int64_t exclusive = 0;
};

/// The sums of a profile, which tells neither bytes nor peers, roots and tags of its calls apart: they are -1
/// in the regions' names, but the bytes of a barrier, 0. A phase's shortest stay is taken for 0, its longest
/// for the longest time that a rank had in it, unless each rank entered it once, and the time in it and in no
/// other region for its whole time. "mpi:other" are calls that found no row of their own.
std::vector<region_sums> region_sums_of(results::profile const& from);

/// The rank that the sums are of: that of a profile of one rank; 0 stands for all of them together.
std::int64_t rank_of_sums(results::profile const& from) noexcept;

}  // namespace mpiprof::inline v1::exports
