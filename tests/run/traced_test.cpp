// What a traced process leaves, however it ends.
#include <mpiprof/mpiprof.hpp>
#include <mpiprof/traces/nesting.hpp>
#include <mpiprof/traces/trace.hpp>

#include "tests/support/child.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using mpiprof::operation;
using mpiprof::process;
using recorded = mpiprof::default_instrumentation;
using mpiprof::traces::event;
using mpiprof::traces::event_type;

constexpr int killed = -1;

void call(operation which, int tag) {
    auto& recording = mpiprof::recording_of<recorded>;
    if (!recording.ready(which)) return;
    mpiprof::call record;
    record.operation = which;
    record.communicator = mpiprof::world_communicator;
    record.sent = 8;
    record.peer = 1;
    record.tag = tag;
    record.phase = mpiprof::current_phase;
    record.site = mpiprof::call_site{"traced.cpp", 7};
    record.begin = recorded::timing::now();
    record.end = recorded::timing::now();
    recording.sink().record(record);
}

void calls(int count) {
    for (int i = 0; i < count; ++i) call(operation::send, i);
}

/// As the end of the run does it.
std::string finish() {
    auto& recording = mpiprof::recording_of<recorded>;
    recording.stop();
    return recording.has_trace() ? recording.write_trace().error : "no trace";
}

