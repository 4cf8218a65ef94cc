/* A message by each mode of sending, each of another size: 2048, 4096, … 16384 bytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { unit = 2048, modes = 8 };

static void send_all(char const* data) {
    int const size = modes * (unit + MPI_BSEND_OVERHEAD) * 2;
    void* buffer = malloc((size_t)size);
    int buffer_size = 0;
    MPI_Request request;
    MPI_Buffer_attach(buffer, size);
    MPI_Bsend(data, 1 * unit, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Ibsend(data, 2 * unit, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* The ready modes come when their receives are posted. */
    MPI_Recv(NULL, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irsend(data, 3 * unit, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(data, 4 * unit, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Issend(data, 5 * unit, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rsend(data, 6 * unit, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Send(data, 7 * unit, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Ssend(data, 8 * unit, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Buffer_detach(&buffer, &buffer_size);
    free(buffer);
}

static void receive_all(void) {
    static char data[modes][modes * unit];
    MPI_Request requests[modes];
    MPI_Status statuses[modes];
    for (int i = 0; i < modes; ++i)
        MPI_Irecv(data[i], modes * unit, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Send(NULL, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    MPI_Waitall(modes, requests, statuses);
    for (int i = 0; i < modes; ++i) {
        int size = 0;
        MPI_Get_count(&statuses[i], MPI_CHAR, &size);
        printf("message %d: %d bytes, the last is %d\n", i, size, data[i][size - 1]);
    }
}

int main(int argc, char** argv) {
    static char data[modes * unit];
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < modes * unit; ++i) data[i] = (char)(i / unit);
    if (rank == 0) send_all(data);
    if (rank == 1) receive_all();
    return MPI_Finalize();
}
