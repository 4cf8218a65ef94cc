/* Every nonblocking collective once, completed by a wait for all of them in the end. */
#include <mpi.h>
#include <stdio.h>

enum { most = 16, kinds = 17, place = 2 * most };

int main(int argc, char** argv) {
    static int out[kinds][place], in[kinds][place];
    int rank = 0, size = 0, used = 0, numbers[most], places[most], bytes[most];
    MPI_Request requests[kinds];
    MPI_Datatype types[most];
    MPI_Comm const world = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    for (int i = 0; i < size; ++i) {
        numbers[i] = 1 + i % 2;
        places[i] = 2 * i;
        bytes[i] = 2 * i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    for (int k = 0; k < kinds; ++k) {
        for (int i = 0; i < place; ++i) out[k][i] = 1000 * k + 100 * rank + i;
    }
    int const mine = numbers[rank];
    /* What a rank sends to each is as long as what each sends to it, for the exchanges with lengths. */
    int same[most];
    for (int i = 0; i < size; ++i) same[i] = 1;

#define NEXT out[used], in[used]
#define REQUEST &requests[used]
    MPI_Ibarrier(world, REQUEST), ++used;
    MPI_Ibcast(rank == 0 ? out[used] : in[used], 3, MPI_INT, 0, world, REQUEST), ++used;
    MPI_Igather(out[used], 2, MPI_INT, in[used], 2, MPI_INT, 0, world, REQUEST), ++used;
    MPI_Igatherv(out[used], mine, MPI_INT, in[used], numbers, places, MPI_INT, 0, world, REQUEST), ++used;
    MPI_Iscatter(out[used], 1, MPI_INT, in[used], 1, MPI_INT, 0, world, REQUEST), ++used;
    MPI_Iscatterv(out[used], numbers, places, MPI_INT, in[used], mine, MPI_INT, 0, world, REQUEST), ++used;
    MPI_Iallgather(out[used], 1, MPI_INT, in[used], 1, MPI_INT, world, REQUEST), ++used;
    MPI_Iallgatherv(out[used], mine, MPI_INT, in[used], numbers, places, MPI_INT, world, REQUEST), ++used;
    MPI_Ialltoall(out[used], 1, MPI_INT, in[used], 1, MPI_INT, world, REQUEST), ++used;
    MPI_Ialltoallv(out[used], same, places, MPI_INT, in[used], same, places, MPI_INT, world, REQUEST), ++used;
    MPI_Ialltoallw(out[used], same, bytes, types, in[used], same, bytes, types, world, REQUEST), ++used;
    MPI_Ireduce(NEXT, 5, MPI_INT, MPI_SUM, 0, world, REQUEST), ++used;
    MPI_Iallreduce(NEXT, 6, MPI_INT, MPI_SUM, world, REQUEST), ++used;
    MPI_Ireduce_scatter(NEXT, numbers, MPI_INT, MPI_SUM, world, REQUEST), ++used;
    MPI_Ireduce_scatter_block(NEXT, 2, MPI_INT, MPI_SUM, world, REQUEST), ++used;
    MPI_Iscan(NEXT, 7, MPI_INT, MPI_SUM, world, REQUEST), ++used;
    MPI_Iexscan(NEXT, 8, MPI_INT, MPI_SUM, world, REQUEST), ++used;
    MPI_Waitall(used, requests, MPI_STATUSES_IGNORE);

    for (int k = 0; k < kinds; ++k) {
        long long sum = 0;
        for (int i = 0; i < place; ++i) sum += in[k][i];
        printf("rank %d, collective %d: %lld\n", rank, k, sum);
    }
    return MPI_Finalize();
}
