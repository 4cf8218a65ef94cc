// How this process's clocks stand to those of rank 0.
#pragma once

#include <mpiprof/core/concepts.hpp>
#include <mpiprof/run/trace_head.hpp>
#include <mpiprof/timing/steady.hpp>

#include <cstdint>

namespace mpiprof::inline v1 {

/// What is to be added to this process's CLOCK_MONOTONIC to get rank 0's, as it was found out at one moment.
struct clock_offset {
    std::int64_t nanoseconds = 0;
    /// By how much that may have been wrong at most, in nanoseconds; -1 if nothing was found out.
    std::int64_t error = -1;
    /// The moment, by this process's CLOCK_MONOTONIC.
    std::int64_t when = 0;
    /// Is it the same clock, so that this stays right?
    bool same = false;

    bool known() const noexcept { return error >= 0; }

    /// By how much it may be wrong at another moment.
    std::int64_t error_at(std::int64_t now) const noexcept {
        // What sets the clocks of machines right has them run faster or slower by 500 ppm at most.
        constexpr std::int64_t steadiness = 1000;
        return same || !known() ? error : error + (now - when + steadiness - 1) / steadiness;
    }
};

namespace detail {

/// The clock of a recording by rank 0's, now. `Monotonic` is CLOCK_MONOTONIC, but in tests.
template <timing_policy Timing, timing_policy Monotonic = timing::steady>
[[gnu::cold]] clock_sample sample_clock(clock_offset const& offset) noexcept {
    clock_sample best;
    std::int64_t shortest = INT64_MAX;
    // Of several tries the one that nothing came between.
    for (int i = 0; i < 8; ++i) {
        auto const before = static_cast<std::int64_t>(Monotonic::now());
        auto const ticks = static_cast<std::int64_t>(Timing::now());
        auto const after = static_cast<std::int64_t>(Monotonic::now());
        if (after - before >= shortest) continue;
        shortest = after - before;
        best = {ticks, before + shortest / 2 + offset.nanoseconds,
                offset.error_at(after) + shortest - shortest / 2};
    }
    return best;
}

}  // namespace detail

}  // namespace mpiprof::inline v1
