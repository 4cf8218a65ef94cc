/* A plugin with a sequential stand-in for MPI, as numerical libraries bring one along: it has no PMPI
 * functions. */
#include <stdio.h>

int MPI_Init(int* argc, char*** argv);
int MPI_Comm_rank(int comm, int* rank);
int MPI_Finalize(void);
int plugin_main(int argc, char** argv);

int MPI_Init(int* argc, char*** argv) { return argc == NULL && argv == NULL ? 0 : 1; }

int MPI_Comm_rank(int comm, int* rank) {
    *rank = comm;
    return 0;
}

int MPI_Finalize(void) { return 0; }

int plugin_main(int argc, char** argv) {
    int rank = -1;
    int const begun = MPI_Init(NULL, NULL);
    for (int i = 0; i < 3; ++i) MPI_Comm_rank(i, &rank);
    printf("%d %d %d %d %s\n", begun, rank, MPI_Finalize(), argc, argv[0] ? "named" : "");
    return 0;
}
