// The ways to call MPI through mpiprof, each as a table of functions with MPI's own signatures, so that one
// scenario runs through all of them.
#pragma once

#include <mpi.h>
#include <mpiprof/raw/features.hpp>
#include <mpiprof/raw/role.hpp>

namespace oracle {

struct form {
    char const* name;
#define MPIPROF_FUNCTION(NAME, OBJECT, ...) decltype(&PMPI_##NAME) OBJECT;
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
};

/// raw::send(buffer, count, datatype, dest, tag, comm).
extern form const by_function;
/// world.send(buffer, count, datatype, dest, tag), and function objects where there is no communicator.
extern form const by_member;
/// Request objects, and typed calls where the datatype is MPI_INT or MPI_DOUBLE; members elsewhere. A request
/// stays where it was posted to. Of what takes lists of requests there is only waitall.
extern form const by_object;

#if MPIPROF_INTERNAL_LARGE_COUNTS
/// raw::send_c(buffer, count, datatype, dest, tag, comm), wherever a function has large counts.
extern form const by_large_count;
#endif

/// Every array of counts or displacements in a scenario has room for as many, so that it can be made one of
/// large counts without knowing what it is for.
inline constexpr int widest = 8;

}  // namespace oracle
