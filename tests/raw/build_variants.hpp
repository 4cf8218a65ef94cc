// One source compiled in several ways, and linked into one program.
#pragma once

#include <vector>

namespace cases {

/// What a unit sees of mpiprof.
struct variant {
    char const* name;
    void const* (*process)();
    void const* (*recording)();
    /// Messages to itself by most kinds of calls; MPI's code of the first that failed.
    int (*exchange)();
};

/// All of them; tests/raw/BUILD.bazel has their options.
variant no_rtti();
variant cxx23();
variant optimized();

inline std::vector<variant> variants() { return {no_rtti(), cxx23(), optimized()}; }

}  // namespace cases
