/* Defines functions of MPI itself, as tests of MPI libraries do, and calls MPI's by their other names. */
#include <mpi.h>
#include <stdio.h>

static int wrapped;

int MPI_Allreduce(void const* out, void* in, int number, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    ++wrapped;
    return PMPI_Allreduce(out, in, number, type, op, comm);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    ++wrapped;
    return PMPI_Wait(request, status);
}

int main(int argc, char** argv) {
    int rank = 0, size = 0, sum = 0, in = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Irecv(&in, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: sum %d, got %d, %d wrapped\n", rank, sum, in, wrapped);
    return MPI_Finalize();
}
