// The MPI library of this process.
#pragma once

#include <mpiprof/core/config.hpp>

#include <string>

namespace mpiprof::inline v1::preload {

/// An MPI library that is loaded.
struct mpi_library {
    /// As dlopen gives it; nullptr where the process has no MPI library.
    void* handle = nullptr;
    /// Its name for the linker: "libmpi.so.40".
    std::string soname = {};
};

/// A function of this name in any library of this process but the preload library; nullptr where there is
/// none.
void* find_function(char const* name);

/// Finds the MPI library of this process, wherever it was loaded to (RTLD_LOCAL too), if it has one.
mpi_library find_mpi_library();
}  // namespace mpiprof::inline v1::preload
