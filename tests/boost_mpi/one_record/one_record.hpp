// One call of a function of Boost.MPI makes one record, whatever MPI calls Boost makes of it. The signatures
// that stand in these tests are what tools/coverage takes for recorded.
#pragma once

#include <mpiprof/boost_mpi.hpp>

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace one_record_tests {

using mpiprof::operation;

using instrumentation =
    mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, mpiprof::sinks::tally>;
using communicator = mpiprof::boost_mpi::basic_communicator<instrumentation>;
using request = mpiprof::boost_mpi::basic_request<instrumentation>;
using requests = std::vector<request>;

/// Over all ranks, profiled, and Boost's own, for what is not to be counted.
inline communicator const& world() {
    static communicator const comm;
    return comm;
}
inline boost::mpi::communicator const& plain() {
    static boost::mpi::communicator const comm;
    return comm;
}

inline int self() { return plain().rank(); }
inline int size() { return plain().size(); }

/// Makes the call, which is one of the function of this signature (as libclang prints it, less
/// `boost::mpi::`).
template <class Call>
void one_record(char const* signature, operation recorded, Call call) {
    SCOPED_TRACE(signature);
    mpiprof::profiler<instrumentation> const profiler;
    auto& tally = profiler.sink();
    tally.reset();
    call();
    EXPECT_EQ(tally.calls(), 1);
    EXPECT_EQ(tally.calls(recorded), 1);
    EXPECT_EQ(tally.failed(recorded), 0);
}

/// The tests run with a type that has an MPI datatype, and with one that is serialised.
using types = testing::Types<int, std::string>;

template <class T>
T value();
template <>
inline int value<int>() {
    return 7;
}
template <>
inline std::string value<std::string>() {
    return "seven";
}

template <class T>
std::vector<T> values(int n) {
    return std::vector<T>(static_cast<std::size_t>(n), value<T>());
}

}  // namespace one_record_tests
