// The merge operator: associative, in any order, and it loses nothing.
#include <mpiprof/results/json.hpp>
#include <mpiprof/results/merge.hpp>

#include "tests/support/random_profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using mpiprof::results::profile;
using mpiprof::results::rank_set;
using test_support::random_profile;

constexpr std::int64_t ranks = 9;

std::vector<profile> profiles() {
    std::vector<profile> all;
    for (std::int64_t rank = 0; rank < ranks; ++rank) all.push_back(random_profile(rank, ranks));
    return all;
}

/// Merges the profiles from `first` to before `last`, split at random places.
profile merge_at_random(std::vector<profile> const& all, std::size_t first, std::size_t last,
                        std::mt19937& engine) {
    if (last - first == 1) return all[first];
    auto const middle = first + 1 + engine() % (last - first - 1);
    auto left = merge_at_random(all, first, middle, engine);
    auto const right = merge_at_random(all, middle, last, engine);
    merge(left, right);
    return left;
}

/// The deviations of all rows, which are put to 0 in the profile: floating point adds up to the same only
/// nearly.
std::vector<double> take_deviations(profile& run) {
    std::vector<double> all;
    auto const take = [&](auto& times) {
        all.push_back(times.deviation);
        times.deviation = 0;
    };
    for (auto& row : run.operations) take(row.statistics.time);
    for (auto& row : run.call_sites) take(row.statistics.time);
    for (auto& row : run.calls) take(row.statistics.time);
    for (auto& row : run.completions) take(row.pending), take(row.waited);
    take(run.overflow.time);
    return all;
}

TEST(merge, gives_the_same_in_any_order_and_grouping) {
    auto all = profiles();
    std::mt19937 engine{5};
    auto expected = merge_at_random(all, 0, all.size(), engine);
    auto const deviations = take_deviations(expected);
    for (int i = 0; i < 50; ++i) {
        std::shuffle(all.begin(), all.end(), engine);
        auto merged = merge_at_random(all, 0, all.size(), engine);
        auto const others = take_deviations(merged);
        EXPECT_EQ(to_json(merged), to_json(expected));
        ASSERT_EQ(others.size(), deviations.size());
        for (std::size_t row = 0; row < others.size(); ++row) {
            EXPECT_NEAR(others[row], deviations[row], 1e-9 * deviations[row] + 1e-9);
        }
    }
}

TEST(merge, of_spreads_is_that_of_all_times_together) {
    // 1, 2, 3 and 6 have the mean 3 and the deviation 4 + 1 + 0 + 9.
    mpiprof::results::times some{3, 1, 2, 0.5};
    merge(some, 2, {9, 3, 6, 4.5}, 2);
    EXPECT_DOUBLE_EQ(some.deviation, 14);
    EXPECT_DOUBLE_EQ(spread(some, 4), std::sqrt(3.5));
    mpiprof::results::times none;
    merge(none, 0, some, 4);
    EXPECT_DOUBLE_EQ(none.deviation, 14);
}

TEST(merge, adds_up_every_count) {
    auto const all = profiles();
    profile merged;
    std::int64_t calls = 0;
    std::int64_t sent = 0;
    std::int64_t completions = 0;
    std::int64_t entered = 0;
    std::int64_t file_bytes = 0;
    std::int64_t waited = 0;
    std::int64_t outstanding = 0;
    for (auto const& each : all) {
        merge(merged, each);
        for (auto const& row : each.calls) calls += row.statistics.calls, sent += row.statistics.sent;
        for (auto const& row : each.calls) file_bytes += row.statistics.written + row.statistics.read;
        for (auto const& row : each.completions) completions += row.completions, waited += row.waited.sum;
        for (auto const& row : each.completions) file_bytes += row.read;
        for (auto const& row : each.outstanding) outstanding += row.requests.sum;
        for (auto const& row : each.phases) entered += row.entered;
    }
    for (auto const& row : merged.calls) calls -= row.statistics.calls, sent -= row.statistics.sent;
    for (auto const& row : merged.calls) file_bytes -= row.statistics.written + row.statistics.read;
    for (auto const& row : merged.completions) completions -= row.completions, waited -= row.waited.sum;
    for (auto const& row : merged.completions) file_bytes -= row.read;
    for (auto const& row : merged.outstanding) outstanding -= row.requests.sum;
    for (auto const& row : merged.phases) entered -= row.entered;
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(sent, 0);
    EXPECT_EQ(completions, 0);
    EXPECT_EQ(entered, 0);
    EXPECT_EQ(file_bytes, 0);
    EXPECT_EQ(waited, 0);
    EXPECT_EQ(outstanding, 0);
    EXPECT_EQ(merged.ranks, (rank_set{{0, ranks - 1}}));
    EXPECT_EQ(merged.run_time.ranks, ranks);
    EXPECT_EQ(merged.clock, "steady+tsc");
    EXPECT_EQ(merged.command, "program 0");
}

