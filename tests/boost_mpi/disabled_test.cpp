// Compiled with -DMPIPROF_DISABLED: the names are Boost's own.
#include <mpiprof/boost_mpi.hpp>

#include "tests/boost_mpi/library.hpp"

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace over_boost {

namespace mpi = boost::mpi;

#include "tests/boost_mpi/user_code.inc"

}  // namespace over_boost

namespace over_mpiprof {

namespace mpi = mpiprof::boost_mpi;

static_assert(std::is_same_v<mpi::communicator, boost::mpi::communicator>);
static_assert(std::is_same_v<mpi::request, boost::mpi::request>);
static_assert(std::is_same_v<mpi::environment, boost::mpi::environment>);

#include "tests/boost_mpi/user_code.inc"

}  // namespace over_mpiprof

TEST(boost_mpi_disabled, is_boost_mpi) { EXPECT_EQ(over_mpiprof::user_code(), over_boost::user_code()); }

}  // namespace
