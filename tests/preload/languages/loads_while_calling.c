/* loads_while_calling LIBRARY: makes its first MPI call while another thread loads a library that calls MPI.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* load(void* path) { return dlopen(path, RTLD_NOW); }

int main(int argc, char** argv) {
    pthread_t thread;
    void* library;
    int flag, rank;
    if (argc != 2) return 2;
    pthread_create(&thread, NULL, load, argv[1]);
    usleep(100000);
    MPI_Initialized(&flag);
    pthread_join(thread, &library);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; ++i) MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d %s\n", rank, library ? "loaded it" : dlerror());
    return MPI_Finalize();
}
