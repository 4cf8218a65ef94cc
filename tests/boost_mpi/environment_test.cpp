// The environment starts and ends MPI as Boost's does. It has a main of its own, since MPI is started once.
#include <mpiprof/boost_mpi.hpp>

#include <functional>
#include <gtest/gtest.h>
#include <type_traits>

namespace {

namespace mpi = mpiprof::boost_mpi;

using level = mpi::threading::level;

/// Both environments take these arguments.
template <class... Arguments>
inline constexpr bool takes = std::is_constructible_v<mpi::environment, Arguments...> &&
                              std::is_constructible_v<boost::mpi::environment, Arguments...>;

static_assert(takes<> && takes<bool> && takes<level> && takes<level, bool>);
static_assert(takes<int&, char**&> && takes<int&, char**&, bool>);
static_assert(takes<int&, char**&, level> && takes<int&, char**&, level, bool>);
static_assert(!std::is_convertible_v<bool, mpi::environment>);
static_assert(!std::is_copy_constructible_v<mpi::environment>);
static_assert(std::is_base_of_v<boost::mpi::environment, mpi::environment>);

TEST(boost_mpi_environment, is_boosts) {
    EXPECT_TRUE(mpi::environment::initialized());
    EXPECT_FALSE(mpi::environment::finalized());
    EXPECT_EQ(mpi::environment::thread_level(), boost::mpi::environment::thread_level());
    EXPECT_EQ(mpi::environment::max_tag(), boost::mpi::environment::max_tag());
    EXPECT_EQ(mpi::environment::collectives_tag(), boost::mpi::environment::collectives_tag());
    EXPECT_EQ(mpi::environment::processor_name(), boost::mpi::environment::processor_name());
    EXPECT_EQ(mpi::environment::version(), boost::mpi::environment::version());
    EXPECT_TRUE(mpi::environment::is_main_thread());
}

TEST(boost_mpi_environment, of_another_leaves_mpi_running) {
    {
        mpi::environment const another;
        mpi::environment const threaded(mpi::threading::multiple, false);
    }
    EXPECT_FALSE(mpi::environment::finalized());
    mpi::communicator const world;
    EXPECT_EQ(mpi::all_reduce(world, 1, std::plus<int>()), world.size());
}

}  // namespace

int main(int argc, char** argv) {
    int failed = 0;
    {
        mpi::environment const environment(argc, argv, mpi::threading::funneled);
        testing::InitGoogleTest(&argc, argv);
        failed = RUN_ALL_TESTS();
        if (mpi::environment::thread_level() < mpi::threading::funneled) failed = 1;
        failed = mpi::all_reduce(mpi::communicator(), failed, mpi::maximum<int>());
    }
    return mpi::environment::finalized() ? failed : 1;
}
