/* late_plugin_host PLUGIN: calls MPI from C before it loads a plugin in Fortran, with what that needs, as
 * mpi4py and f2py do. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank;
    void (*exchange)(int);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    void* const plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    *(void**)&exchange = plugin ? dlsym(plugin, "exchange") : NULL;
    if (!exchange) {
        fprintf(stderr, "late_plugin_host: %s\n", argc == 2 ? dlerror() : "which plugin?");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    exchange(rank);
    return MPI_Finalize();
}
