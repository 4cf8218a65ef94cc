// The fan-out: every sink gets every record, and a run may pick among them.
#include <mpiprof/sinks/fanout.hpp>

#include <mpiprof/bytes/payload.hpp>
#include <mpiprof/core/instrumentation.hpp>
#include <mpiprof/sinks/callback.hpp>
#include <mpiprof/sinks/summary.hpp>
#include <mpiprof/sinks/tally.hpp>
#include <mpiprof/timing/none.hpp>

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace {

using mpiprof::operation;
using mpiprof::sinks::fanout;
using mpiprof::sinks::summary;
using mpiprof::sinks::tally;

/// A sink that wants no completions.
struct calls_only {
    static constexpr char const* name = "calls_only";
    void record(mpiprof::call const& call) noexcept { seen.push_back(call.operation); }
    std::vector<operation> seen;
};

static_assert(mpiprof::completion_sink<fanout<tally, calls_only>>);
static_assert(mpiprof::sink<fanout<calls_only>> && !mpiprof::completion_sink<fanout<calls_only>>);
static_assert(std::string_view{fanout<summary, tally, calls_only>::name} == "summary+tally+calls_only");
static_assert(mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::payload,
                                       fanout<summary, tally>>::enabled);

mpiprof::call a_send() {
    mpiprof::call record;
    record.operation = operation::send;
    record.sent = 8;
    return record;
}

TEST(fanout, hands_every_record_to_every_sink) {
    fanout<tally, calls_only, tally> sink;
    sink.record(a_send());
    mpiprof::completion done;
    done.operation = operation::irecv;
    sink.complete(done);
    EXPECT_EQ(sink.get<tally>().calls(operation::send), 1);
    EXPECT_EQ(sink.get<tally>().completions(operation::irecv), 1);
    EXPECT_EQ(sink.get<calls_only>().seen, std::vector{operation::send});
    int tallies = 0;
    sink.for_each([&]<class Sink>(Sink const& each) {
        if constexpr (std::same_as<Sink, tally>) tallies += each.calls() == 1 ? 1 : 0;
    });
    EXPECT_EQ(tallies, 2);
}

TEST(fanout, picks_among_its_sinks) {
    fanout<tally, calls_only> sink;
    sink.pick([](std::string_view name) { return name == "calls_only"; });
    sink.record(a_send());
    EXPECT_EQ(sink.get<tally>().calls(), 0);
    EXPECT_EQ(sink.get<calls_only>().seen.size(), 1U);
    sink.pick([](std::string_view name) { return name == "tally"; });
    sink.record(a_send());
    EXPECT_EQ(sink.get<tally>().calls(), 1);
    EXPECT_EQ(sink.get<calls_only>().seen.size(), 1U);
}

TEST(fanout, has_the_shards_of_its_summary) {
    fanout<tally, summary> sink;
    sink.record(a_send());
    std::int64_t calls = 0;
    sink.for_each_shard(
        [&](auto const& shard) { shard.for_each_call([&](auto const& row) { calls += row.calls(); }); });
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(sink.lost(), 0);
}

}  // namespace
