// Compiled with -DMPIPROF_DISABLED: whatever instrumentation is named, nothing is recorded.
#include "tests/support/loopback.hpp"

#include <mpiprof/mpiprof.hpp>
#include <mpiprof/results/profile.hpp>
#include <mpiprof/sinks/tally.hpp>

#include <gtest/gtest.h>

namespace {

int recorded = 0;

struct counting_function {
    int start;
    void operator()(mpiprof::call const&) const { recorded += start; }
};

template <class Sink>
using to = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, Sink>;

template <class Instrumentation>
void send_to_self(mpiprof::profiler<Instrumentation> const& profiler) {
    loopback::communicator const plain;
    mpiprof::phase const here{"here"};
    auto const comm = mpiprof::profile(plain, profiler);
    int value = 7;
    mpiprof::send(comm, 0, 1, &value, 1);
    value = 0;
    mpiprof::recv(comm, 0, 1, &value, 1);
    EXPECT_EQ(value, 7);
}

TEST(disabled, a_named_instrumentation_records_nothing) {
    mpiprof::profiler<to<mpiprof::sinks::tally>> const profiler{{.output = "nowhere"}};
    send_to_self(profiler);
    EXPECT_EQ(profiler.sink().calls(), 0);
    EXPECT_TRUE(profiler.snapshot().operations.empty());
}

TEST(disabled, a_sink_that_needs_arguments_is_taken) {
    using sink = mpiprof::sinks::callback<counting_function>;
    mpiprof::profiler<to<sink>> const profiler{sink{counting_function{1}}};
    send_to_self(profiler);
    EXPECT_EQ(recorded, 0);
    profiler.sink().record({});
    EXPECT_EQ(recorded, 1);
}

TEST(disabled, a_sink_need_only_be_declared) {
    mpiprof::profiler<to<mpiprof::sinks::summary>> const profiler{{.start_paused = true}};
    profiler.resume();
    send_to_self(profiler);
    profiler.pause();
}

}  // namespace
