// The controls of this copy of the library, without the preload's: on all recordings of the process.
#pragma once

#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/run/phase_registry.hpp>
#include <mpiprof/run/recording.hpp>

#include <cstddef>
#include <string_view>

namespace mpiprof::inline v1::detail {

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

inline void pause_own() noexcept {
    errno_kept const kept;
    process::instance().paused = true;
    process::instance().starts_running = false;
    for_each_recording([](recording_base& each) { each.pause(); });
}

inline void resume_own() noexcept {
    errno_kept const kept;
    process::instance().paused = false;
    for_each_recording([](recording_base& each) { each.resume(); });
}

inline void reset_own() noexcept {
    errno_kept const kept;
    for_each_recording([](recording_base& each) { each.reset(); });
    MPIPROF_INTERNAL_TRY { phase_registry::instance().reset(); }
    MPIPROF_INTERNAL_CATCH_ALL {}
}

inline void write_own_snapshot() noexcept {
    errno_kept const kept;
    if (auto const write = process::instance().hooks.write_snapshot) write();
}

/// In the preload's copy: calls are left to the copy of the library that counts them there (see
/// other_nestings). Returns false where there are too many copies.
inline bool add_nesting(std::ptrdiff_t distance) noexcept {
    errno_kept const kept;
    bool const added = process::instance().nestings.add(distance);
    for_each_recording([](recording_base& each) { each.choose_calls(); });
    return added;
}

/// `name` is a string view without data where there is no name.
inline void begin_own_phase(std::string_view name) noexcept {
    errno_kept const kept;
    MPIPROF_INTERNAL_TRY {
        auto& phases = phase_registry::instance();
        if (name.data() != nullptr) return phases.begin(name);
        phases.begin_nameless();
        process::instance().tell("mpiprof: a phase was begun with no name (NULL); it is in no profile");
    }
    MPIPROF_INTERNAL_CATCH_ALL {}
}

inline void end_own_phase() noexcept {
    errno_kept const kept;
    phase_registry::instance().end();
}

}  // namespace mpiprof::inline v1::detail
