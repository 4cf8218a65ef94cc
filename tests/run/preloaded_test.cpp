// A program with mpiprof compiled in beside the preload library, and the preload library's own copy: what
// they tell each other. The program plays both.
#include <mpiprof/mpiprof.hpp>

#include "tests/support/child.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace {

using mpiprof::operation;
using counting =
    mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::payload, mpiprof::sinks::tally>;

/// What the preload library was told, in order.
std::string told;
std::ptrdiff_t told_distance = 0;

constexpr mpiprof::preload_interface played{
    .pause = []() noexcept { told += "pause "; },
    .resume = []() noexcept { told += "resume "; },
    .reset = []() noexcept { told += "reset "; },
    .write_snapshot = []() noexcept { told += "write_snapshot "; },
    .phase_begin = [](char const* name,
                      std::size_t size) noexcept { told += "begin:" + std::string(name, size) + ' '; },
    .phase_end = []() noexcept { told += "end "; },
    .scoped_phase_begin =
        [](char const* name, std::size_t size) noexcept {
            told += "scoped:" + std::string(name, size) + ' ';
            return std::uint64_t{7};
        },
    .scoped_phase_end =
        [](std::uint64_t ticket) noexcept { told += "scoped_end:" + std::to_string(ticket) + ' '; },
    .add_nesting =
        [](std::ptrdiff_t distance) noexcept {
            told += "add_nesting ";
            told_distance = distance;
        },
};

}  // namespace

extern "C" mpiprof::preload_interface const mpiprof_preload_interface;
mpiprof::preload_interface const mpiprof_preload_interface = played;

namespace {

int nesting_from(std::ptrdiff_t distance) {
    return *reinterpret_cast<int const*>(reinterpret_cast<char const*>(::pthread_self()) + distance);
}

TEST(preload, is_told_where_calls_are_counted_on_every_thread) {
    mpiprof::profiler<counting> const profiler;
    EXPECT_EQ(told, "add_nesting ");
    told.clear();
    auto const check = [&] {
        EXPECT_EQ(nesting_from(told_distance), 0);
        {
            mpiprof::scope<operation::send, counting> measured{&profiler.sink(), 0,
                                                               mpiprof::call_site::current()};
            EXPECT_EQ(nesting_from(told_distance), 1);
            {
                mpiprof::scope<operation::recv, counting> inner{&profiler.sink(), 0,
                                                                mpiprof::call_site::current()};
                EXPECT_EQ(nesting_from(told_distance), 2);
                // It ends without a stop, as an exception ends it.
            }
            EXPECT_EQ(nesting_from(told_distance), 1);
            measured.stop();
            EXPECT_EQ(nesting_from(told_distance), 0);
        }
        EXPECT_EQ(nesting_from(told_distance), 0);
    };
    check();
    std::thread{check}.join();
    EXPECT_EQ(told, "");
}

TEST(preload, is_told_what_the_program_says) {
    told.clear();
    mpiprof::pause();
    mpiprof::resume();
    mpiprof::phase_begin("solve");
    mpiprof::phase_end();
    {
        mpiprof::phase scoped{"scoped"};
    }
    mpiprof::reset();
    mpiprof::write_snapshot();
    EXPECT_EQ(told, "pause resume begin:solve end scoped:scoped scoped_end:7 reset write_snapshot ");
}

// As in the preload's own copy: another copy's count, which the recording was told of.
constinit thread_local int other_nesting = 0;

void call(mpiprof::profiler<counting> const& profiler) {
    auto& recording = mpiprof::recording_of<counting>;
    if (!recording.ready(operation::send)) return;
    mpiprof::scope<operation::send, counting> measured{&profiler.sink(), 0, mpiprof::call_site::current()};
    measured.stop();
}

TEST(preloads_copy, leaves_calls_to_the_copy_that_measures_them) {
    auto const status = test_support::in_child([] {
        mpiprof::profiler<counting> const profiler;
        call(profiler);
        auto const distance =
            reinterpret_cast<char const*>(&other_nesting) - reinterpret_cast<char const*>(::pthread_self());
        mpiprof::detail::add_nesting(distance);
        mpiprof::detail::add_nesting(distance);
        call(profiler);
        other_nesting = 1;
        call(profiler);
        call(profiler);
        std::thread{[&] { call(profiler); }}.join();
        other_nesting = 0;
        call(profiler);
        return static_cast<int>(profiler.sink().calls(operation::send));
    });
    EXPECT_EQ(WEXITSTATUS(status), 4);
}

}  // namespace
