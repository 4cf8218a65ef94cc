// Stands for mpiprof/timing/tsc.hpp until that is there: delete this file then, and name timing::tsc in
// instrumentations.hpp.
#pragma once

#include <mpiprof/core/concepts.hpp>

#include <x86intrin.h>

namespace benchmarks {

/// The time stamp counter's ticks, uncalibrated.
struct temporary_tsc {
    using time_point = std::int64_t;
    static constexpr bool enabled = true;
    static constexpr char const* name = "tsc";
    static time_point now() noexcept { return static_cast<time_point>(__rdtsc()); }
    static constexpr std::int64_t nanoseconds(time_point from, time_point to) noexcept { return to - from; }
};

static_assert(mpiprof::timing_policy<temporary_tsc>);

}  // namespace benchmarks
