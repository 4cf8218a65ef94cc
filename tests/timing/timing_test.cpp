// The laws of a timing policy, over each model.
#include <mpiprof/timing/none.hpp>
#include <mpiprof/timing/steady.hpp>
#include <mpiprof/timing/tsc.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace {

template <class Timing>
class timing_policy : public testing::Test {};

using models = testing::Types<mpiprof::timing::none, mpiprof::timing::steady, mpiprof::timing::tsc>;
TYPED_TEST_SUITE(timing_policy, models);

TYPED_TEST(timing_policy, never_decreases) {
    auto last = TypeParam::now();
    for (int i = 0; i < 10000; ++i) {
        auto const now = TypeParam::now();
        EXPECT_GE(TypeParam::nanoseconds(last, now), 0);
        last = now;
    }
}

TYPED_TEST(timing_policy, nanoseconds_are_additive_and_zero_from_a_time_to_itself) {
    auto const a = TypeParam::now();
    auto const b = TypeParam::now();
    auto const c = TypeParam::now();
    EXPECT_EQ(TypeParam::nanoseconds(a, a), 0);
    EXPECT_EQ(TypeParam::nanoseconds(a, b) + TypeParam::nanoseconds(b, c), TypeParam::nanoseconds(a, c));
}

TYPED_TEST(timing_policy, takes_no_room) { static_assert(std::is_empty_v<TypeParam>); }

TEST(steady, measures_what_passes) {
    auto const begin = mpiprof::timing::steady::now();
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    EXPECT_GE(mpiprof::timing::steady::nanoseconds(begin, mpiprof::timing::steady::now()), 20'000'000);
}

}  // namespace
