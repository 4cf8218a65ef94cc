/* Collectives of neighbours on a ring, a grid with edges and a graph. */
#include <mpi.h>
#include <stdio.h>

enum { most = 8 };

static void on_ring(int rank, int size) {
    int const sources[] = {(rank + size - 1) % size, (rank + 1) % size};
    int const numbers[] = {2, 2}, places[] = {0, 2};
    int const out[] = {rank, -rank};
    int in[4] = {0};
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, sources, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_allgatherv(out, 2, MPI_INT, in, numbers, places, MPI_INT, ring);
    printf("rank %d, ring: %d %d %d %d\n", rank, in[0], in[1], in[2], in[3]);
    MPI_Comm_free(&ring);
}

static void on_grid(int rank, int size) {
    int const sizes[] = {size, 1}, periods[] = {0, 1};
    int const out[] = {rank, rank + 1, rank + 2, rank + 3};
    int in[4] = {-1, -1, -1, -1}, gathered[4] = {-1, -1, -1, -1};
    MPI_Request request;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
    MPI_Ineighbor_allgather(out, 1, MPI_INT, gathered, 1, MPI_INT, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* The second dimension has this rank alone on both sides, and libraries differ in which is which. */
    printf("rank %d, grid: %d %d, both %d; %d %d %d %d\n", rank, in[0], in[1], in[2] + in[3], gathered[0],
           gathered[1], gathered[2], gathered[3]);
    MPI_Comm_free(&grid);
}

/* A star around rank 0. */
static void on_graph(int rank, int size) {
    int index[most], edges[2 * most], numbers[most], places[most], out[most], in[most] = {0};
    for (int i = 0; i < size; ++i) {
        index[i] = size - 1 + i;
        if (i > 0) {
            edges[i - 1] = i;
            edges[size - 2 + i] = 0;
        }
        numbers[i] = 1;
        places[i] = i;
        out[i] = 10 * rank + i;
    }
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
    MPI_Neighbor_alltoallv(out, numbers, places, MPI_INT, in, numbers, places, MPI_INT, graph);
    printf("rank %d, graph: %d %d %d\n", rank, in[0], in[1], in[2]);
    MPI_Comm_free(&graph);
}

int main(int argc, char** argv) {
    int rank = 0, size = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    on_ring(rank, size);
    on_grid(rank, size);
    on_graph(rank, size);
    return MPI_Finalize();
}
