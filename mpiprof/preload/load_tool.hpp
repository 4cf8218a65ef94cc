// Has the MPI library's tool library take the program's calls.
#pragma once

#include <mpiprof/preload/interface.hpp>

namespace mpiprof::inline v1::preload {

/// The tool library for this process's MPI library, which is loaded now if it was not before. nullptr where
/// there is none, or no MPI library (yet), or calls go past it.
tool const* loaded_tool() noexcept;

/// Whether the program's calls go past the tool library, which then is not loaded. They do at first where the
/// program is linked with the preload library only.
void pass_through(bool whether) noexcept;

/// The MPI library's own function, "PMPI_Initialized"; nullptr where there is none. Loads nothing.
function_address real_function(char const* name) noexcept;

}  // namespace mpiprof::inline v1::preload
