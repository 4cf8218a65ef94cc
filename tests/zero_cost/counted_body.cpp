// A program of many calls, whose instructions are counted: over MPI's functions, or with -DWRAPPED over a
// profiled communicator and function objects, profiling on or off as it is compiled. It is linked with an MPI
// that does nothing.
#ifdef WRAPPED
#include <mpiprof/raw.hpp>
using communicator = decltype(mpiprof::profile(MPI_COMM_WORLD));
#define CALL(NAME, OPERATION, BEFORE, ...) world.OPERATION(ARGUMENTS BEFORE __VA_OPT__(, ) __VA_ARGS__)
#define OBJECT(NAME, OPERATION) mpiprof::raw::OPERATION
#else
#include <mpi.h>
using communicator = MPI_Comm;
#define CALL(NAME, OPERATION, BEFORE, ...) MPI_##NAME(ARGUMENTS BEFORE, world __VA_OPT__(, ) __VA_ARGS__)
#define OBJECT(NAME, OPERATION) MPI_##NAME
#endif
#define ARGUMENTS(...) __VA_ARGS__

#include <cstdio>
#include <cstdlib>
#include <cstring>

/// How often the MPI that does nothing was called.
extern "C" long calls;

namespace {

double values[8];

// One call of MPI each, but the last.
#define KIND extern "C" [[gnu::noinline]] void

KIND send(communicator world, int times) {
    for (int i = 0; i < times; ++i) CALL(Send, send, (values, 8, MPI_DOUBLE, 1, 7));
}

KIND recv(communicator world, int times) {
    MPI_Status status;
    for (int i = 0; i < times; ++i) CALL(Recv, recv, (values, 8, MPI_DOUBLE, 1, 7), &status);
}

KIND allreduce(communicator world, int times) {
    for (int i = 0; i < times; ++i) CALL(Allreduce, allreduce, (values, values + 1, 1, MPI_DOUBLE, MPI_SUM));
}

KIND function_object(communicator, int times) {
    for (int i = 0; i < times; ++i) OBJECT(Bcast, bcast)(values, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

KIND requests(communicator world, int times) {
    MPI_Request posted[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int i = 0; i < times; ++i) {
        CALL(Irecv, irecv, (values, 8, MPI_DOUBLE, 1, 7), &posted[0]);
        CALL(Isend, isend, (values, 8, MPI_DOUBLE, 1, 7), &posted[1]);
        OBJECT(Waitall, waitall)(2, posted, MPI_STATUSES_IGNORE);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return EXIT_FAILURE;
    int const times = std::atoi(argv[2]);
    communicator const world{MPI_COMM_WORLD};
#define RUN(NAME)                                                                                            \
    if (std::strcmp(argv[1], #NAME) == 0 || std::strcmp(argv[1], "all") == 0) NAME(world, times)
    RUN(send);
    RUN(recv);
    RUN(allreduce);
    RUN(function_object);
    RUN(requests);
#ifdef ONE_MORE_INSTRUCTION
    asm volatile("nop");
#endif
    std::printf("%ld\n", calls);
}
