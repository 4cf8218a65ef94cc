// The clocks of ranks on one timeline.
#include <mpiprof/traces/messages.hpp>

#include "tests/traces/temporary_folder.hpp"
#include "tests/traces/trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using mpiprof::traces::clock_knowledge;
using mpiprof::traces::event;
using mpiprof::traces::trace;
using test_support::trace_builder;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

mpiprof::call message(mpiprof::operation what, int peer, std::int64_t begin, std::int64_t end) {
    mpiprof::call made;
    made.operation = what;
    made.communicator = 0;
    made.peer = peer;
    made.tag = 1;
    made.begin = begin;
    made.end = end;
    return made;
}

std::vector<std::int64_t> begins(trace const& from, std::size_t rank) {
    std::vector<std::int64_t> found;
    from.for_each(rank, 0, [&](event const& each) { found.push_back(each.begin); });
    return found;
}

class clocks : public testing::Test {
  protected:
    trace read() const { return trace{run_.write(folder_.path())}; }

    test_support::temporary_folder folder_;
    trace_builder run_{2};
};

TEST_F(clocks, of_one_machine_are_one) {
    run_.rank(1).facts.start += 500;
    run_.rank(1).facts.monotonic_start += 501;  // read a little later
    run_.rank(1).facts.realtime_start += 77'000;
    run_.rank(0).thread().call(message(mpiprof::operation::send, 1, 600, 700));
    run_.rank(1).thread().call(message(mpiprof::operation::recv, 0, 100, 300));
    auto const from = read();
    EXPECT_EQ(from.ranks()[1].begin, 500);
    EXPECT_THAT(begins(from, 1), ElementsAre(600));
    EXPECT_EQ(from.ranks()[1].clock_known, clock_knowledge::same);
    EXPECT_EQ(from.ranks()[1].clock_error, 0);
    EXPECT_EQ(from.ranks()[1].to_monotonic, 5'000'000'501 - 500);
    EXPECT_THAT(from.notes(), ElementsAre());
}

TEST_F(clocks, of_one_machine_are_one_even_if_they_were_compared) {
    auto const& first = run_.rank(0).facts;
    run_.rank(0).facts.samples = {{first.start, first.monotonic_start, 0},
                                  {first.start + 50'000, first.monotonic_start + 50'000, 0}};
    run_.rank(1).facts.samples = {{first.start, first.monotonic_start + 800, 900},
                                  {first.start + 50'000, first.monotonic_start + 49'000, 1100}};
    run_.rank(0).thread();
    run_.rank(1).thread().call(message(mpiprof::operation::send, 0, 600, 700));
    auto const from = read();
    EXPECT_THAT(begins(from, 1), ElementsAre(600));
    EXPECT_EQ(from.ranks()[1].clock_known, clock_knowledge::same);
    EXPECT_EQ(from.ranks()[1].clock_error, 0);
}

TEST_F(clocks, of_one_machine_that_were_set_apart_are_two) {
    auto const& first = run_.rank(0).facts;
    run_.rank(1).facts.samples = {{first.start, first.monotonic_start + 10'000'000, 900},
                                  {first.start + 50'000, first.monotonic_start + 10'050'000, 900}};
    run_.rank(0).thread();
    run_.rank(1).thread().call(message(mpiprof::operation::send, 0, 600, 700));
    auto const from = read();
    EXPECT_THAT(begins(from, 1), ElementsAre(10'000'600));
    EXPECT_EQ(from.ranks()[1].clock_known, clock_knowledge::measured);
}

TEST_F(clocks, of_one_machine_are_counted_at_one_rate) {
    for (int rank : {0, 1}) {
        run_.rank(rank).facts.clock = "tsc";
        run_.rank(rank).facts.rate = rank == 0 ? 0.5 : 0.5001;  // as well as each knew it
        run_.rank(rank).thread().call(message(mpiprof::operation::send, 1 - rank, 1'000'000, 1'000'002));
    }
    auto const from = read();
    EXPECT_THAT(begins(from, 0), ElementsAre(500'000));
    EXPECT_THAT(begins(from, 1), ElementsAre(500'000));
}

TEST_F(clocks, that_were_never_compared_have_times_of_day) {
    run_.rank(1).facts.boot = "another boot";
    run_.rank(1).facts.start = 123;
    run_.rank(1).facts.realtime_start += 2000;
    run_.rank(0).thread();
    run_.rank(1).thread().call(message(mpiprof::operation::send, 0, 10, 20));
    auto const from = read();
    EXPECT_THAT(begins(from, 1), ElementsAre(2010));
    EXPECT_EQ(from.ranks()[1].clock_known, clock_knowledge::unknown);
    EXPECT_EQ(from.ranks()[1].clock_error, -1);
    EXPECT_THAT(from.notes(), Contains(HasSubstr("the clocks of rank 1 were never compared with rank 0's")));
}

TEST_F(clocks, that_were_compared_once_have_an_offset) {
    run_.rank(1).facts.boot = "another boot";
    run_.rank(1).facts.start = 10'000;
    run_.rank(1).facts.samples = {{12'000, 5'000'003'000, 40}};
    run_.rank(0).thread();
    run_.rank(1).thread().call(message(mpiprof::operation::send, 0, 2500, 2600));
    auto const from = read();
    EXPECT_EQ(from.ranks()[1].begin, 1000);
    EXPECT_THAT(begins(from, 1), ElementsAre(3500));
    EXPECT_EQ(from.ranks()[1].clock_known, clock_knowledge::no_drift);
    EXPECT_EQ(from.ranks()[1].clock_error, 40);
    EXPECT_THAT(from.notes(),
                ElementsAre(HasSubstr("the clocks of rank 1 were compared once, so their drift")));
}

// Case CL5: ten seconds between the clocks, and one of them too fast by 100 ppm.
TEST_F(clocks, that_were_compared_twice_have_an_offset_and_a_drift) {
    constexpr std::int64_t second = 1'000'000'000;
    auto& first = run_.rank(0).facts;
    auto& other = run_.rank(1).facts;
    first.samples = {{first.start, first.monotonic_start, 0},
                     {first.start + 100 * second, first.monotonic_start + 100 * second, 0}};
    other.boot = "another boot";
    other.start = 10 * second;
    other.monotonic_start = 10 * second;
    other.samples = {{other.start, first.monotonic_start, 90},
                     {other.start + 100 * second + 10'000'000, first.monotonic_start + 100 * second, 70}};
    run_.rank(0).thread().call(message(mpiprof::operation::send, 1, 50 * second, 50 * second + 10));
    run_.rank(1).thread().call(
        message(mpiprof::operation::recv, 0, 50 * second + 4'999'000, 50 * second + 5'000'800));
    auto const from = read();
    EXPECT_EQ(from.ranks()[1].begin, 0);
    EXPECT_EQ(from.ranks()[1].clock_known, clock_knowledge::measured);
    EXPECT_EQ(from.ranks()[1].clock_error, 90);
    auto const found = mpiprof::traces::messages_of(from);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].is_whole());
    EXPECT_EQ(found[0].sent.time, 50 * second);
    // 100 ppm of the 800 ns are nothing.
    EXPECT_NEAR(static_cast<double>(found[0].received.time), 50.0 * second + 800, 2);
}

TEST_F(clocks, that_were_compared_do_not_need_rank_0) {
    run_.rank(1).facts.start = 10'000;
    run_.rank(1).facts.samples = {{10'000, 5'000'000'000, 5}, {20'000, 5'000'010'000, 6}};
    run_.rank(1).thread().call(message(mpiprof::operation::send, 0, 2500, 2600));
    auto const from = read();
    EXPECT_THAT(begins(from, 0), ElementsAre(2500));
    EXPECT_EQ(from.ranks()[0].clock_error, 6);
}

}  // namespace
