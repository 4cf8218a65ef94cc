// The examples' main lines take communicators of every kind, and give the same results.
#include "examples/heat/simulate.hpp"
#include "examples/word_count/count_words.hpp"

#include "tests/support/loopback.hpp"

#include <mpiprof/boost_mpi.hpp>
#include <mpiprof/raw.hpp>

#include <gtest/gtest.h>
#include <sstream>

namespace {

/// What rank 0 prints, and its final plate.
std::string simulated(auto const& comm) {
    auto plate = heat::read_field("examples/heat/initial_field.txt");
    std::ostringstream out;
    heat::simulate(comm, plate, 20, out);
    if (mpiprof::rank(comm) != 0) return "";
    for (double const value : plate.values) out << ' ' << value;
    return out.str();
}

TEST(any_communicator, heat) {
    mpiprof::raw_communicator const world{MPI_COMM_WORLD};
    auto const expected = simulated(world);
    EXPECT_EQ(simulated(mpiprof::profile(MPI_COMM_WORLD)), expected);
    EXPECT_EQ(simulated(boost::mpi::communicator{}), expected);
    EXPECT_EQ(simulated(mpiprof::boost_mpi::communicator{}), expected);

    auto const alone = simulated(loopback::communicator{});
    if (world.rank() == 0) {
        EXPECT_EQ(alone, expected);
    }
}

std::string counted(auto const& comm) {
    std::ostringstream out;
    EXPECT_TRUE(word_count::count_words(comm, {"/usr/share/common-licenses/BSD", "/etc/os-release"}, out));
    return out.str();
}

TEST(any_communicator, word_count) {
    boost::mpi::communicator const world;
    auto const expected = counted(world);
    EXPECT_EQ(expected.empty(), world.rank() != 0);
    EXPECT_EQ(counted(mpiprof::boost_mpi::communicator{}), expected);
    EXPECT_EQ(counted(mpiprof::profile(world)), expected);
}

}  // namespace
