// What is known to differ, written twice: over MPI_Comm, or with -DWRAPPED over a profiled communicator that
// is off. And with -DONE_MORE_INSTRUCTION what must be seen to differ.
#ifdef WRAPPED
#include <mpiprof/raw.hpp>
using communicator = mpiprof::profiled<mpiprof::raw_communicator, mpiprof::off>;
#else
#include <mpi.h>
using communicator = MPI_Comm;
#endif

// The request keeps MPI's code of the call that made it, which a bare handle does not.
extern "C" int request_beside_a_bare_handle(communicator world, double* values, int n, int peer) {
#ifdef WRAPPED
    auto posted = world.irecv(values, n, MPI_DOUBLE, peer, 7);
    return posted.wait();
#else
    MPI_Request posted = MPI_REQUEST_NULL;
    MPI_Irecv(values, n, MPI_DOUBLE, peer, 7, world, &posted);
    return MPI_Wait(&posted, MPI_STATUS_IGNORE);
#endif
}

// The one that is assigned was built elsewhere, and is taken from there.
extern "C" int request_assigned(communicator world, double* values, int n, int peer) {
#ifdef WRAPPED
    communicator::request posted;
    posted = world.irecv(values, n, MPI_DOUBLE, peer, 7);
    return posted.wait();
#else
    struct {
        MPI_Request handle = MPI_REQUEST_NULL;
        int code;
    } posted;
    posted.code = MPI_Irecv(values, n, MPI_DOUBLE, peer, 7, world, &posted.handle);
    return MPI_Wait(&posted.handle, MPI_STATUS_IGNORE);
#endif
}

extern "C" int a_value(int value) {
#ifdef ONE_MORE_INSTRUCTION
    return value + 1;
#else
    return value;
#endif
}
