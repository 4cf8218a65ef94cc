// The laws over a communicator that has no MPI, plain and profiled.
#if __has_include(<mpi.h>)
#error "this program is to show that no MPI is needed, but <mpi.h> is on the include path"
#endif

#include "tests/laws/communicator_laws.hpp"
#include "tests/support/loopback.hpp"

#include <mpiprof/mpiprof.hpp>

namespace {

using tallied =
    mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, mpiprof::sinks::tally>;
using mpiprof::operation;

TEST(laws, hold_for_a_loopback_communicator) { laws::hold(loopback::communicator{}); }

TEST(laws, hold_for_a_profiled_loopback_communicator) {
    loopback::communicator const plain;
    laws::hold(mpiprof::profile(plain));
    laws::hold(mpiprof::profile<tallied>(plain));
}

TEST(laws, hold_for_a_loopback_communicator_with_profiling_off) {
    loopback::communicator const plain;
    auto const view = mpiprof::profile<mpiprof::off>(plain);
    static_assert(sizeof view == sizeof(void*));
    static_assert(std::is_trivially_copyable_v<decltype(view)>);
    laws::hold(view);
}

TEST(profiled_loopback, records_each_call_once) {
    loopback::communicator const plain;
    mpiprof::profiler<tallied> const profiler;
    profiler.sink().reset();
    auto const comm = mpiprof::profile(plain, profiler);
    double const values[3] = {1, 2, 3};
    double received[3] = {};
    mpiprof::send(comm, 0, 1, values, 3);
    mpiprof::recv(comm, 0, 1, received, 3);
    mpiprof::request_of<decltype(comm)> requests[] = {mpiprof::isend(comm, 0, 2, values, 2),
                                                      mpiprof::irecv(comm, 0, 2, received, 2)};
    mpiprof::wait_all(comm, requests, 2);
    mpiprof::bcast(comm, received, 3, 0);
    mpiprof::reduce(comm, values, received, 3, std::plus<>{}, 0);
    mpiprof::allreduce(comm, values, received, 2, std::plus<>{});
    mpiprof::barrier(comm);

    auto const& tally = profiler.sink();
    EXPECT_EQ(tally.calls(), 9);
    EXPECT_EQ(tally.sent(operation::send), 24);
    EXPECT_EQ(tally.sent(operation::isend), 16);
    EXPECT_EQ(tally.completions(operation::isend), 1);
    EXPECT_EQ(tally.completions(operation::irecv), 1);
    EXPECT_EQ(tally.sent(operation::bcast), 24);
    EXPECT_EQ(tally.sent(operation::reduce), 24);
    EXPECT_EQ(tally.received(operation::reduce), 24);
    EXPECT_EQ(tally.received(operation::allreduce), 16);
    // Nobody told mpiprof how to ask this library what arrived.
    EXPECT_EQ(tally.unknown(operation::recv), 1);
    EXPECT_EQ(tally.unknown(operation::irecv), 1);
}

TEST(profiled_loopback, records_a_call_that_throws_as_failed_and_lets_the_exception_pass) {
    loopback::communicator const plain;
    mpiprof::profiler<tallied> const profiler;
    profiler.sink().reset();
    auto const comm = mpiprof::profile(plain, profiler);
    int const values[2] = {};
    int received = 0;
    mpiprof::send(comm, 0, 1, values, 2);
    EXPECT_THROW(mpiprof::recv(comm, 0, 1, &received, 1), std::length_error);
    EXPECT_EQ(profiler.sink().calls(operation::recv), 1);
    EXPECT_EQ(profiler.sink().failed(operation::recv), 1);
    EXPECT_EQ(profiler.sink().received(operation::recv), 0);
}

TEST(profiled_loopback, requests_outlive_an_exception_of_wait_all) {
    loopback::communicator const plain;
    mpiprof::profiler<tallied> const profiler;
    profiler.sink().reset();
    auto const comm = mpiprof::profile(plain, profiler);
    int const values[2] = {5, 6};
    int received[2] = {};
    mpiprof::request_of<decltype(comm)> requests[] = {mpiprof::irecv(comm, 0, 1, &received[0], 1),
                                                      mpiprof::irecv(comm, 0, 2, &received[1], 1)};
    mpiprof::send(comm, 0, 1, &values[0], 1);
    EXPECT_THROW(mpiprof::wait_all(comm, requests, 2), std::logic_error);
    mpiprof::send(comm, 0, 2, &values[1], 1);
    mpiprof::wait_all(comm, requests, 2);
    EXPECT_EQ(received[0], 5);
    EXPECT_EQ(received[1], 6);
    EXPECT_EQ(profiler.sink().calls(operation::waitall), 2);
    EXPECT_EQ(profiler.sink().failed(operation::waitall), 1);
    EXPECT_EQ(profiler.sink().completions(operation::irecv), 2);
}

TEST(profiled_loopback, profiling_twice_profiles_once) {
    loopback::communicator const plain;
    auto const comm = mpiprof::profile<tallied>(plain);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(mpiprof::profile(comm))>,
                                 std::remove_cvref_t<decltype(comm)>>);
    static_assert(std::is_same_v<decltype(mpiprof::profile(mpiprof::profile<tallied>(plain))),
                                 std::remove_cvref_t<decltype(comm)>>);
    EXPECT_EQ(&mpiprof::unwrap(comm), &plain);
    EXPECT_EQ(&mpiprof::unwrap(plain), &plain);
}

}  // namespace
