// Has the MPI library's tool library take the program's calls.
#pragma once

#include <mpiprof/preload/interface.hpp>

namespace mpiprof::inline v1::preload {

/// The tool library for this process's MPI library, which is loaded now if it was not before. nullptr where
/// there is none, or no MPI library (yet).
tool const* loaded_tool() noexcept;

/// The MPI library's own function, "PMPI_Initialized"; nullptr where there is none. Loads nothing.
function_address real_function(char const* name) noexcept;

}  // namespace mpiprof::inline v1::preload
