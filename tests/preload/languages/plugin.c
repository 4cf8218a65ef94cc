/* A plugin that uses MPI, for plugin_host.c. */
#include <mpi.h>
#include <stdio.h>

int plugin_main(int argc, char** argv);

int plugin_main(int argc, char** argv) {
    int mine[3], yours[3] = {0}, sum, rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; ++i) mine[i] = rank + i;
    MPI_Irecv(yours, 3, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &request);
    MPI_Send(mine, 3, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&yours[2], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%d %d %d\n", rank, yours[0], sum);
    return MPI_Finalize();
}
