// The two clocks of the lower bounds, read in the cheapest way.
#pragma once

#include <cstdint>
#include <ctime>
#include <x86intrin.h>

namespace benchmarks {

/// The processor's time stamp counter in ticks, unfenced.
struct rdtsc {
    static constexpr char const* name = "rdtsc";

    [[gnu::always_inline]] static std::int64_t now() noexcept { return static_cast<std::int64_t>(__rdtsc()); }
};

/// CLOCK_MONOTONIC in nanoseconds. (Summing seconds and nanoseconds up apart would spare two multiplications,
/// but compilers load both at once then, which waits for the clock's two stores.)
struct clock_gettime {
    static constexpr char const* name = "clock_gettime";

    [[gnu::always_inline]] static std::int64_t now() noexcept {
        std::timespec time;
        ::clock_gettime(CLOCK_MONOTONIC, &time);
        return time.tv_sec * 1'000'000'000 + time.tv_nsec;
    }
};

}  // namespace benchmarks
