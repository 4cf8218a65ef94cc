// A bundle of one timing, one byte and one sink policy.
#pragma once

#include <mpiprof/core/concepts.hpp>

namespace mpiprof::inline v1 {

namespace detail {

/// A sink takes records unless it says `enabled = false`.
template <class Sink>
inline constexpr bool sink_enabled = true;

template <class Sink>
    requires requires { requires !Sink::enabled; }
inline constexpr bool sink_enabled<Sink> = false;

}  // namespace detail

inline namespace MPIPROF_INTERNAL_SETTING {

#ifdef MPIPROF_DISABLED

/// Nothing is recorded, whatever the policies. They need only be declared.
template <class Timing, class Bytes, class Sink>
struct instrumentation {
    using timing = Timing;
    using bytes = Bytes;
    using sink = Sink;

    static constexpr bool enabled = false;
    static constexpr bool sizes = false;
    static constexpr bool arrivals = false;
    static constexpr bool serialized = false;
};

#else

/// The three strategies that a profiled communicator is made with. Without a sink nothing is measured or
/// counted, and a wrapped call compiles to the plain one.
template <timing_policy Timing, byte_policy Bytes, sink Sink>
struct instrumentation {
    using timing = Timing;
    using bytes = Bytes;
    using sink = Sink;

    static constexpr bool enabled = detail::sink_enabled<Sink>;
    /// Sizes of what is sent are asked for.
    static constexpr bool sizes = enabled && Bytes::sizes;
    /// Sizes and sources of what arrived are asked for.
    static constexpr bool arrivals = enabled && Bytes::arrivals;
    /// Serialised values are counted where their archive is not at hand.
    static constexpr bool serialized = enabled && Bytes::serialized;
};

#endif

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1
