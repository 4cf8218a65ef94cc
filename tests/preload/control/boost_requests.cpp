// Boost.MPI's requests, completed by all kinds of calls: three receives in each of three rounds.
#include <mpiprof/boost_mpi.hpp>

#include <vector>

namespace mpi = mpiprof::boost_mpi;

int main(int argc, char** argv) {
    mpi::environment const environment(argc, argv);
    mpi::communicator const world;
    int const other = 1 - world.rank();
    int const mine = world.rank();
    int others = -1;
    for (int round = 0; round < 3; ++round) {
        auto waited = world.irecv(other, 1, others);
        world.send(other, 1, mine);
        waited.wait();
        std::vector<mpi::request> both;
        both.push_back(world.irecv(other, 2, others));
        both.push_back(world.isend(other, 2, mine));
        mpi::wait_all(both.begin(), both.end());
        auto tested = world.irecv(other, 3, others);
        world.send(other, 3, mine);
        while (!tested.test()) {
        }
    }
    return others == other ? 0 : 1;
}
