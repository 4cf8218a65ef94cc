// An inline function that communicates.
#include <mpi.h>

[[gnu::always_inline]] inline int sum_of(int value) {
    int sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // mark allreduce
    return sum;
}
