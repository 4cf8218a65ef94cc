// The laws over communicators of the C API.
#include "tests/laws/communicator_laws.hpp"

#include <mpiprof/raw.hpp>

namespace {

TEST(laws, hold_for_a_raw_communicator) { laws::hold(mpiprof::raw_communicator{MPI_COMM_WORLD}); }

TEST(laws, hold_for_a_profiled_raw_communicator) { laws::hold(mpiprof::profile(MPI_COMM_WORLD)); }

TEST(laws, hold_for_a_raw_communicator_with_profiling_off) {
    laws::hold(mpiprof::profile<mpiprof::off>(MPI_COMM_WORLD));
}

TEST(laws, hold_for_parts_and_duplicates_of_a_profiled_communicator) {
    auto const world = mpiprof::profile(MPI_COMM_WORLD);
    auto half = world.split(world.rank() % 2, -world.rank());
    laws::hold(half);
    auto copy = half.dup();
    laws::hold(copy);
    EXPECT_EQ(copy.free(), MPI_SUCCESS);
    EXPECT_EQ(half.free(), MPI_SUCCESS);
    EXPECT_FALSE(half);
}

}  // namespace
