// Profiling of a part of a program that is linked with the preload library.
#pragma once

#include <mpiprof/core/config.hpp>

#ifndef MPIPROF_DISABLED
extern "C" {
void mpiprof_begin_profiling();
void mpiprof_end_profiling();
}
#endif

namespace mpiprof::inline v1 {

inline namespace MPIPROF_INTERNAL_SETTING {

#ifdef MPIPROF_DISABLED

class [[nodiscard]] scoped_profiling {
  public:
    constexpr scoped_profiling() noexcept = default;
    scoped_profiling(scoped_profiling const&) = delete;
    scoped_profiling& operator=(scoped_profiling const&) = delete;
    ~scoped_profiling() {}
};

#else

/// Records the process's MPI calls as long as it lives, those of all threads and whoever makes them:
///
///     {
///         mpiprof::scoped_profiling profiling;
///         solve(MPI_COMM_WORLD);
///     }
///
/// When the last one has ended, by an exception too, all is as it was before the first. A program that is
/// linked with the preload library (-Wl,--no-as-needed -lmpiprof_preload before MPI's), and not started with
/// it, is profiled nowhere else, and leaves no profile if it never makes one. It makes no MPI call, and does
/// nothing where MPI never runs.
class [[nodiscard]] scoped_profiling {
  public:
    scoped_profiling() noexcept { mpiprof_begin_profiling(); }
    scoped_profiling(scoped_profiling const&) = delete;
    scoped_profiling& operator=(scoped_profiling const&) = delete;
    ~scoped_profiling() { mpiprof_end_profiling(); }
};

#endif

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1
