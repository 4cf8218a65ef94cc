// What a policy must be.
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/core/completion.hpp>

#include <concepts>
#include <cstdint>

namespace mpiprof::inline v1 {

/// A clock. Matches a type of static functions that reads the time.
///
/// `time_point` is an integer of ticks. Laws: on one thread `now()` never decreases; `nanoseconds(a, a)` is
/// 0; `nanoseconds(a, b)` is never negative for a read before b, and additive. `enabled` is false where no
/// time is taken. A clock whose ticks are no nanoseconds may have static functions, none of which throws:
/// `prepare()`, called before the first reading that is kept; `estimate(from, to)`, a quick `nanoseconds`;
/// `calibrate()`, called before results are read; `fall_back()`, which takes another clock where the user
/// wants that; `source()`, the name of the clock that is really read.
/// Satisfied by timing::none, timing::steady, timing::tsc.
template <class T>
concept timing_policy = requires(typename T::time_point from, typename T::time_point to) {
    requires std::integral<typename T::time_point>;
    { T::now() } noexcept -> std::same_as<typename T::time_point>;
    { T::nanoseconds(from, to) } noexcept -> std::same_as<std::int64_t>;
    { T::enabled } -> std::convertible_to<bool>;
    { T::name } -> std::convertible_to<char const*>;
};

namespace detail {

/// Nanoseconds from `from` to `to` as far as the clock knows them now.
template <timing_policy Timing>
[[gnu::always_inline]] inline std::int64_t estimated_nanoseconds(std::int64_t from,
                                                                 std::int64_t to) noexcept {
    using time_point = typename Timing::time_point;
    if constexpr (requires(time_point time) { Timing::estimate(time, time); })
        return Timing::estimate(static_cast<time_point>(from), static_cast<time_point>(to));
    else return Timing::nanoseconds(static_cast<time_point>(from), static_cast<time_point>(to));
}

}  // namespace detail

/// What is to be counted. Matches a type of constants that adapters obey: `sizes` (of what is sent, from the
/// arguments), `arrivals` (of what is received, from the status), `serialized` (of values whose archive size
/// is not free). An optional static `adjust(call&) noexcept` sees every record last. Law: with all three
/// false, every byte count in a record is 0. Satisfied by bytes::none, bytes::payload, bytes::serialized.
template <class T>
concept byte_policy = requires {
    { T::sizes } -> std::convertible_to<bool>;
    { T::arrivals } -> std::convertible_to<bool>;
    { T::serialized } -> std::convertible_to<bool>;
    { T::name } -> std::convertible_to<char const*>;
};

/// Where records go. Matches an object that takes each record once, after the call, on the thread that made
/// it.
///
/// Laws: `record` may be called by any number of threads at once; it neither allocates, locks nor calls MPI
/// once warm; it keeps no reference to the record. Optional: `complete(completion const&) noexcept`.
/// Satisfied by sinks::none, sinks::summary, sinks::callback, sinks::tally, sinks::region, sinks::fanout.
template <class T>
concept sink = requires(T& value, call const& record) {
    { value.record(record) } noexcept;
    { T::name } -> std::convertible_to<char const*>;
};

/// A sink that takes most records without calling any function: `record_quickly` does as `record` does, or
/// nothing, and then returns false.
template <class T>
concept quick_sink = sink<T> && requires(T& value, call const& record) {
    { value.record_quickly(record) } noexcept -> std::same_as<bool>;
};

/// A sink that wants completions too.
template <class T>
concept completion_sink = sink<T> && requires(T& value, completion const& record) {
    { value.complete(record) } noexcept;
};

/// A sink that wants to know of a call before it begins too: `enter(operation, communicator)` comes before
/// the first reading of the clock, and `leave()` after the second one, on the thread that makes the call.
/// They are in pairs, one in the other.
template <class T>
concept live_sink = sink<T> && requires(T& value, operation which, communicator_id communicator) {
    { value.enter(which, communicator) } noexcept;
    { value.leave() } noexcept;
};

}  // namespace mpiprof::inline v1
