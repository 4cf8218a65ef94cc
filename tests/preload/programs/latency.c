/* Ping-pong and streams of messages between two ranks, in sizes from 0 to 64 KiB; what MPI benchmarks do. */
#include <mpi.h>
#include <stdio.h>

enum { largest = 1 << 16, warm_up = 10, loops = 100, window = 16 };

static char out[largest], in[largest];

static void ping_pong(int rank, int size) {
    for (int i = 0; i < warm_up + loops; ++i) {
        if (rank == 0) {
            MPI_Send(out, size, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(in, size, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(in, size, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, size, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
}

static void stream(int rank, int size) {
    MPI_Request requests[window];
    MPI_Status statuses[window];
    for (int i = 0; i < window; ++i) {
        if (rank == 0) MPI_Isend(out, size, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &requests[i]);
        else MPI_Irecv(in, size, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(window, requests, statuses);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void exchange(int rank, int size) {
    MPI_Sendrecv(out, size, MPI_CHAR, 1 - rank, 3, in, largest, MPI_CHAR, 1 - rank, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(in, size, MPI_CHAR, 1 - rank, 4, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The same message by persistent requests. */
static void repeat(int rank, int size) {
    MPI_Request requests[2];
    MPI_Send_init(out, size, MPI_CHAR, 1 - rank, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, largest, MPI_CHAR, 1 - rank, 5, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; ++i) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int size = 0; size <= largest; size = size ? 4 * size : 1) {
        ping_pong(rank, size);
        stream(rank, size);
        exchange(rank, size);
        repeat(rank, size);
        if (rank == 0) printf("%d bytes: done\n", size);
    }
    return MPI_Finalize();
}
