// A program that never starts MPI counts all the same.
#include <mpiprof/boost_mpi/serialized_size.hpp>

#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <boost/version.hpp>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace {

TEST(serialized_size, needs_no_mpi) {
    using mpiprof::boost_mpi::serialized_size;
    EXPECT_EQ(serialized_size(5), sizeof(int));
    EXPECT_EQ(serialized_size(std::string{"hello"}), 9);
    if (BOOST_VERSION == 107400) {
        EXPECT_EQ(serialized_size(std::vector<std::string>{"a", "bb", "ccc"}), 32);
        EXPECT_EQ(serialized_size(std::shared_ptr<std::vector<int>>{}), 4);
    }
    int initialized = 1;
    MPI_Initialized(&initialized);
    EXPECT_FALSE(initialized);
}

}  // namespace
