// The laws over Boost.MPI's communicators.
#include <mpiprof/boost_mpi.hpp>

#include "tests/laws/communicator_laws.hpp"

namespace {

TEST(laws, hold_for_a_boost_communicator) { laws::hold(boost::mpi::communicator{}); }

TEST(laws, hold_for_a_profiled_boost_communicator) { laws::hold(mpiprof::boost_mpi::communicator{}); }

TEST(laws, hold_for_a_profiled_view_of_a_boost_communicator) {
    boost::mpi::communicator const world;
    laws::hold(mpiprof::profile(world));
}

TEST(laws, hold_for_a_view_of_a_boost_communicator_with_profiling_off) {
    boost::mpi::communicator const world;
    auto const view = mpiprof::profile<mpiprof::off>(world);
    static_assert(sizeof view == sizeof(void*));
    laws::hold(view);
}

TEST(laws, hold_for_a_part_of_a_profiled_boost_communicator) {
    mpiprof::boost_mpi::communicator const world;
    laws::hold(world.split(world.rank() % 2));
}

TEST(laws, hold_for_a_profiled_cartesian_communicator) {
    mpiprof::boost_mpi::communicator const world;
    mpiprof::boost_mpi::cartesian_dimension const ring(world.size(), true);
    laws::hold(mpiprof::boost_mpi::cartesian_communicator(world, std::vector{ring}));
}

}  // namespace
