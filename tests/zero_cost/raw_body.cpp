// Functions over the C API, written once: over MPI_Comm, or with -DWRAPPED over a profiled communicator that
// is off.
#ifdef WRAPPED
#include <mpiprof/raw.hpp>
using comm = mpiprof::profiled<mpiprof::raw_communicator, mpiprof::off>;
#define CALL(MPI_NAME, MEMBER, ...) world.MEMBER(__VA_ARGS__)
#else
#include <mpi.h>
using comm = MPI_Comm;
#define CALL(MPI_NAME, MEMBER, ...) MPI_NAME(__VA_ARGS__, world)
#endif

extern "C" int send_one(comm world, double const* values, int n, int dest) {
    return CALL(MPI_Send, send, values, n, MPI_DOUBLE, dest, 7);
}

extern "C" int sum_in_a_loop(comm world, double* values, int times) {
    double sum = 0;
    for (int i = 0; i < times; ++i) {
        if (int const code = CALL(MPI_Allreduce, allreduce, values + i, &sum, 1, MPI_DOUBLE, MPI_SUM))
            return code;
        values[i] = sum;
    }
    return MPI_SUCCESS;
}

#ifdef ONE_MORE_INSTRUCTION
extern "C" int a_value(int value) { return value + 1; }
#else
extern "C" int a_value(int value) { return value; }
#endif
