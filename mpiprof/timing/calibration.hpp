// How the ticks of one clock stand to the nanoseconds of another.
#pragma once

#include <mpiprof/core/config.hpp>

#include <atomic>
#include <cstdint>

namespace mpiprof::inline v1::timing {

/// Ticks and nanoseconds at one moment.
struct clock_pair {
    std::int64_t ticks = 0;
    std::int64_t nanoseconds = 0;
};

/// Nanoseconds per tick, from two moments far apart. It may be read while it is set.
class calibration {
  public:
    /// Takes the rate between two moments. Does nothing where no time has passed.
    void set(clock_pair from, clock_pair to) noexcept {
        if (to.ticks <= from.ticks || to.nanoseconds <= from.nanoseconds) return;
        auto const passed = static_cast<wide>(to.nanoseconds - from.nanoseconds) << fraction;
        rate_.store(static_cast<std::int64_t>(passed / (to.ticks - from.ticks)), std::memory_order_relaxed);
    }

    /// Ticks are nanoseconds.
    void set_one() noexcept { rate_.store(std::int64_t{1} << fraction, std::memory_order_relaxed); }

    /// In units of 2^-40 ns per tick; 0 where it is not known.
    [[gnu::always_inline]] std::int64_t get() const noexcept { return rate_.load(std::memory_order_relaxed); }

    /// Ticks in nanoseconds, rounded down.
    [[gnu::always_inline]] static std::int64_t nanoseconds(std::int64_t ticks, std::int64_t rate) noexcept {
        return static_cast<std::int64_t>(static_cast<wide>(ticks) * rate >> fraction);
    }

  private:
    __extension__ using wide = __int128;
    // Fine enough for one part in 10^11 at 4 GHz, and with room for a tick of 2^23 ns.
    static constexpr int fraction = 40;

    std::atomic<std::int64_t> rate_{0};
};

}  // namespace mpiprof::inline v1::timing