TEST(merge, with_an_empty_profile_changes_nothing) {
    auto const one = random_profile(0, 1);
    profile merged;
    merge(merged, one);
    merge(merged, profile{});
    EXPECT_EQ(to_json(merged), to_json(one));
}

TEST(merge, keeps_one_row_a_key_with_the_extremes_of_all_calls) {
    profile one;
    one.ranks = {{0, 0}};
    one.operations.push_back({"send", {}});
    one.operations[0].statistics.calls = 2;
    one.operations[0].statistics.time = {30, 10, 20, 50};
    profile other;
    other.ranks = {{1, 1}};
    other.operations.push_back({"send", {}});
    other.operations[0].statistics.calls = 1;
    other.operations[0].statistics.time = {5, 5, 5, 0};
    // A row with no call at all, only completions, has no times to take in.
    other.operations.push_back({"send", {}});
    other.operations[1].statistics.completions = 1;
    merge(one, other);
    ASSERT_EQ(one.operations.size(), 1U);
    EXPECT_EQ(one.operations[0].statistics.time.sum, 35);
    EXPECT_EQ(one.operations[0].statistics.time.least, 5);
    EXPECT_EQ(one.operations[0].statistics.time.most, 20);
    EXPECT_EQ(one.operations[0].statistics.completions, 1);
}

TEST(merge, adds_outstanding_requests_of_one_kind_and_tells_other_kinds_apart) {
    using row = mpiprof::results::outstanding_row;
    row const irecv{"irecv", 0, -2, 7, "a.cpp", 3, mpiprof::results::over_ranks::of(2, 0)};
    profile merged;
    merged.ranks = {{0, 0}};
    merged.outstanding = {irecv};
    profile other;
    other.ranks = {{1, 1}};
    other.outstanding = {irecv};
    other.outstanding[0].requests = mpiprof::results::over_ranks::of(5, 1);
    auto const add_changed = [&](auto change) {
        auto changed = irecv;
        change(changed);
        other.outstanding.push_back(changed);
    };
    add_changed([](row& each) { each.operation = "isend"; });
    add_changed([](row& each) { each.communicator = 1; });
    add_changed([](row& each) { each.peer = 0; });
    add_changed([](row& each) { each.tag = 8; });
    add_changed([](row& each) { each.file = "b.cpp"; });
    add_changed([](row& each) { each.line = 4; });
    merge(merged, other);
    ASSERT_EQ(merged.outstanding.size(), 7U);
    int joined = 0;
    for (auto const& each : merged.outstanding) {
        if (row::order(each, irecv) != 0) continue;
        ++joined;
        EXPECT_EQ(each.requests.sum, 7);
        EXPECT_EQ(each.requests.ranks, 2);
        EXPECT_EQ(each.requests.rank_of_most, 1);
    }
    EXPECT_EQ(joined, 1);
}

TEST(merge, adds_threads_of_one_rank_that_are_in_one_call) {
    profile run;
    run.in_progress = {{1, "recv", "a.cpp", 3, 1, 50, 60},
                       {1, "recv", "a.cpp", 4, 1, 50, 60},
                       {1, "recv", "a.cpp", 3, 1, 40, 70},
                       {2, "recv", "a.cpp", 3, 1, 10, -1}};
    combine(run.in_progress);
    ASSERT_EQ(run.in_progress.size(), 3U);
    EXPECT_EQ(run.in_progress[0].threads, 2);
    EXPECT_EQ(run.in_progress[0].since, 40);
    EXPECT_EQ(run.in_progress[0].duration, 70);
    EXPECT_EQ(run.in_progress[2].rank, 2);
}

TEST(rank_set, loses_the_ranks_of_another_one) {
    rank_set const set = {{0, 4}, {7, 7}, {9, 12}};
    EXPECT_EQ(without(set, {}), set);
    EXPECT_TRUE(without(set, set).empty());
    EXPECT_TRUE(without({}, set).empty());
    EXPECT_EQ(without(set, {{1, 2}, {4, 9}, {11, 20}}), (rank_set{{0, 0}, {3, 3}, {10, 10}}));
}

TEST(rank_set, joins_ranges_that_touch_and_knows_what_is_missing) {
    rank_set set = {{4, 4}};
    merge(set, {{0, 1}});
    EXPECT_EQ(set, (rank_set{{0, 1}, {4, 4}}));
    EXPECT_EQ(size(set), 3);
    EXPECT_EQ(missing(set, 7), (rank_set{{2, 3}, {5, 6}}));
    merge(set, {{2, 3}});
    EXPECT_EQ(set, (rank_set{{0, 4}}));
    EXPECT_TRUE(missing(set, 5).empty());
    EXPECT_TRUE(overlap(set, {{4, 9}}));
    EXPECT_FALSE(overlap(set, {{5, 9}}));
    EXPECT_EQ(mpiprof::results::missing({}, 2), (rank_set{{0, 1}}));
}

}  // namespace