class traced : public testing::Test {
  protected:
    void SetUp() override {
        folder = std::filesystem::path{testing::TempDir()} / ("traced." + std::to_string(::getpid()));
        std::filesystem::create_directories(folder / "shards");
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    /// Runs `work` as rank 2 of a job that MPI runs in. Returns its exit status, or `killed`.
    int run(std::string const& settings, std::function<void()> const& work) const {
        auto const all = "sinks=summary+trace,shards=" + (folder / "shards").string() +
                         ",output=" + (folder / "run.json").string() + "," + settings;
        ::setenv("MPIPROF", all.c_str(), 1);
        int const status = test_support::in_child([&] {
            process::instance().hooks.attach = []() noexcept { return true; };
            process::instance().place = {2, 4, "library"};
            work();
            return 0;
        });
        return WIFEXITED(status) ? WEXITSTATUS(status) : killed;
    }

    std::vector<std::string> files(std::string const& ending) const {
        std::vector<std::string> found;
        for (auto const& entry : std::filesystem::recursive_directory_iterator{folder})
            if (entry.path().string().ends_with(ending)) found.push_back(entry.path().string());
        return found;
    }

    /// The one trace that is there.
    mpiprof::traces::trace read() const { return mpiprof::traces::trace{files(".trace")}; }

    std::string finished() const { return (folder / "run.rank2.trace").string(); }

    std::filesystem::path folder;
};

std::vector<event> events_of(mpiprof::traces::trace const& from) {
    std::vector<event> all;
    from.for_each([&](event const& each) { all.push_back(each); });
    return all;
}

TEST_F(traced, process_that_ends_leaves_its_finished_trace_and_nothing_else) {
    ASSERT_EQ(run("",
                  [] {
                      {
                          mpiprof::phase p{"solve"};
                          calls(5000);
                      }
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    ASSERT_EQ(files(".trace"), std::vector{finished()});
    auto const trace = read();
    ASSERT_EQ(trace.ranks().size(), 1U);
    auto const& rank = trace.ranks()[0];
    EXPECT_EQ(rank.number, 2);
    EXPECT_EQ(trace.world_size(), 4);
    EXPECT_FALSE(rank.unfinished);
    EXPECT_FALSE(rank.has_gaps);
    EXPECT_EQ(rank.library, "library");
    EXPECT_EQ(rank.program, "traced_test");
    EXPECT_EQ(rank.process == ::getpid(), false);
    ASSERT_EQ(rank.threads.size(), 1U);
    EXPECT_EQ(rank.threads[0].name, "main thread");
    auto const all = events_of(trace);
    ASSERT_EQ(all.size(), 5002U);
    EXPECT_EQ(all.front().type, event_type::phase_begin);
    EXPECT_EQ(std::string{all.front().phase}, "solve");
    EXPECT_EQ(all.back().type, event_type::phase_end);
    for (int i = 0; i < 5000; ++i) {
        auto const& each = all[static_cast<std::size_t>(i + 1)];
        EXPECT_EQ(each.call.operation, operation::send);
        EXPECT_EQ(each.call.tag, i);
        EXPECT_EQ(each.call.sent, 8);
        EXPECT_EQ(std::string{each.phase}, "solve");
        EXPECT_EQ(std::string{each.call.site.file()}, "traced.cpp");
        EXPECT_LE(each.begin, each.end);
    }
}

TEST_F(traced, process_that_is_killed_leaves_all_that_it_recorded) {
    EXPECT_EQ(run("",
                  [] {
                      mpiprof::phase p{"solve"};
                      calls(3000);
                      std::thread{[] { calls(100); }}.join();
                      ::kill(::getpid(), SIGKILL);
                  }),
              killed);
    ASSERT_EQ(files(".trace").size(), 1U);
    auto const trace = read();
    EXPECT_TRUE(trace.ranks()[0].unfinished);
    EXPECT_EQ(trace.ranks()[0].threads.size(), 2U);
    auto const all = events_of(trace);
    EXPECT_EQ(std::count_if(all.begin(), all.end(),
                            [](event const& each) { return each.type == event_type::call; }),
              3100);
}

TEST_F(traced, process_keeps_within_its_bound_and_counts_what_it_drops) {
    ASSERT_EQ(run("trace=64KiB",
                  [] {
                      calls(10'000);
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    auto const trace = read();
    auto const all = events_of(trace);
    EXPECT_EQ(static_cast<std::int64_t>(all.size()) + trace.ranks()[0].dropped, 10'000);
    EXPECT_GT(all.size(), 2000U);
    EXPECT_EQ(all.front().call.tag, 0);
    EXPECT_LT(std::filesystem::file_size(finished()), 128U << 10);
}

TEST_F(traced, process_may_keep_the_newest) {
    ASSERT_EQ(run("trace=128KiB,trace_keep=newest",
                  [] {
                      calls(10'000);
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    auto const trace = read();
    EXPECT_TRUE(trace.ranks()[0].keeps_newest);
    auto const all = events_of(trace);
    EXPECT_EQ(static_cast<std::int64_t>(all.size()) + trace.ranks()[0].dropped, 10'000);
    EXPECT_EQ(all.back().call.tag, 9999);
}

/// Calls with pauses, so that the thread that spills keeps up.
void slow_calls(int count) {
    for (int i = 0; i < count; ++i) {
        call(operation::send, i);
        if (i % 1000 == 999) std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
}

TEST_F(traced, process_may_spill_more_than_it_has_room_for) {
    ASSERT_EQ(run("trace=256KiB,trace_spill=on",
                  [] {
                      slow_calls(30'000);
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    EXPECT_EQ(files(".trace"), std::vector{finished()});
    auto const trace = read();
    auto const all = events_of(trace);
    EXPECT_EQ(static_cast<std::int64_t>(all.size()) + trace.ranks()[0].dropped, 30'000);
    // It has room for 8000.
    EXPECT_GT(all.size(), 12'000U);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                               [](event const& a, event const& b) { return a.call.tag < b.call.tag; }));
}

TEST_F(traced, process_that_is_killed_leaves_what_it_spilled_too) {
    EXPECT_EQ(run("trace=256KiB,trace_spill=on",
                  [] {
                      slow_calls(30'000);
                      ::kill(::getpid(), SIGKILL);
                  }),
              killed);
    auto const trace = read();
    EXPECT_EQ(static_cast<std::int64_t>(events_of(trace).size()) + trace.ranks()[0].dropped, 30'000);
    EXPECT_GT(events_of(trace).size(), 12'000U);
}

TEST_F(traced, process_runs_on_where_nothing_can_be_written) {
    ASSERT_EQ(run("output=/nowhere/run.json",
                  [] {
                      calls(10);
                      std::exit(finish() == "No such file or directory" ? 0 : 1);
                  }),
              0);
    // What was recorded stays.
    EXPECT_EQ(events_of(read()).size(), 10U);
}

TEST_F(traced, process_runs_on_beyond_its_limit_of_file_sizes) {
    ASSERT_EQ(run("",
                  [] {
                      ::rlimit const small{4096, 4096};
                      ::setrlimit(RLIMIT_FSIZE, &small);
                      calls(10);
                      std::exit(finish() == "File too large" ? 0 : 1);
                  }),
              0);
}

TEST_F(traced, process_whose_first_calls_are_made_by_many_threads_spills_each_chunk_once) {
    ASSERT_EQ(run("trace=1MiB,trace_spill=on",
                  [] {
                      std::vector<std::thread> threads;
                      for (int i = 0; i < 8; ++i) threads.emplace_back([] { slow_calls(5000); });
                      for (auto& each : threads) each.join();
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    auto const trace = read();
    // Of the other ranks, which there are none of.
    EXPECT_EQ(trace.notes().size(), 1U);
    EXPECT_EQ(static_cast<std::int64_t>(events_of(trace).size()) + trace.ranks()[0].dropped, 40'000);
}

using other_recorded =
    mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, mpiprof::sinks::trace>;

TEST_F(traced, process_may_write_two_traces_at_once) {
    ASSERT_EQ(run("sinks=trace,trace=256KiB,trace_spill=on",
                  [] {
                      auto& other = mpiprof::recording_of<other_recorded>;
                      for (int i = 0; i < 20'000; ++i) {
                          call(operation::send, i);
                          if (!other.ready(operation::recv)) std::exit(2);
                          mpiprof::call record;
                          record.operation = operation::recv;
                          record.begin = record.end = other_recorded::timing::now();
                          other.sink().record(record);
                      }
                      std::exit(finish().empty() && other.write_trace().error.empty() ? 0 : 1);
                  }),
              0);
    auto const found = files(".trace");
    ASSERT_EQ(found.size(), 2U);
    for (auto const& file : found) {
        mpiprof::traces::trace const trace{{file}};
        std::map<operation, std::int64_t> seen;
        for (auto const& each : events_of(trace)) ++seen[each.call.operation];
        ASSERT_EQ(seen.size(), 1U) << file;
        EXPECT_EQ(seen.begin()->second + trace.ranks()[0].dropped, 20'000);
        EXPECT_EQ(seen.begin()->first, file == finished() ? operation::send : operation::recv);
    }
}

TEST_F(traced, process_that_cannot_write_on_keeps_what_it_spilled) {
    ASSERT_EQ(run("trace=256KiB,trace_spill=on",
                  [] {
                      slow_calls(8000);
                      ::rlimit const small{2'100'000, 2'100'000};
                      ::setrlimit(RLIMIT_FSIZE, &small);
                      slow_calls(8000);
                      std::exit(finish() == "File too large" ? 0 : 1);
                  }),
              0);
    auto const trace = read();
    EXPECT_EQ(static_cast<std::int64_t>(events_of(trace).size()) + trace.ranks()[0].dropped, 16'000);
    EXPECT_GT(events_of(trace).size(), 4000U);
}

TEST_F(traced, process_runs_on_where_its_file_finds_no_room) {
    ASSERT_EQ(run("",
                  [] {
                      // Enough for a file, not for its tables.
                      ::rlimit const small{300'000, 300'000};
                      ::setrlimit(RLIMIT_FSIZE, &small);
                      calls(10);
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    // In its own memory.
    EXPECT_EQ(events_of(read()).size(), 10U);
}

TEST_F(traced, process_needs_no_file_to_write_to) {
    ASSERT_EQ(run("shards=none",
                  [] {
                      calls(10);
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    EXPECT_EQ(events_of(read()).size(), 10U);
}

TEST_F(traced, process_forgets_what_came_before_a_reset) {
    ASSERT_EQ(run("trace=256KiB",
                  [] {
                      mpiprof::phase p{"solve"};
                      calls(6000);
                      mpiprof::reset();
                      calls(3000);
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    auto const trace = read();
    auto const all = events_of(trace);
    // The phase that it is in begins anew.
    ASSERT_EQ(all.size(), 3001U);
    EXPECT_EQ(all[0].type, event_type::phase_begin);
    EXPECT_EQ(all[1].call.tag, 0);
    EXPECT_EQ(trace.ranks()[0].dropped, 0);
}

TEST_F(traced, phases_are_balanced_for_readers_whatever_was_paused) {
    ASSERT_EQ(run("",
                  [] {
                      mpiprof::phase_begin("a");
                      calls(1);
                      mpiprof::pause();
                      mpiprof::phase_begin("unseen");
                      calls(1);
                      mpiprof::resume();
                      mpiprof::phase_end();
                      {
                          mpiprof::phase p{"b"};
                          calls(1);
                      }
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    auto const trace = read();
    std::map<std::string, int> entered;
    std::map<std::string, int> left;
    auto const name = [](mpiprof::traces::region const& each) {
        return each.what.type == event_type::phase_begin ? std::string{each.what.phase} : std::string{"call"};
    };
    mpiprof::traces::for_each_nested(
        trace, 0, 0, [&](auto const& each) { ++entered[name(each)]; },
        [&](auto const& each) { ++left[name(each)]; });
    EXPECT_EQ(entered, left);
    EXPECT_EQ(entered, (std::map<std::string, int>{{"a", 1}, {"b", 1}, {"call", 2}}));
}

/// The phases that calls are in, as the timeline has them: "a/b" for a call in b in a.
std::vector<std::string> phases_of_calls(mpiprof::traces::trace const& from, std::size_t thread = 0) {
    std::vector<std::string> found;
    std::vector<std::string> in;
    mpiprof::traces::for_each_nested(
        from, 0, thread,
        [&](mpiprof::traces::region const& each) {
            if (each.what.type == event_type::phase_begin) in.emplace_back(each.what.phase);
            else {
                std::string path;
                for (auto const& phase : in) path += (path.empty() ? "" : "/") + phase;
                found.push_back(path);
            }
        },
        [&](mpiprof::traces::region const& each) {
            if (each.what.type == event_type::phase_begin) in.pop_back();
        });
    EXPECT_TRUE(in.empty());
    return found;
}

TEST_F(traced, phases_that_end_or_begin_in_a_pause_are_where_they_should_be) {
    ASSERT_EQ(run("",
                  [] {
                      mpiprof::phase_begin("a");
                      calls(1);
                      mpiprof::pause();
                      mpiprof::phase_end();
                      mpiprof::phase_begin("b");
                      mpiprof::resume();
                      calls(1);
                      mpiprof::phase_end();
                      calls(1);
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    EXPECT_EQ(phases_of_calls(read()), (std::vector<std::string>{"a", "b", ""}));
}

TEST_F(traced, phases_end_with_their_thread_though_another_one_goes_on_in_its_place) {
    ASSERT_EQ(run("",
                  [] {
                      calls(1);
                      std::thread{[] {
                          mpiprof::phase_begin("left open");
                          calls(1);
                      }}.join();
                      std::thread{[] {
                          calls(1);
                          mpiprof::phase p{"second"};
                          calls(1);
                      }}.join();
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    auto const trace = read();
    ASSERT_EQ(trace.ranks()[0].threads.size(), 3U);
    EXPECT_EQ(phases_of_calls(trace, 1), std::vector<std::string>{"left open"});
    EXPECT_EQ(phases_of_calls(trace, 2), (std::vector<std::string>{"", "second"}));
}

TEST_F(traced, threads_share_a_place_where_there_are_very_many) {
    ASSERT_EQ(run("",
                  [] {
                      calls(1);
                      for (int i = 0; i < 300; ++i) {
                          std::thread{[] {
                              calls(1);
                              mpiprof::phase_begin("left open");
                              calls(1);
                          }}.join();
                      }
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    auto const trace = read();
    auto const threads = trace.ranks()[0].threads.size();
    EXPECT_GT(threads, 100U);
    EXPECT_LT(threads, 150U);
    std::map<std::string, int> seen;
    for (std::size_t thread = 1; thread < threads; ++thread)
        for (auto const& each : phases_of_calls(trace, thread)) ++seen[each];
    EXPECT_EQ(seen, (std::map<std::string, int>{{"", 300}, {"left open", 300}}));
}

TEST_F(traced, process_says_that_it_was_not_to_record_all) {
    for (std::string const settings : {"", "exclude=recv"}) {
        bool const pauses = settings.empty();
        ASSERT_EQ(run(settings,
                      [&] {
                          calls(1);
                          if (pauses) mpiprof::pause();
                          if (pauses) mpiprof::resume();
                          calls(1);
                          std::exit(finish().empty() ? 0 : 1);
                      }),
                  0);
        EXPECT_TRUE(read().ranks()[0].has_gaps) << settings;
        std::filesystem::remove(finished());
    }
}

TEST_F(traced, phases_may_be_deeper_than_a_thread_remembers) {
    ASSERT_EQ(run("",
                  [] {
                      for (int i = 0; i < 100; ++i) mpiprof::phase_begin("a");
                      calls(1);
                      for (int i = 0; i < 100; ++i) mpiprof::phase_end();
                      calls(1);
                      std::exit(finish().empty() ? 0 : 1);
                  }),
              0);
    auto const trace = read();
    EXPECT_EQ(phases_of_calls(trace).back(), "");
    auto const all = events_of(trace);
    EXPECT_EQ(std::count_if(all.begin(), all.end(),
                            [](event const& each) { return each.type == event_type::phase_end; }),
              100);
}

TEST_F(traced, processes_children_write_nothing_into_their_parents_trace) {
    ASSERT_EQ(run("",
                  [] {
                      calls(10);
                      int const status = test_support::in_child([] {
                          calls(1000);
                          return 0;
                      });
                      calls(10);
                      std::exit(status == 0 && finish().empty() ? 0 : 1);
                  }),
              0);
    EXPECT_EQ(events_of(read()).size(), 20U);
}

TEST_F(traced, process_traces_only_where_it_is_asked_to) {
    for (std::string const settings : {"sinks=summary", "sinks=none", "off"}) {
        ASSERT_EQ(run(settings,
                      [] {
                          calls(10);
                          std::exit(finish() == "no trace" ? 0 : 1);
                      }),
                  0)
            << settings;
        EXPECT_TRUE(files(".trace").empty()) << settings;
        EXPECT_TRUE(files(".shards").size() <= 1U);
        std::filesystem::remove_all(folder / "shards");
        std::filesystem::create_directories(folder / "shards");
    }
}

TEST_F(traced, process_without_a_summary_leaves_no_profile) {
    ASSERT_EQ(run("sinks=trace",
                  [] {
                      calls(10);
                      auto const& recording = mpiprof::recording_of<recorded>;
                      std::exit(!recording.has_profile() && finish().empty() ? 0 : 1);
                  }),
              0);
    EXPECT_TRUE(files(".shards").empty());
    EXPECT_EQ(events_of(read()).size(), 10U);
}

}  // namespace
