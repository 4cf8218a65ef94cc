// Functions over Boost.MPI, written once: over its communicator, or with -DWRAPPED over a profiled view that
// is off.
#ifdef WRAPPED
#include <mpiprof/boost_mpi.hpp>
using comm = mpiprof::profiled<boost::mpi::communicator, mpiprof::off>;
#else
#include <boost/mpi.hpp>
using comm = boost::mpi::communicator const&;
#endif

extern "C" void send_value(comm world, double value, int dest) { world.send(dest, 7, value); }

extern "C" void send_array(comm world, double const* values, int n, int dest) {
    world.send(dest, 7, values, n);
}

extern "C" int receive_value(comm world, int source, double* value) {
    return world.recv(source, 7, *value).source();
}
