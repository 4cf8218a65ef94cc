// One source compiled in several ways, and linked into one program.
#pragma once

#include <mpiprof/raw.hpp>

#include <vector>

namespace cases {

using communicator = mpiprof::profiled<mpiprof::raw_communicator, mpiprof::default_instrumentation>;

/// What a unit sees of mpiprof.
struct variant {
    char const* name;
    void const* (*process)();
    void const* (*recording)();
    /// Messages over MPI_COMM_SELF by most kinds of calls; MPI's code of the first that failed.
    int (*exchange)(communicator const&);
};

/// All of them; tests/raw/BUILD.bazel has their options.
variant no_rtti();
variant cxx23();
variant optimized();
variant unity();
variant unity_again();

inline std::vector<variant> variants() { return {no_rtti(), cxx23(), optimized(), unity(), unity_again()}; }

}  // namespace cases
