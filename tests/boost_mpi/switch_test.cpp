// The one-line switch: a user's code over boost::mpi and over mpiprof::boost_mpi.
#include "tests/boost_mpi/same_as_boost.hpp"

#include "tests/boost_mpi/library.hpp"

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace boost_mpi_tests {

namespace {

namespace over_boost {

namespace mpi = boost::mpi;

#include "tests/boost_mpi/user_code.inc"

}  // namespace over_boost

namespace over_mpiprof {

namespace mpi = mpiprof::boost_mpi;

#include "tests/boost_mpi/user_code.inc"

}  // namespace over_mpiprof

TEST(boost_mpi_switch, changes_no_result_and_no_mpi_call) {
    std::vector<long> expected;
    same_as_boost(
        [&](auto const& world) {
            if constexpr (std::is_same_v<decltype(world), boost::mpi::communicator const&>) {
                auto const results = over_boost::user_code();
                if (expected.empty()) expected = results;
                EXPECT_EQ(results, expected);
            } else {
                EXPECT_EQ(over_mpiprof::user_code(), expected);
            }
        },
        order::free);
}

/// Calls by operation, in the default profile so far.
std::map<std::string, long> profiled_calls() {
    std::map<std::string, long> calls;
    mpiprof::profiler<> const profiler;
    for (auto const& each : profiler.snapshot().operations) calls[each.operation] = each.statistics.calls;
    return calls;
}

TEST(boost_mpi_switch, records_the_users_calls) {
    auto before = profiled_calls();
    over_mpiprof::user_code();
    auto const after = profiled_calls();
    std::map<std::string, long> made;
    for (auto const& [operation, calls] : after) {
        if (calls != before[operation]) made[operation] = calls - before[operation];
    }
    EXPECT_EQ(made, (std::map<std::string, long>{{"allgather", 2},
                                                 {"allreduce", 5},
                                                 {"alltoall", 1},
                                                 {"barrier", 3},
                                                 {"bcast", 3},
                                                 {"cart_create", 1},
                                                 {"comm_create", 1},
                                                 {"comm_split", 4},
                                                 {"gather", 1},
                                                 {"irecv", 4},
                                                 {"isend", 6},
                                                 {"probe", 1},
                                                 {"recv", 4},
                                                 {"reduce", 2},
                                                 {"scan", 1},
                                                 {"scatter", 1},
                                                 {"send", 4},
                                                 {"wait", 1},
                                                 {"waitall", 4}}));
}

}  // namespace

}  // namespace boost_mpi_tests
