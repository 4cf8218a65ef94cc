// Calls that are counted by hand; then one rank, or all, end without MPI_Finalize. Arguments: how, and what
// with.
#include <csignal>
#include <cstdlib>
#include <mpiprof/raw.hpp>
#include <string_view>
#include <unistd.h>

int main(int argc, char** argv) {
    std::string_view const how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    mpiprof::profiler const profiler;
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    int const next = (world.rank() + 1) % world.size();
    int const previous = (world.rank() + world.size() - 1) % world.size();
    double value[3] = {};
    for (int i = 0; i < 100; ++i) {
        world.sendrecv(value, 3, MPI_DOUBLE, next, 1, value, 3, MPI_DOUBLE, previous, 1, MPI_STATUS_IGNORE);
        world.barrier();
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (how == "kill") ::raise(SIGKILL);
    if (how == "abort" && world.rank() == 0) MPI_Abort(MPI_COMM_WORLD, 7);
    if (how == "hang") ::pause();
    if (how == "finalize") return MPI_Finalize();
    // The others are where the job's end finds them.
    PMPI_Barrier(MPI_COMM_WORLD);
    ::pause();
}
