/* large_counts [c]: the same calls by the functions for large counts, or by those with int. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int const large = argc > 1;
    int rank, values[3] = {1, 2, 3}, sums[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (large) {
        if (rank == 0) MPI_Send_c(values, 3, MPI_INT, 1, 1, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv_c(values, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast_c(values, 3, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Allreduce_c(values, sums, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    } else {
        if (rank == 0) MPI_Send(values, 3, MPI_INT, 1, 1, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(values, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast(values, 3, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Allreduce(values, sums, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    printf("%d %d %d %d\n", rank, sums[0], sums[1], sums[2]);
    return MPI_Finalize();
}
