// Pause, resume, reset, and phases that are begun and ended by calls.
#include <mpiprof/mpiprof.hpp>
#include <mpiprof/report/notes.hpp>
#include <mpiprof/sinks/fanout.hpp>

#include "tests/support/child.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>
#include <unistd.h>

namespace {

using mpiprof::operation;
using counting =
    mpiprof::instrumentation<mpiprof::timing::tsc, mpiprof::bytes::payload,
                             mpiprof::sinks::fanout<mpiprof::sinks::summary, mpiprof::sinks::tally>>;

/// Runs `check`, which returns whether all is right, in a process of its own.
template <class Check>
bool holds(Check check) {
    auto const status = test_support::in_child([&] { return check() ? 0 : 1; });
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void call(int times = 1) {
    auto& recording = mpiprof::recording_of<counting>;
    for (; times > 0; --times) {
        if (!recording.ready(operation::send)) continue;
        mpiprof::scope<operation::send, counting> measured{&recording.sink(), 0,
                                                           mpiprof::call_site::current()};
        measured.stop();
        measured.record().sent = 8;
        auto done = measured.completed();
        done.operation = operation::irecv;
        done.received = 4;
        measured.complete(done);
    }
}

/// Calls and completions, as both sinks have them; -1 where they do not agree.
std::int64_t counted() {
    mpiprof::profiler<counting> const profiler;
    auto const run = profiler.snapshot();
    std::int64_t calls = 0;
    std::int64_t completions = 0;
    for (auto const& row : run.operations) {
        calls += row.statistics.calls;
        completions += row.statistics.completions;
    }
    auto const& tally = profiler.sink().get<mpiprof::sinks::tally>();
    bool const agree = calls == completions && calls == tally.calls(operation::send) &&
                       calls == tally.completions(operation::irecv) && tally.sent() == 8 * calls;
    return agree ? calls : -1;
}

TEST(pause, holds_until_resume) {
    EXPECT_TRUE(holds([] {
        call(2);
        mpiprof::pause();
        call(3);
        mpiprof::resume();
        call(4);
        return counted() == 6;
    }));
}

TEST(pause, holds_for_recordings_that_begin_later) {
    EXPECT_TRUE(holds([] {
        mpiprof::pause();
        mpiprof::pause();
        call(3);
        if (counted() != 0) return false;
        mpiprof::resume();
        call(4);
        return counted() == 4;
    }));
}

TEST(pause, comes_and_goes_with_filters) {
    EXPECT_TRUE(holds([] {
        mpiprof::profiler<counting> const profiler{{.exclude = "test*"}};
        call(1);
        mpiprof::pause();
        call(1);
        mpiprof::resume();
        call(1);
        return counted() == 2;
    }));
}

TEST(reset, forgets_what_was_recorded) {
    EXPECT_TRUE(holds([] {
        mpiprof::reset();
        call(5);
        ::usleep(20000);
        mpiprof::reset();
        if (counted() != 0) return false;
        auto const run = mpiprof::profiler<counting>{}.snapshot();
        call(2);
        mpiprof::reset();
        mpiprof::reset();
        call(7);
        return run.run_time.sum < 15'000'000 && run.calls.empty() && run.peers.empty() && counted() == 7;
    }));
}

// Exact for all that comes after it on any thread, threads that ended and threads that do not come again too.
TEST(reset, is_exact_while_other_threads_record) {
    constexpr int threads = 3;
    constexpr int rounds = 50;
    EXPECT_TRUE(holds([] {
        bool right = true;
        std::barrier meet{threads + 1};
        std::vector<std::jthread> running;
        std::jthread{[] { call(10); }};
        for (int number = 0; number < threads; ++number) {
            running.emplace_back([&meet, number] {
                for (int round = 0; round < rounds; ++round) {
                    meet.arrive_and_wait();
                    // In every third round one of them stays away.
                    if (round % threads != number) call(100);
                    meet.arrive_and_wait();
                }
            });
        }
        for (int round = 0; round < rounds; ++round) {
            mpiprof::reset();
            meet.arrive_and_wait();
            meet.arrive_and_wait();
            right = right && counted() == 100 * (threads - 1);
        }
        return right;
    }));
}

TEST(reset, comes_at_any_time) {
    EXPECT_TRUE(holds([] {
        std::atomic<bool> over{false};
        std::vector<std::jthread> running;
        for (int number = 0; number < 2; ++number)
            running.emplace_back([&over] {
                while (!over) call();
            });
        for (int i = 0; i < 300; ++i) {
            mpiprof::reset();
            static_cast<void>(mpiprof::profiler<counting>{}.snapshot());
        }
        over = true;
        running.clear();
        mpiprof::reset();
        call(3);
        return counted() == 3;
    }));
}

struct found_phases {
    mpiprof::results::profile run = mpiprof::profiler<counting>{}.snapshot();

    mpiprof::results::phase_row of(std::string const& name) const {
        for (auto const& row : run.phases) {
            if (row.name == name) return row;
        }
        return {};
    }
    bool balanced(std::int64_t begins, std::int64_t ends) const {
        return run.unbalanced.begins == begins && run.unbalanced.ends == ends;
    }
};

TEST(phases, that_calls_begin_and_end_are_those_of_objects) {
    EXPECT_TRUE(holds([] {
        for (int i = 0; i < 3; ++i) {
            mpiprof::phase outer{"outer"};
            mpiprof::phase_begin("inner");
            call();
            mpiprof::phase_end();
            call();
        }
        found_phases const found;
        std::int64_t in_outer = 0;
        std::int64_t in_inner = 0;
        for (auto const& row : found.run.calls) {
            if (row.phase == "outer") in_outer += row.statistics.calls;
            if (row.phase == "inner") in_inner += row.statistics.calls;
        }
        return in_outer == 3 && in_inner == 3 && found.of("inner").entered == 3 &&
               found.of("outer").entered == 3 && found.balanced(0, 0) && mpiprof::current_phase == 0;
    }));
}

// L7: an end that finds no begin, and a begin that finds no end, are told and change no count.
TEST(phases, that_are_no_pairs_are_told) {
    EXPECT_TRUE(holds([] {
        mpiprof::phase_end();
        mpiprof::phase_begin("begun");
        mpiprof::phase_end();
        mpiprof::phase_end();
        mpiprof::phase_begin("open");
        call();
        found_phases const found;
        auto const notes = mpiprof::report::notes(found.run);
        return found.balanced(1, 2) && found.of("begun").entered == 1 && found.of("open").entered == 1 &&
               found.of("begun").rank_time.sum >= 0 && found.of("open").rank_time.sum >= 0 &&
               notes.find("Phases: 1 begin without an end") != std::string::npos &&
               notes.find("Phases: 2 ends without a begin") != std::string::npos;
    }));
}

// RG5: the end is B's, and the exception ends A; nothing is shifted.
TEST(phases, end_with_the_object_that_they_were_begun_in) {
    EXPECT_TRUE(holds([] {
        try {
            mpiprof::phase a{"A"};
            mpiprof::phase_begin("B");
            mpiprof::phase_end();
            // Not A's: an object ends that.
            mpiprof::phase_end();
            call();
            mpiprof::phase_begin("C");
            throw 1;
        } catch (int) {
        }
        call();
        found_phases const found;
        bool attributed = true;
        for (auto const& row : found.run.calls)
            attributed = attributed && (row.phase == "A" || row.phase.empty()) && row.statistics.calls == 1;
        return attributed && found.run.calls.size() == 2 && mpiprof::current_phase == 0 &&
               found.of("A").entered == 1 && found.of("B").entered == 1 && found.of("C").entered == 1 &&
               found.balanced(1, 1);
    }));
}

TEST(phases, belong_to_the_thread_that_began_them) {
    EXPECT_TRUE(holds([] {
        mpiprof::phase_begin("here");
        std::jthread{[] {
            mpiprof::phase_end();
            mpiprof::phase_begin("there");
        }}.join();
        mpiprof::phase_end();
        auto moved = std::make_unique<mpiprof::phase>("moved");
        std::jthread{[&] { moved.reset(); }}.join();
        found_phases const found;
        return found.balanced(1, 2) && found.of("here").entered == 1 && found.of("there").entered == 1 &&
               found.of("moved").entered == 1;
    }));
}

TEST(phases, of_objects_may_end_in_any_order) {
    EXPECT_TRUE(holds([] {
        auto first = std::make_unique<mpiprof::phase>("first");
        auto second = std::make_unique<mpiprof::phase>("second");
        first.reset();
        auto const in_second = mpiprof::current_phase;
        second.reset();
        found_phases const found;
        return in_second != 0 && mpiprof::current_phase == 0 && found.balanced(0, 0) &&
               found.of("first").entered == 1 && found.of("second").entered == 1;
    }));
}

TEST(phases, may_have_any_name) {
    EXPECT_TRUE(holds([] {
        std::string const huge(10'000, 'x');
        std::string bytes;
        for (int byte = 255; byte > 0; --byte) bytes += static_cast<char>(byte);
        for (auto const& name : {huge, bytes, std::string{}, bytes + '\0' + "cut off"}) {
            mpiprof::phase_begin(name);
            call();
            mpiprof::phase_end();
        }
        found_phases const found;
        return found.of(huge).entered == 1 && found.of(bytes).entered == 2 && found.of("").entered == 1 &&
               found.balanced(0, 0) && counted() == 4;
    }));
}

TEST(phases, without_a_name_are_told_and_pair_with_their_ends) {
    testing::internal::CaptureStderr();
    mpiprof::phase_begin("outer");
    auto const outer = mpiprof::current_phase;
    mpiprof::phase_begin({});
    EXPECT_EQ(mpiprof::current_phase, outer);
    mpiprof::phase_end();
    EXPECT_EQ(mpiprof::current_phase, outer);
    mpiprof::phase_end();
    EXPECT_EQ(mpiprof::current_phase, 0U);
    EXPECT_EQ(mpiprof::phase_registry::instance().unbalanced_calls().ends, 0);
    // The first call that is recorded knows which rank it is.
    call();
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "mpiprof: a phase was begun with no name (NULL); it is in no profile\n");
}

TEST(phases, that_are_open_count_from_a_reset_on) {
    EXPECT_TRUE(holds([] {
        mpiprof::phase outer{"outer"};
        mpiprof::phase_begin("inner");
        mpiprof::phase_end();
        mpiprof::phase_end();
        ::usleep(20000);
        mpiprof::reset();
        found_phases const found;
        return found.of("outer").entered == 1 && found.of("outer").rank_time.sum < 15'000'000 &&
               found.of("inner").entered == 0 && found.balanced(0, 0);
    }));
}

// RG8
TEST(phases, recur_to_any_depth) {
    EXPECT_TRUE(holds([] {
        constexpr int depth = 100'000;
        for (int i = 0; i < depth; ++i) mpiprof::phase_begin("level");
        for (int i = 0; i < depth; ++i) mpiprof::phase_end();
        std::vector<std::unique_ptr<mpiprof::phase>> objects;
        for (int i = 0; i < depth; ++i) objects.push_back(std::make_unique<mpiprof::phase>("object"));
        for (int i = 0; i < depth; ++i) objects.pop_back();
        found_phases const found;
        return found.of("level").entered == depth && found.of("level").depth == depth &&
               found.of("object").entered == depth && found.of("object").depth == depth &&
               found.balanced(0, 0);
    }));
}

}  // namespace
