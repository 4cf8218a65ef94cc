// Defines, in the one unit of a program that includes it, the functions that <mpiprof/control.h> and the
// Fortran interface reach: C and Fortran parts of the program control the recordings of its C++ parts.
#pragma once

#include <mpiprof/run/control.hpp>

// Under other names, so that a unit may include <mpiprof/control.h> too.
extern "C" {

void mpiprof_defined_pause() noexcept __asm__("mpiprof_pause");
void mpiprof_defined_resume() noexcept __asm__("mpiprof_resume");
void mpiprof_defined_reset() noexcept __asm__("mpiprof_reset");
void mpiprof_defined_write_snapshot() noexcept __asm__("mpiprof_write_snapshot");
void mpiprof_defined_phase_begin(char const* name) noexcept __asm__("mpiprof_phase_begin");
void mpiprof_defined_phase_end() noexcept __asm__("mpiprof_phase_end");

void mpiprof_defined_pause() noexcept { mpiprof::pause(); }
void mpiprof_defined_resume() noexcept { mpiprof::resume(); }
void mpiprof_defined_reset() noexcept { mpiprof::reset(); }
void mpiprof_defined_write_snapshot() noexcept { mpiprof::write_snapshot(); }
void mpiprof_defined_phase_begin(char const* name) noexcept {
    mpiprof::phase_begin(name == nullptr ? std::string_view{} : std::string_view{name});
}
void mpiprof_defined_phase_end() noexcept { mpiprof::phase_end(); }
}
