// An MPI program that knows nothing of mpiprof. Its ranks talk in a ring, and then one of them ends as told.
// Arguments: how, and which rank.
#include <csignal>
#include <cstdlib>
#include <mpi.h>
#include <string_view>
#include <unistd.h>

int main(int argc, char** argv) {
    std::string_view const how = argc > 1 ? argv[1] : "";
    if (how == "early") {
        int initialized = 0;
        MPI_Initialized(&initialized);
        ::raise(SIGKILL);
    }
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool const chosen = argc > 2 && rank == std::atoi(argv[2]);
    double value[3] = {};
    for (int i = 0; i < 20; ++i) {
        MPI_Sendrecv(value, 3, MPI_DOUBLE, (rank + 1) % size, 1, value, 3, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    // All have done theirs; this one is not to be seen.
    PMPI_Barrier(MPI_COMM_WORLD);
    if (how == "finalize") {
        MPI_Finalize();
        return chosen ? 3 : 0;
    }
    if (chosen && how == "exit") std::_Exit(3);
    if (chosen && how == "kill") ::raise(SIGKILL);
    if (chosen && how == "abort") MPI_Abort(MPI_COMM_WORLD, 7);
    // The others are where the job's end finds them.
    for (;;) ::pause();
}
