// What the environment decides for a run: which clock is read, and which of the sinks get records.
#include <mpiprof/mpiprof.hpp>
#include <mpiprof/sinks/fanout.hpp>
#include <mpiprof/timing/steady.hpp>
#include <mpiprof/timing/tsc.hpp>

#include "tests/support/child.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <unistd.h>

namespace {

using mpiprof::operation;
using mpiprof::sinks::summary;
using mpiprof::sinks::tally;

template <class Timing, class Sink>
using recorded = mpiprof::instrumentation<Timing, mpiprof::bytes::payload, Sink>;

/// Does `check` hold in a process of its own with these settings?
bool holds(char const* settings, std::function<bool()> const& check) {
    auto const status = test_support::in_child([&] {
        ::setenv("MPIPROF", settings, 1);
        return check() ? 0 : 1;
    });
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// A recorded call of 1 ms.
template <class I>
void call() {
    auto& recording = mpiprof::recording_of<I>;
    if (!recording.ready(operation::send)) return;
    mpiprof::scope<operation::send, I> measured{&recording.sink(), 0, mpiprof::call_site::current()};
    ::usleep(1000);
    measured.stop();
    measured.record().sent = 8;
}

template <class I>
mpiprof::results::profile profile_of_a_call() {
    mpiprof::profiler<I> const profiler;
    call<I>();
    return profiler.snapshot();
}

bool about_a_millisecond(std::int64_t nanoseconds) {
    return nanoseconds >= 1'000'000 && nanoseconds < 500'000'000;
}

TEST(clock, is_the_counter_where_it_may_be_used) {
    EXPECT_TRUE(holds("", [] {
        auto const run = profile_of_a_call<mpiprof::default_instrumentation>();
        auto const& row = run.operations.at(0).statistics;
        return run.clock == mpiprof::timing::tsc::source() && about_a_millisecond(row.time.sum) &&
               row.durations.size() > 20 && row.time.sum == row.time.most;
    }));
}

// CL3
TEST(clock, is_the_steady_one_where_the_run_wants_that) {
    EXPECT_TRUE(holds("clock=steady", [] {
        auto const run = profile_of_a_call<mpiprof::default_instrumentation>();
        auto const& row = run.operations.at(0).statistics;
        return run.clock == "steady" && about_a_millisecond(row.time.sum) && row.durations.size() > 20;
    }));
}

TEST(clock, stays_where_calls_were_recorded_with_it) {
    EXPECT_TRUE(holds("", [] {
        call<mpiprof::default_instrumentation>();
        mpiprof::profiler<> const profiler{{.clock = mpiprof::clock_by::steady}};
        auto const run = profiler.snapshot();
        return run.clock == mpiprof::timing::tsc::source() &&
               about_a_millisecond(run.operations.at(0).statistics.time.sum);
    }));
}

TEST(sinks, all_get_records_where_none_is_picked) {
    using both = recorded<mpiprof::timing::steady, mpiprof::sinks::fanout<tally, summary>>;
    EXPECT_TRUE(holds("", [] {
        auto const run = profile_of_a_call<both>();
        return run.sink == "tally+summary" && run.operations.at(0).statistics.calls == 1 &&
               mpiprof::profiler<both>{}.sink().get<tally>().calls() == 1;
    }));
}

TEST(sinks, that_are_picked_alone_get_records) {
    using both = recorded<mpiprof::timing::steady, mpiprof::sinks::fanout<tally, summary>>;
    EXPECT_TRUE(holds("sinks=summary", [] {
        return profile_of_a_call<both>().operations.at(0).statistics.calls == 1 &&
               mpiprof::profiler<both>{}.sink().get<tally>().calls() == 0;
    }));
    EXPECT_TRUE(holds("sinks=tally", [] {
        return profile_of_a_call<both>().operations.empty() &&
               mpiprof::profiler<both>{}.sink().get<tally>().calls() == 1;
    }));
    EXPECT_TRUE(holds("sinks=none", [] {
        mpiprof::profiler<both> const profiler;
        call<both>();
        return profiler.sink().get<tally>().calls() == 0;
    }));
}

TEST(queries, are_recorded_where_the_program_or_the_environment_says_so) {
    auto const recorded_with = [](char const* environment, bool options) {
        return holds(environment, [options] {
            mpiprof::profiler<mpiprof::default_instrumentation> const profiler{{.queries = options}};
            return mpiprof::recording_of<mpiprof::default_instrumentation>.records_queries();
        });
    };
    EXPECT_FALSE(recorded_with("", false));
    EXPECT_TRUE(recorded_with("queries=on", false));
    EXPECT_TRUE(recorded_with("", true));
    EXPECT_FALSE(recorded_with("queries=off", true));
    // Without a profiler the first call takes the environment's settings.
    EXPECT_TRUE(holds("queries=on", [] {
        auto& recording = mpiprof::recording_of<mpiprof::default_instrumentation>;
        return recording.ready(operation::send) && recording.records_queries();
    }));
}

}  // namespace
