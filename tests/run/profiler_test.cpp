// Profilers: handles to the process's recording, without MPI.
#if __has_include(<mpi.h>)
#error "this program is to show that no MPI is needed, but <mpi.h> is on the include path"
#endif

#include "tests/support/loopback.hpp"

#include <mpiprof/mpiprof.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using mpiprof::operation;

/// Instrumentations of their own, and so recordings of their own, for each test.
template <int>
struct own_clock : mpiprof::timing::steady {};

template <int Number>
using recorded =
    mpiprof::instrumentation<own_clock<Number>, mpiprof::bytes::payload, mpiprof::sinks::basic_summary<64>>;

template <class Instrumentation>
void send_to_self(loopback::communicator const& plain, int times) {
    auto const comm = mpiprof::profile<Instrumentation>(plain);
    int value = 1;
    for (int i = 0; i < times; ++i) {
        mpiprof::send(comm, 0, 1, &value, 1);
        mpiprof::recv(comm, 0, 1, &value, 1);
    }
}

std::int64_t calls(mpiprof::results::profile const& run, std::string const& name) {
    for (auto const& row : run.operations) {
        if (row.operation == name) return row.statistics.calls;
    }
    return 0;
}

TEST(profiler, gives_the_results_so_far) {
    mpiprof::profiler<recorded<1>> const profiler;
    loopback::communicator const plain;
    {
        mpiprof::phase working{"working"};
        send_to_self<recorded<1>>(plain, 3);
    }
    auto const run = profiler.snapshot();
    EXPECT_EQ(calls(run, "send"), 3);
    EXPECT_EQ(calls(run, "recv"), 3);
    EXPECT_EQ(run.world_size, 1);
    EXPECT_EQ(run.ranks, (mpiprof::results::rank_set{{0, 0}}));
    EXPECT_EQ(run.library, "");
    EXPECT_EQ(run.clock, "steady");
    EXPECT_EQ(run.sink, "summary");
    EXPECT_EQ(run.program, "profiler_test");
    EXPECT_GT(run.run_time.sum, 0);
    EXPECT_GE(run.run_time.sum, run.mpi_time.sum);
    ASSERT_EQ(run.calls.size(), 2U);
    EXPECT_EQ(run.calls[0].phase, "working");
    EXPECT_EQ(run.calls[0].communicator, mpiprof::self_communicator);
    EXPECT_TRUE(run.calls[0].file.ends_with("profiler_test.cpp"));
    ASSERT_EQ(run.phases.size(), 1U);
    EXPECT_EQ(run.phases[0].name, "working");
    EXPECT_GT(run.phases[0].rank_time.sum, 0);
    EXPECT_EQ(mpiprof::results::size(run.ranks), 1);
    auto const& sent = run.operations.back().statistics;
    EXPECT_EQ(sent.sent, 12);
    EXPECT_EQ(sent.rank_time.sum, sent.time.sum);
}

TEST(profiler, pauses_and_resumes) {
    mpiprof::profiler<recorded<2>> const profiler{{.start_paused = true}};
    loopback::communicator const plain;
    send_to_self<recorded<2>>(plain, 1);
    EXPECT_EQ(calls(profiler.snapshot(), "send"), 0);
    profiler.resume();
    send_to_self<recorded<2>>(plain, 2);
    profiler.pause();
    send_to_self<recorded<2>>(plain, 4);
    EXPECT_EQ(calls(profiler.snapshot(), "send"), 2);
    profiler.resume();
    send_to_self<recorded<2>>(plain, 8);
    EXPECT_EQ(calls(profiler.snapshot(), "send"), 10);
}

TEST(profiler, is_a_handle_and_may_die) {
    loopback::communicator const plain;
    {
        mpiprof::profiler<recorded<3>> const short_lived;
    }
    send_to_self<recorded<3>>(plain, 2);
    EXPECT_EQ(calls(mpiprof::profiler<recorded<3>>{}.snapshot(), "send"), 2);
}

TEST(profiler, needs_not_be_there_for_a_call_to_be_recorded) {
    loopback::communicator const plain;
    send_to_self<recorded<4>>(plain, 2);
    EXPECT_EQ(calls(mpiprof::profiler<recorded<4>>{}.snapshot(), "send"), 2);
}

