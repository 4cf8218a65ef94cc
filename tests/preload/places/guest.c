/* The plug-in. */
#include <mpi.h>

int run(void) {
    MPI_Init(0, 0); // mark init
    MPI_Barrier(MPI_COMM_WORLD); // mark barrier
    int const error = MPI_Finalize();
    return error;
}
