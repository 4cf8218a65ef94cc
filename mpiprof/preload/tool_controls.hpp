// The controls of a tool library's own recording, for the preload library.
#pragma once

#include <mpiprof/run/own_recordings.hpp>
#include <mpiprof/run/parse_settings.hpp>
#include <mpiprof/run/preloaded.hpp>

#include <cstdint>

namespace mpiprof::inline v1::preload {

namespace detail {

inline void resume() noexcept {
    // Also if it has not begun yet: then whoever says so knows the settings.
    process::instance().starts_running = true;
    mpiprof::detail::resume_own();
}

inline std::uint64_t scoped_phase_begin(char const* name, std::size_t size) noexcept {
    MPIPROF_INTERNAL_TRY { return phase_registry::instance().begin_scoped({name, size}); }
    MPIPROF_INTERNAL_CATCH_ALL { return 0; }
}

inline bool is_paused() noexcept {
    MPIPROF_INTERNAL_TRY {
        auto& shared = process::instance();
        std::lock_guard const lock{shared.mutex};
        if (!shared.recordings.empty()) return shared.recordings.front()->paused();
        return shared.paused || (!shared.starts_running && environment_settings().start_paused);
    }
    MPIPROF_INTERNAL_CATCH_ALL { return false; }
}

inline void add_nesting(std::ptrdiff_t distance) noexcept {
    if (mpiprof::detail::add_nesting(distance)) return;
    MPIPROF_INTERNAL_TRY {
        process::instance().tell("mpiprof: too many copies of mpiprof are in the program; calls count twice");
    }
    MPIPROF_INTERNAL_CATCH_ALL {}
}

}  // namespace detail

/// What of the preload's interface is the tool library's.
inline constexpr preload_interface tool_controls{
    .pause = &mpiprof::detail::pause_own,
    .resume = &detail::resume,
    .reset = &mpiprof::detail::reset_own,
    .write_snapshot = &mpiprof::detail::write_own_snapshot,
    .phase_begin = [](char const* name,
                      std::size_t size) noexcept { mpiprof::detail::begin_own_phase({name, size}); },
    .phase_end = &mpiprof::detail::end_own_phase,
    .scoped_phase_begin = &detail::scoped_phase_begin,
    .scoped_phase_end = [](std::uint64_t ticket) noexcept { phase_registry::instance().end(ticket); },
    .add_nesting = &detail::add_nesting,
    .is_paused = &detail::is_paused,
};

}  // namespace mpiprof::inline v1::preload
