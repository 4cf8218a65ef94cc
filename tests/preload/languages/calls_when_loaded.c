/* A library whose constructor calls MPI, slowly: the dynamic linker is locked meanwhile. */
#include <mpi.h>
#include <unistd.h>

__attribute__((constructor)) static void call(void) {
    int flag;
    usleep(300000);
    MPI_Initialized(&flag);
}
