// No clock.
#pragma once

#include <mpiprof/core/concepts.hpp>

namespace mpiprof::inline v1::timing {

/// Takes no time: all times are 0.
struct none {
    using time_point = std::int64_t;
    static constexpr bool enabled = false;
    static constexpr char const* name = "none";
    static constexpr time_point now() noexcept { return 0; }
    static constexpr std::int64_t nanoseconds(time_point, time_point) noexcept { return 0; }
};

static_assert(timing_policy<none>);

}  // namespace mpiprof::inline v1::timing
