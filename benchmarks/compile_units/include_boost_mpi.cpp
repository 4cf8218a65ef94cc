// Nothing but the include.
#ifdef PLAIN
#include <boost/mpi.hpp>
#else
#include <mpiprof/boost_mpi.hpp>
#endif

int communicators() { return MPI_COMM_WORLD != MPI_COMM_SELF; }
