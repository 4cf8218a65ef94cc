// MPI_Pcontrol, obeyed.
#pragma once

#include <mpi.h>

#ifndef MPIPROF_DISABLED
#include <mpiprof/run/control.hpp>
#endif

namespace mpiprof::inline v1::raw {

inline namespace MPIPROF_INTERNAL_SETTING {

#ifdef MPIPROF_DISABLED

inline constexpr auto* pcontrol = &MPI_Pcontrol;

#else

/// MPI_Pcontrol (MPI 3.1, section 14.2.4): level 0 pauses all recordings, 1 resumes them, 2 writes a
/// snapshot; other levels and all further arguments are left to others. It may be called at any time, and is
/// passed on to MPI while that runs. Returns MPI_SUCCESS.
template <class... Arguments>
int pcontrol(int level, Arguments... arguments) noexcept {
    int is_initialized = 0;
    int is_finalized = 0;
    PMPI_Initialized(&is_initialized);
    if (is_initialized != 0) PMPI_Finalized(&is_finalized);
    bool const running = is_initialized != 0 && is_finalized == 0;
    // Where MPI runs, the preload library sees the call that is passed on.
    if (level == 0) running ? mpiprof::detail::pause_own() : mpiprof::pause();
    if (level == 1) running ? mpiprof::detail::resume_own() : mpiprof::resume();
    if (level == 2) running ? mpiprof::detail::write_own_snapshot() : mpiprof::write_snapshot();
    if (running) MPI_Pcontrol(level, arguments...);
    return MPI_SUCCESS;
}

#endif

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1::raw
