// Phases: nesting, recursion, exceptions, threads.
#include <mpiprof/run/phase.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace {

using mpiprof::phase;

mpiprof::phase_registry::entry known(std::string const& name) {
    for (auto const& each : mpiprof::phase_registry::instance().entries()) {
        if (each.name == name) return each;
    }
    return {};
}

TEST(phase, is_the_threads_current_one_until_it_ends) {
    EXPECT_EQ(mpiprof::current_phase, 0U);
    {
        phase outer{"outer"};
        auto const outer_id = mpiprof::current_phase;
        EXPECT_NE(outer_id, 0U);
        {
            phase inner{"inner"};
            EXPECT_NE(mpiprof::current_phase, outer_id);
            std::jthread{[] { EXPECT_EQ(mpiprof::current_phase, 0U); }};
        }
        EXPECT_EQ(mpiprof::current_phase, outer_id);
    }
    EXPECT_EQ(mpiprof::current_phase, 0U);
    EXPECT_EQ(known("outer").entered, 1);
    EXPECT_EQ(known("inner").entered, 1);
    EXPECT_GE(known("outer").time, known("inner").time);
}

TEST(phase, has_one_number_a_name) {
    mpiprof::phase_id first = 0;
    {
        phase one{"same"};
        first = mpiprof::current_phase;
    }
    std::string const computed = std::string{"sa"} + "me";
    phase other{computed};
    EXPECT_EQ(mpiprof::current_phase, first);
}

TEST(phase, ends_when_an_exception_leaves_it) {
    try {
        phase left{"left"};
        throw std::runtime_error("out of the phase");
    } catch (std::runtime_error const&) {
    }
    EXPECT_EQ(mpiprof::current_phase, 0U);
    EXPECT_EQ(known("left").entered, 1);
}

void descend(int levels) {
    phase level{"recursion"};
    if (levels > 1) descend(levels - 1);
}

TEST(phase, counts_time_of_a_recursion_once) {
    auto const begin = std::chrono::steady_clock::now();
    descend(1000);
    auto const passed =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin)
            .count();
    auto const entry = known("recursion");
    EXPECT_EQ(entry.entered, 1000);
    EXPECT_EQ(entry.depth, 1000);
    EXPECT_LE(entry.time, passed);
}

TEST(phase, adds_up_over_threads) {
    {
        std::jthread one{[] { phase shared{"shared"}; }};
        std::jthread other{[] { phase shared{"shared"}; }};
    }
    EXPECT_EQ(known("shared").entered, 2);
    EXPECT_EQ(known("shared").depth, 1);
}

}  // namespace
