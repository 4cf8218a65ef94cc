// The operating system's monotonic clock.
#pragma once

#include <mpiprof/core/concepts.hpp>

#include <chrono>

namespace mpiprof::inline v1::timing {

/// std::chrono::steady_clock in nanoseconds (on Linux CLOCK_MONOTONIC, the clock of Python's
/// perf_counter_ns).
struct steady {
    using time_point = std::int64_t;
    static constexpr bool enabled = true;
    static constexpr char const* name = "steady";
    static time_point now() noexcept {
        using namespace std::chrono;
        return duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch()).count();
    }
    static constexpr std::int64_t nanoseconds(time_point from, time_point to) noexcept { return to - from; }
};

static_assert(timing_policy<steady>);

}  // namespace mpiprof::inline v1::timing
