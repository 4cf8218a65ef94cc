// The ways to call MPI through mpiprof, each as a table of functions with MPI's own signatures, so that one
// scenario runs through all of them.
#pragma once

#include <mpi.h>

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
/// stays where it was posted to. There is no waitany, testall and testany.
extern form const by_object;

}  // namespace oracle
