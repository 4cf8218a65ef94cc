// Has the MPI library's tool library take the program's calls.
#pragma once

#include <mpiprof/preload/interface.hpp>

namespace mpiprof::inline v1::preload {

/// The tool library for this process's MPI library, which is loaded now if it was not before. nullptr where
/// there is none, or no MPI library (yet), or calls go past it, or a thread is loading it.
tool const* loaded_tool() noexcept;

/// Has the program's calls go to the tool library where they went past it: a program that is only linked with
/// the preload library begins so.
void start_wrapping() noexcept;

/// The MPI library's own function, "PMPI_Initialized"; nullptr where there is none. Loads nothing.
function_address real_function(char const* name) noexcept;

}  // namespace mpiprof::inline v1::preload
