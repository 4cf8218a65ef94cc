/* Threads that send, receive and reduce at once, each on a communicator of its own, while the main thread
 * does too. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { threads = 3, loops = 200 };

struct work {
    MPI_Comm comm;
    long long sum;
};

static void* communicate(void* argument) {
    struct work* const work = argument;
    int rank = 0, size = 0;
    MPI_Comm_rank(work->comm, &rank);
    MPI_Comm_size(work->comm, &size);
    for (int i = 0; i < loops; ++i) {
        int out = rank + i, in = 0, all = 0;
        MPI_Request requests[2];
        MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, i, work->comm, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, i, work->comm, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (i % 10 == 0) MPI_Allreduce(&in, &all, 1, MPI_INT, MPI_SUM, work->comm);
        work->sum += in + all;
    }
    return NULL;
}

int main(int argc, char** argv) {
    int rank = 0, provided = 0;
    struct work work[threads + 1];
    pthread_t ids[threads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided != MPI_THREAD_MULTIPLE) printf("no threads here\n");
    for (int i = 0; i <= threads; ++i) {
        work[i].sum = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &work[i].comm);
    }
    if (provided == MPI_THREAD_MULTIPLE) {
        for (int i = 0; i < threads; ++i) pthread_create(&ids[i], NULL, communicate, &work[i]);
        communicate(&work[threads]);
        for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
    }
    for (int i = 0; i <= threads; ++i) {
        printf("rank %d, thread %d: %lld\n", rank, i, work[i].sum);
        MPI_Comm_free(&work[i].comm);
    }
    return MPI_Finalize();
}
