// Nothing but the include.
#ifdef PLAIN
#include <mpi.h>
#else
#include <mpiprof/raw.hpp>
#endif

int communicators() { return MPI_COMM_WORLD != MPI_COMM_SELF; }
