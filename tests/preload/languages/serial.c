/* A program without MPI. Prints its input and arguments, and whether anything of MPI is loaded. */
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    char line[4096];
    int of_mpi = 0;
    for (int i = 1; i < argc; ++i) printf("%s\n", argv[i]);
    FILE* maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        of_mpi |= strstr(line, "libmpi") && !strstr(line, "libmpiprof_preload");
    printf("MPI is %sloaded\n", of_mpi ? "" : "not ");
    return 5;
}
