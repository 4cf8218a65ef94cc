// What a program can say to all recordings of its process while it runs.
#pragma once

#include <mpiprof/core/config.hpp>

#include <string_view>

#ifndef MPIPROF_DISABLED
#include <mpiprof/run/phase_registry.hpp>
#include <mpiprof/run/preloaded.hpp>
#include <mpiprof/run/recording.hpp>
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

}  // namespace MPIPROF_INTERNAL_SETTING

namespace detail {

/// Does `act(recording)` for all recordings of this copy of the library.
template <class Act>
void for_each_recording(Act act) noexcept {
    MPIPROF_INTERNAL_TRY {
        auto& shared = process::instance();
        std::lock_guard const lock{shared.mutex};
        for (auto* const each : shared.recordings) act(*each);
    }
    MPIPROF_INTERNAL_CATCH_ALL {}
}

// The controls of this copy of the library, without the preload's.

inline void pause_own() noexcept {
    process::instance().paused = true;
    process::instance().starts_running = false;
    for_each_recording([](recording_base& each) { each.pause(); });
}

inline void resume_own() noexcept {
    process::instance().paused = false;
    for_each_recording([](recording_base& each) { each.resume(); });
}

inline void reset_own() noexcept {
    for_each_recording([](recording_base& each) { each.reset(); });
    MPIPROF_INTERNAL_TRY { phase_registry::instance().reset(); }
    MPIPROF_INTERNAL_CATCH_ALL {}
}

inline void write_own_snapshot() noexcept {
    if (auto const write = process::instance().hooks.write_snapshot) write();
}

/// In the preload's copy: calls are left to the copy of the library that counts them there (see
/// other_nestings). Returns false where there are too many copies.
inline bool add_nesting(std::ptrdiff_t distance) noexcept {
    bool const added = process::instance().nestings.add(distance);
    for_each_recording([](recording_base& each) { each.choose_calls(); });
    return added;
}

/// `name` is a string view without data where there is no name.
inline void begin_own_phase(std::string_view name) noexcept {
    MPIPROF_INTERNAL_TRY {
        auto& phases = phase_registry::instance();
        if (name.data() != nullptr) return phases.begin(name);
        phases.begin_nameless();
        process::instance().tell("mpiprof: a phase was begun with no name (NULL); it is in no profile");
    }
    MPIPROF_INTERNAL_CATCH_ALL {}
}

inline void end_own_phase() noexcept { phase_registry::instance().end(); }

}  // namespace detail

inline namespace MPIPROF_INTERNAL_SETTING {

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
