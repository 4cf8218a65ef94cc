// Numbers that each rank has one of.
#include <mpiprof/results/over_ranks.hpp>

#include <gtest/gtest.h>

namespace {

using mpiprof::results::over_ranks;

TEST(over_ranks, keeps_sum_extremes_and_the_lowest_rank_of_the_largest) {
    auto all = over_ranks::of(5, 3);
    merge(all, over_ranks::of(9, 2));
    merge(all, over_ranks::of(9, 1));
    merge(all, over_ranks::of(1, 0));
    EXPECT_EQ(all.ranks, 4);
    EXPECT_EQ(all.sum, 24);
    EXPECT_EQ(all.least, 1);
    EXPECT_EQ(all.most, 9);
    EXPECT_EQ(all.rank_of_most, 1);
    EXPECT_DOUBLE_EQ(all.mean(), 6);
    EXPECT_DOUBLE_EQ(all.imbalance(), 1.0 / 3);
}

TEST(over_ranks, of_no_rank_is_neutral) {
    over_ranks none;
    EXPECT_EQ(none.mean(), 0);
    EXPECT_EQ(none.imbalance(), 0);
    merge(none, over_ranks::of(-4, 2));
    EXPECT_EQ(none.least, -4);
    merge(none, over_ranks{});
    EXPECT_EQ(none.ranks, 1);
}

TEST(over_ranks, is_balanced_when_all_have_the_same_and_when_all_have_nothing) {
    auto same = over_ranks::of(7, 0);
    merge(same, over_ranks::of(7, 1));
    EXPECT_EQ(same.imbalance(), 0);
    auto nothing = over_ranks::of(0, 0);
    merge(nothing, over_ranks::of(0, 1));
    EXPECT_EQ(nothing.imbalance(), 0);
}

}  // namespace
