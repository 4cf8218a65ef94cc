// The fan-out: every sink gets every record, and a run may pick among them.
#include <mpiprof/sinks/fanout.hpp>

#include <mpiprof/bytes/payload.hpp>
#include <mpiprof/core/instrumentation.hpp>
#include <mpiprof/sinks/callback.hpp>
#include <mpiprof/sinks/on_request.hpp>
#include <mpiprof/sinks/summary.hpp>
#include <mpiprof/sinks/tally.hpp>
#include <mpiprof/timing/none.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
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

TEST(fanout, hands_over_nothing_to_a_sink_on_request_before_it_is_picked) {
    fanout<summary, mpiprof::sinks::on_request<tally>> sink;
    EXPECT_EQ(sink.picked_names(), "summary");
    EXPECT_TRUE(sink.picks([]<class Sink>(Sink const&) { return std::same_as<Sink, summary>; }));
    EXPECT_FALSE(sink.picks([]<class Sink>(Sink const&) { return std::derived_from<Sink, tally>; }));
    sink.record(a_send());
    auto const& counts = sink.get<mpiprof::sinks::on_request<tally>>();
    EXPECT_EQ(counts.calls(), 0);
    sink.pick([](std::string_view) { return true; });
    EXPECT_EQ(sink.picked_names(), "summary+tally");
    sink.record(a_send());
    sink.record(a_send());
    EXPECT_EQ(counts.calls(operation::send), 2);
    EXPECT_EQ(counts.sent(operation::send), 16);
}

/// The calls that a summary holds.
template <class Sink>
std::int64_t calls_in_shards(Sink const& sink) {
    std::int64_t calls = 0;
    sink.for_each_shard(
        [&](auto const& shard) { shard.for_each_call([&](auto const& row) { calls += row.calls(); }); });
    return calls;
}

// The first sink takes most records by itself, and must take each once.
TEST(fanout, counts_each_record_once_whichever_way_it_goes) {
    fanout<summary, tally> sink;
    sink.record(a_send());
    sink.record(a_send());
    auto odd = a_send();
    odd.flags = mpiprof::call_failed;
    sink.record(odd);
    EXPECT_FALSE(sink.record_quickly(odd));
    EXPECT_EQ(calls_in_shards(sink), 3);
    EXPECT_EQ(sink.get<tally>().calls(), 3);
    EXPECT_FALSE(sink.record_quickly(a_send()));
    sink.record(a_send());
    EXPECT_EQ(calls_in_shards(sink), 4);
    EXPECT_EQ(sink.get<tally>().calls(), 4);
    sink.pick([](std::string_view name) { return name == "summary"; });
    EXPECT_TRUE(sink.record_quickly(a_send()));
    sink.record(a_send());
    EXPECT_EQ(calls_in_shards(sink), 6);
    sink.pick([](std::string_view name) { return name == "tally"; });
    EXPECT_FALSE(sink.record_quickly(a_send()));
    sink.record(a_send());
    sink.record(odd);
    EXPECT_EQ(calls_in_shards(sink), 6);
    EXPECT_EQ(sink.get<tally>().calls(), 6);
}

TEST(fanout, has_the_shards_of_its_summary) {
    fanout<tally, summary> sink;
    sink.record(a_send());
    EXPECT_EQ(calls_in_shards(sink), 1);
    EXPECT_EQ(sink.lost(), 0);
}

}  // namespace
