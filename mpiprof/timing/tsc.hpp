// The processor's time-stamp counter.
#pragma once

#include <mpiprof/timing/calibration.hpp>
#include <mpiprof/timing/counter_register.hpp>
#include <mpiprof/timing/steady.hpp>

namespace mpiprof::inline v1::timing {

/// Ticks of the time-stamp counter (x86-64: rdtsc; aarch64: cntvct_el0), read in a third of the time of
/// `steady`. Where the processor has no invariant one, or the kernel has found it unstable, ticks are those
/// of `steady`.
///
/// The rate is that of CLOCK_MONOTONIC between the first reading and the last calibration, so nothing waits
/// for it (but 10 us for a first rate). An interval within the calibrated time is off by at most 200 ns plus
/// one part in 10^5 (the kernel may slew CLOCK_MONOTONIC within it); `duration` of a call, by the calibration
/// known when it ended, which a recording makes when MPI runs.
struct tsc {
    using time_point = std::int64_t;
    static constexpr bool enabled = true;
    static constexpr char const* name = "tsc";

    [[gnu::always_inline]] static time_point now() noexcept {
        if (state_.load(std::memory_order_relaxed) == state::counter) [[likely]]
            return detail::counter_register::read();
        return other_now();
    }

    /// By the last calibration.
    static std::int64_t nanoseconds(time_point from, time_point to) noexcept {
        prepare();
        auto const rate = rate_.get();
        return calibration::nanoseconds(to, rate) - calibration::nanoseconds(from, rate);
    }

    /// The same, for times that were read here: without asking whether the rate is known.
    [[gnu::always_inline]] static std::int64_t estimate(time_point from, time_point to) noexcept {
        return calibration::nanoseconds(to - from, rate_.get());
    }

    /// Takes the first reading, if nobody has, and a first rate, good to a part in 10^2.
    static void prepare() noexcept {
        if (state_.load(std::memory_order_acquire) == state::unknown) decide();
    }

    /// From now on ticks are those of `steady`. Before the first reading that is kept.
    static void fall_back() noexcept {
        prepare();
        state_.store(state::steady, std::memory_order_relaxed);
        rate_.set_one();
    }

    /// Takes the rate from the first reading to now. Intervals keep their ticks; their nanoseconds change by
    /// what the rate was wrong.
    static void calibrate() noexcept {
        prepare();
        if (state_.load(std::memory_order_relaxed) == state::counter) rate_.set(first_, read_both());
    }

    /// The clock that is read: "tsc", or "steady".
    static char const* source() noexcept {
        prepare();
        return state_.load(std::memory_order_relaxed) == state::counter ? name : steady::name;
    }

  private:
    enum class state : unsigned char { unknown, counter, steady };

    [[gnu::cold, gnu::noinline]] static time_point other_now() noexcept {
        prepare();
        return state_.load(std::memory_order_relaxed) == state::counter ? detail::counter_register::read()
                                                                        : steady::now();
    }

    [[gnu::cold, gnu::noinline]] static void decide() noexcept {
        static bool const decided = [] {
            bool const usable = detail::counter_register::usable();
            if (usable) take_first_rate();
            else rate_.set_one();
            state_.store(usable ? state::counter : state::steady, std::memory_order_release);
            return true;
        }();
        static_cast<void>(decided);
    }

    static void take_first_rate() noexcept {
        constexpr std::int64_t enough = 10'000;
        first_ = read_both();
        auto now = first_;
        while (now.nanoseconds - first_.nanoseconds < enough) now = read_both();
        rate_.set(first_, now);
    }

    /// Both clocks at one moment: of several tries the one that nothing came between.
    static clock_pair read_both() noexcept {
        clock_pair best;
        std::int64_t shortest = INT64_MAX;
        for (int i = 0; i < 8; ++i) {
            auto const before = detail::counter_register::read();
            auto const nanoseconds = steady::now();
            auto const after = detail::counter_register::read();
            if (after - before >= shortest) continue;
            shortest = after - before;
            best = {before + shortest / 2, nanoseconds};
        }
        return best;
    }

    static inline constinit std::atomic<state> state_{state::unknown};
    static inline constinit calibration rate_{};
    static inline constinit clock_pair first_{};
};

static_assert(timing_policy<tsc>);

}  // namespace mpiprof::inline v1::timing
