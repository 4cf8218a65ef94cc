// A message as the C API describes it.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <mpi.h>

namespace mpiprof::inline v1::raw {

/// A message as the C API describes it.
struct message {
    void const* buffer;
    std::int64_t count;
    MPI_Datatype datatype;
};

}  // namespace mpiprof::inline v1::raw
