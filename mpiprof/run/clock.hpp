// What a recording asks of its clock beside the time.
#pragma once

#include <mpiprof/core/concepts.hpp>

#include <string_view>

namespace mpiprof::inline v1::detail {

/// A timing policy's optional functions, or what stands for them.
template <timing_policy Timing>
struct clock_of {
    static void prepare() noexcept {
        if constexpr (requires { Timing::prepare(); }) Timing::prepare();
    }

    static void calibrate() noexcept {
        if constexpr (requires { Timing::calibrate(); }) Timing::calibrate();
    }

    /// Takes the clock that every machine has, where the policy can.
    static void fall_back() noexcept {
        if constexpr (requires { Timing::fall_back(); }) Timing::fall_back();
    }

    /// The clock that is really read.
    static char const* source() noexcept {
        if constexpr (requires { Timing::source(); }) return Timing::source();
        else return Timing::name;
    }

    /// Is another clock read than the policy's name says?
    static bool falls_back() noexcept { return std::string_view{source()} != Timing::name; }

    /// Nanoseconds in a tick, to one part in 10^8.
    static double rate() noexcept {
        constexpr auto many = std::int64_t{1} << 30;
        auto const nanoseconds = Timing::nanoseconds(0, static_cast<typename Timing::time_point>(many));
        return static_cast<double>(nanoseconds) / static_cast<double>(many);
    }
};

}  // namespace mpiprof::inline v1::detail
