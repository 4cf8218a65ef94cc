/* Another tool for LD_PRELOAD, as MPI's profiling interface means them: counts two of MPI's functions, and
 * calls on. */
#include <mpi.h>
#include <stdio.h>

static int inits, sends;

int MPI_Init(int* argc, char*** argv) {
    ++inits;
    return PMPI_Init(argc, argv);
}

int MPI_Send(void const* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm comm) {
    ++sends;
    return PMPI_Send(buffer, count, type, destination, tag, comm);
}

/* In every process that the tool is loaded into; only programs with MPI are to show it. */
__attribute__((destructor)) static void print(void) {
    int finalized;
    PMPI_Finalized(&finalized);
    if (finalized) printf("the tool counted %d, %d\n", inits, sends);
}
