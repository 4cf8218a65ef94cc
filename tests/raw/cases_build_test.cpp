// What must compile, and what must not.
#include "tests/raw/build_variants.hpp"
#include "tests/raw/world.hpp"

#include <gtest/gtest.h>
#include <mpiprof/raw.hpp>
#include <type_traits>

namespace {

using mpiprof::profiled;
using mpiprof::raw_communicator;
using view = profiled<raw_communicator, mpiprof::default_instrumentation>;

// BD1, BD2: with MPICH a handle is an int, so nothing may become a communicator on its own.
static_assert(!std::is_convertible_v<MPI_Comm, raw_communicator>);
static_assert(!std::is_convertible_v<int, raw_communicator>);
static_assert(!std::is_convertible_v<MPI_Comm, view>);
static_assert(!std::is_convertible_v<int, view>);
static_assert(!std::is_constructible_v<raw_communicator, decltype(nullptr)> || std::is_pointer_v<MPI_Comm>);
static_assert(!mpiprof::communicator<MPI_Comm>);
static_assert(!mpiprof::communicator<int>);
static_assert(mpiprof::communicator<raw_communicator>);
static_assert(mpiprof::communicator<view>);

// Y9: nothing happens at the end of a communicator, so it may live longer than MPI.
static_assert(std::is_trivially_destructible_v<raw_communicator>);
static_assert(std::is_trivially_destructible_v<view>);
static_assert(std::is_trivially_copyable_v<profiled<raw_communicator, mpiprof::off>>);

TEST(build, BD2_a_communicator_is_made_of_a_handle) {
    EXPECT_EQ(raw_communicator{MPI_COMM_WORLD}.size(), cases::world_size());
    EXPECT_FALSE(raw_communicator{MPI_COMM_NULL});
    EXPECT_EQ(raw_communicator(MPI_COMM_SELF).size(), 1);
}

TEST(build, BD8_units_of_all_variants_share_one_process) {
    auto const self = mpiprof::profile(MPI_COMM_SELF);
    for (auto const& unit : cases::variants()) {
        EXPECT_EQ(unit.process(), &mpiprof::process::instance()) << unit.name;
        EXPECT_EQ(unit.recording(), &mpiprof::recording_of<mpiprof::default_instrumentation>) << unit.name;
        EXPECT_EQ(unit.exchange(self), MPI_SUCCESS) << unit.name;
    }
}

}  // namespace
