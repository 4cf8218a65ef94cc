/* Messages and collectives between two groups of ranks, the first of one rank. */
#include <mpi.h>
#include <stdio.h>

enum { most = 16 };

int main(int argc, char** argv) {
    int rank = 0, size = 0, mine = 0, theirs = 0;
    int out[most], in[most] = {0};
    MPI_Comm half, between, merged;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int const first = rank == 0;
    for (int i = 0; i < most; ++i) out[i] = 10 * rank + i;

    MPI_Comm_split(MPI_COMM_WORLD, first, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, first ? 1 : 0, 7, &between);
    MPI_Comm_set_name(between, "between");
    MPI_Comm_size(between, &mine);
    MPI_Comm_remote_size(between, &theirs);

    if (first) MPI_Send(out, 5, MPI_INT, theirs - 1, 1, between);
    else if (rank == size - 1) MPI_Recv(in, most, MPI_INT, MPI_ANY_SOURCE, 1, between, MPI_STATUS_IGNORE);
    int const root = first ? MPI_ROOT : 0;
    MPI_Bcast(first ? out : in, 4, MPI_INT, root, between);
    MPI_Gather(out, 2, MPI_INT, in, 2, MPI_INT, root, between);
    MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, root, between);
    MPI_Reduce(out, in, 3, MPI_INT, MPI_SUM, root, between);
    MPI_Allreduce(out, in, 3, MPI_INT, MPI_SUM, between);
    MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, between);
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, between);
    MPI_Barrier(between);

    int sum = 0;
    for (int i = 0; i < most; ++i) sum += in[i];
    MPI_Intercomm_merge(between, first, &merged);
    MPI_Comm_rank(merged, &mine);
    MPI_Barrier(merged);
    printf("rank %d: %d in the merged one, sum %d\n", rank, mine, sum);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    return MPI_Finalize();
}
