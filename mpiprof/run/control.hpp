// What a program can say to all recordings of its process while it runs.
#pragma once

#include <mpiprof/core/config.hpp>

#include <string_view>

#ifndef MPIPROF_DISABLED
#include <mpiprof/run/own_recordings.hpp>
#include <mpiprof/run/preloaded.hpp>
#endif

namespace mpiprof::inline v1 {

inline namespace MPIPROF_INTERNAL_SETTING {

#ifdef MPIPROF_DISABLED

constexpr void pause() noexcept {}
constexpr void resume() noexcept {}
constexpr void reset() noexcept {}
constexpr void write_snapshot() noexcept {}
constexpr void phase_begin(std::string_view) noexcept {}
constexpr void phase_end() noexcept {}

#else

/// Stops recording, in all recordings that there are and in those that begin later, until `resume`. Requests
/// that were posted before complete as ever, and their completions go unrecorded.
inline void pause() noexcept {
    detail::pause_own();
    if (auto const* const preload = detail::preloaded()) preload->pause();
}

/// Goes on recording after `pause`, or after a start that was paused.
inline void resume() noexcept {
    detail::resume_own();
    if (auto const* const preload = detail::preloaded()) preload->resume();
}

/// Forgets what was recorded so far: the run starts now. Other threads may be recording. Requests that were
/// posted before still complete, and those completions are recorded; phases that threads are in count from
/// now on.
inline void reset() noexcept {
    detail::reset_own();
    if (auto const* const preload = detail::preloaded()) preload->reset();
}

/// Writes the results so far to files, of this process alone.
inline void write_snapshot() noexcept {
    detail::write_own_snapshot();
    if (auto const* const preload = detail::preloaded()) preload->write_snapshot();
}

/// The calling thread enters a phase, until `phase_end` on the same thread; `phase` is the better choice
/// where it ends with a block. Phases nest. Calls that are no pairs are counted, and told in the report.
inline void phase_begin(std::string_view name) noexcept {
    detail::begin_own_phase(name);
    if (auto const* const preload = detail::preloaded()) preload->phase_begin(name.data(), name.size());
}

/// The calling thread leaves the phase that it began last.
inline void phase_end() noexcept {
    detail::end_own_phase();
    if (auto const* const preload = detail::preloaded()) preload->phase_end();
}

#endif

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1
