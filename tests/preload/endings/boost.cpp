// boost HOW: a program of Boost.MPI that knows nothing of mpiprof, and ends by an error on rank 0.
#include <boost/mpi.hpp>

#include <cstdio>
#include <functional>
#include <string_view>
#include <unistd.h>

int main(int argc, char** argv) {
    std::string_view const how = argc > 1 ? argv[1] : "";
    boost::mpi::environment const environment{argc, argv};
    boost::mpi::communicator const world;
    int sum = 0;
    for (int i = 0; i < 10; ++i) sum += boost::mpi::all_reduce(world, 1, std::plus<int>{});
    std::printf("rank %d got %d\n", world.rank(), sum);
    std::fflush(stdout);
    PMPI_Barrier(world);
    if (world.rank() == 0) {
        ::usleep(200'000);
        if (how == "throw") throw 5;
        if (how == "bad_rank") world.send(99, 0, 1);
    } else {
        world.recv(0, 99, sum);
    }
    return 0;
}
