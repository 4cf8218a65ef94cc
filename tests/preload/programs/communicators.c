/* communicators limit: how many duplicates of MPI_COMM_WORLD there can be.
 * communicators made N: makes and frees communicators N times; says whether memory grew by more than 16 bytes
 * each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long resident_bytes(void) {
    long pages = 0;
    FILE* const file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void reach_limit(int rank) {
    static MPI_Comm made[1 << 17];
    int number = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (number < 1 << 17 && MPI_Comm_dup(MPI_COMM_WORLD, &made[number]) == MPI_SUCCESS) ++number;
    printf("rank %d: %d duplicates\n", rank, number);
    while (number > 0) MPI_Comm_free(&made[--number]);
}

static void make_and_free(int rank, int times) {
    for (int i = 0; i < times; ++i) {
        MPI_Comm duplicate, part;
        int sum = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
        MPI_Comm_split(duplicate, rank % 2, rank, &part);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
        MPI_Comm_free(&part);
        MPI_Comm_free(&duplicate);
    }
}

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 2 && strcmp(argv[1], "limit") == 0) reach_limit(rank);
    if (argc == 3 && strcmp(argv[1], "made") == 0) {
        int const times = atoi(argv[2]);
        make_and_free(rank, times);
        long const before = resident_bytes();
        make_and_free(rank, times);
        long const grown = resident_bytes() - before;
        printf("rank %d: memory %s\n", rank, grown <= 16L * times + (64 << 10) ? "is flat" : "grew");
        if (grown > 16L * times) fprintf(stderr, "rank %d: %ld bytes\n", rank, grown);
    }
    return MPI_Finalize();
}
