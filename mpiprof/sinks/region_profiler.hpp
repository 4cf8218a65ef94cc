// What a user's own profiler must be.
#pragma once

#include <mpiprof/core/config.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace mpiprof::inline v1::sinks {

/// What defines regions. Matches an object that gives a handle for a region's name, which is kept and
/// handed back for every stay in the region.
///
/// Laws: `define` is called once for each region, by one thread at a time, and may allocate; all else is
/// called by any number of threads at once. None throws or calls MPI. The name lives as long as the call.
template <class T>
concept defines_regions = requires(T& profiler, std::string_view name) {
    { profiler.define(name) } noexcept -> std::semiregular;
};

/// The handle of such a profiler.
template <defines_regions T>
using region_handle = decltype(std::declval<T&>().define(std::string_view{}));

/// A profiler that takes times. Matches an object that is told of each call after it, on the thread that made
/// it: `begin(handle, time)`, then `end(handle, time)`. Times are ticks of the instrumentation's clock, with
/// timing::steady nanoseconds of std::chrono::steady_clock.
template <class T>
concept region_profiler =
    defines_regions<T> && requires(T& profiler, region_handle<T> region, std::int64_t time) {
        { profiler.begin(region, time) } noexcept;
        { profiler.end(region, time) } noexcept;
    };

/// A region_profiler that also wants requests that completed: `complete(handle, posted, observed)`. They
/// overlap with other regions.
template <class T>
concept request_profiler =
    region_profiler<T> && requires(T& profiler, region_handle<T> region, std::int64_t time) {
        { profiler.complete(region, time, time) } noexcept;
    };

/// A profiler that reads a clock of its own. Matches an object that is told of each call when it begins and
/// when it has ended: `push(handle)`, then `pop()` on the same thread. Since a call's bytes, peer, root and
/// tag are not known before it, they are -1 in the names of these regions.
template <class T>
concept live_region_profiler = defines_regions<T> && requires(T& profiler, region_handle<T> region) {
    { profiler.push(region) } noexcept;
    { profiler.pop() } noexcept;
};

}  // namespace mpiprof::inline v1::sinks
