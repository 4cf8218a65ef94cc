// Lists of rows: they own what they hold, and sort and combine it stably.
#include <mpiprof/results/merge.hpp>

#include <gtest/gtest.h>

namespace {

using mpiprof::results::host_row;
using mpiprof::results::phase_row;
using mpiprof::results::rows;

TEST(rows, are_copied_and_moved_as_values) {
    rows<host_row> some = {{"b", 1}, {"a", 2}};
    auto copy = some;
    copy[0].ranks = 7;
    EXPECT_EQ(some.at(0).ranks, 1);
    auto const moved = std::move(some);
    EXPECT_EQ(moved.size(), 2U);
    EXPECT_EQ(moved.back().name, "a");
    copy = moved;
    EXPECT_EQ(copy.front().ranks, 1);
    rows<host_row> more = {{"c", 3}};
    copy.append_all_of(more);
    EXPECT_EQ(copy.size(), 3U);
    EXPECT_TRUE(more.empty());
    copy.clear();
    EXPECT_TRUE(copy.empty());
}

TEST(rows, are_combined_to_one_row_a_key) {
    rows<host_row> many;
    for (int i = 0; i < 100; ++i) many.push_back({std::string(1, static_cast<char>('a' + i * 7 % 10)), i});
    combine(many);
    ASSERT_EQ(many.size(), 10U);
    for (std::size_t i = 0; i < many.size(); ++i) {
        EXPECT_EQ(many[i].name, std::string(1, static_cast<char>('a' + i)));
        // Ten numbers with the same last digit, from 0 to 99.
        EXPECT_EQ(many[i].ranks, static_cast<std::int64_t>(450 + 10 * (i * 3 % 10)));
    }
}

TEST(rows, are_sorted_stably) {
    rows<phase_row> many;
    for (int i = 0; i < 64; ++i) many.push_back({"", i, i % 3, {}});
    auto const sorted = many.sorted([](void const* a, void const* b) {
        return static_cast<int>(static_cast<phase_row const*>(a)->depth -
                                static_cast<phase_row const*>(b)->depth);
    });
    ASSERT_EQ(sorted.size(), 64U);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        auto const& before = *static_cast<phase_row const*>(sorted[i - 1]);
        auto const& row = *static_cast<phase_row const*>(sorted[i]);
        EXPECT_TRUE(before.depth < row.depth || (before.depth == row.depth && before.entered < row.entered));
    }
}

}  // namespace