TEST(profiler, obeys_the_environment) {
    loopback::communicator const plain;
    ::setenv("MPIPROF", "off", 1);
    mpiprof::profiler<recorded<5>> const off;
    ::setenv("MPIPROF", "sinks=none", 1);
    mpiprof::profiler<recorded<6>> const without_sinks;
    ::setenv("MPIPROF", "start=paused", 1);
    mpiprof::profiler<recorded<7>> const paused;
    ::unsetenv("MPIPROF");
    send_to_self<recorded<5>>(plain, 1);
    send_to_self<recorded<6>>(plain, 1);
    send_to_self<recorded<7>>(plain, 1);
    EXPECT_EQ(calls(off.snapshot(), "send"), 0);
    EXPECT_EQ(calls(without_sinks.snapshot(), "send"), 0);
    EXPECT_EQ(calls(paused.snapshot(), "send"), 0);
    off.resume();
    paused.resume();
    send_to_self<recorded<5>>(plain, 1);
    send_to_self<recorded<7>>(plain, 1);
    EXPECT_EQ(calls(off.snapshot(), "send"), 0);
    EXPECT_EQ(calls(paused.snapshot(), "send"), 1);
}

TEST(profiler, says_what_it_does_not_understand) {
    ::setenv("MPIPROF", "start=never", 1);
    testing::internal::CaptureStderr();
    mpiprof::profiler<recorded<8>> const profiler;
    ::unsetenv("MPIPROF");
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "mpiprof: MPIPROF: start 'never' is not known; allowed: paused, running\n");
    loopback::communicator const plain;
    send_to_self<recorded<8>>(plain, 1);
    EXPECT_EQ(calls(profiler.snapshot(), "send"), 1);
}

TEST(profiler, takes_a_sink_that_needs_arguments) {
    int count = 0;
    auto const add = [&count](mpiprof::call const&) { ++count; };
    using counting = mpiprof::sinks::callback<decltype(add)>;
    mpiprof::profiler<mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::none, counting>> const
        profiler{counting{add}};
    loopback::communicator const plain;
    int value = 1;
    mpiprof::send(mpiprof::profile(plain, profiler), 0, 1, &value, 1);
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(profiler.snapshot().operations.empty());
}

TEST(profiler, with_profiling_off_does_nothing) {
    mpiprof::profiler<mpiprof::off> const profiler;
    loopback::communicator const plain;
    send_to_self<mpiprof::off>(plain, 1);
    EXPECT_TRUE(profiler.snapshot().operations.empty());
}

/// Ticks once a reading.
struct reading_counter {
    using time_point = std::int64_t;
    static constexpr bool enabled = true;
    static constexpr char const* name = "readings";
    static inline time_point readings = 0;
    static time_point now() noexcept { return ++readings; }
    static std::int64_t nanoseconds(time_point from, time_point to) noexcept { return to - from; }
};

TEST(profiled, tells_the_time_that_requests_were_pending_and_what_of_it_was_waited) {
    using counted =
        mpiprof::instrumentation<reading_counter, mpiprof::bytes::payload, mpiprof::sinks::basic_summary<64>>;
    mpiprof::profiler<counted> const profiler;
    loopback::communicator const plain;
    auto const comm = mpiprof::profile<counted>(plain);
    reading_counter::readings = 0;
    int sent = 1;
    int received = 0;
    decltype(mpiprof::isend(comm, 0, 1, &sent, 1)) requests[] = {mpiprof::irecv(comm, 0, 1, &received, 1),
                                                                 mpiprof::isend(comm, 0, 1, &sent, 1)};
    mpiprof::wait_all(comm, requests, 2);
    auto const run = profiler.snapshot();
    ASSERT_EQ(run.completions.size(), 2U);
    EXPECT_EQ(run.completions[0].operation, "irecv");
    // The calls take the readings 1 to 2, 3 to 4 and 5 to 6.
    EXPECT_EQ(run.completions[0].pending.sum, 5);
    EXPECT_EQ(run.completions[1].pending.sum, 3);
    for (auto const& row : run.completions) EXPECT_EQ(row.waited.sum, 1) << row.operation;
}

TEST(bytes_none, counts_no_bytes) {
    using uncounted = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::none,
                                               mpiprof::sinks::basic_summary<64>>;
    mpiprof::profiler<uncounted> const profiler;
    loopback::communicator const plain;
    send_to_self<uncounted>(plain, 2);
    auto const run = profiler.snapshot();
    EXPECT_EQ(calls(run, "send"), 2);
    for (auto const& row : run.operations) {
        EXPECT_EQ(row.statistics.sent + row.statistics.received + row.statistics.unknown, 0) << row.operation;
    }
}

}  // namespace
