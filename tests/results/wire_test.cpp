// Profiles over the wire: what comes out is what went in, and damage is seen.
#include <mpiprof/results/json.hpp>
#include <mpiprof/results/wire.hpp>

#include "tests/support/random_profile.hpp"

#include <gtest/gtest.h>

namespace {

using mpiprof::results::profile;

TEST(wire, brings_everything_over) {
    auto const sent = test_support::random_profile(3, 4);
    auto const bytes = mpiprof::results::pack(sent);
    profile received;
    ASSERT_TRUE(mpiprof::results::unpack(received, bytes.data(), bytes.size()));
    EXPECT_EQ(to_json(received), to_json(sent));
}

TEST(wire, sees_every_cut) {
    auto const bytes = mpiprof::results::pack(test_support::random_profile(1, 4));
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
        profile received;
        EXPECT_FALSE(mpiprof::results::unpack(received, bytes.data(), size)) << size;
    }
}

TEST(wire, sees_what_is_left_over) {
    auto bytes = mpiprof::results::pack(profile{});
    bytes.push_back(0);
    profile received;
    EXPECT_FALSE(mpiprof::results::unpack(received, bytes.data(), bytes.size()));
}

TEST(wire, survives_wrong_sizes) {
    auto const bytes = mpiprof::results::pack(test_support::random_profile(1, 4));
    for (std::size_t place = 0; place + 8 <= bytes.size(); place += 5) {
        for (char const wrong : {'\x7f', '\xff'}) {
            auto damaged = bytes;
            for (std::size_t i = 0; i < 8; ++i) damaged[place + i] = wrong;
            profile received;
            static_cast<void>(mpiprof::results::unpack(received, damaged.data(), damaged.size()));
        }
    }
}

}  // namespace
