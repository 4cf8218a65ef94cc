// What a killed process leaves: every call that it had recorded can be read.
#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/mpiprof.hpp>
#include <mpiprof/report/text.hpp>

#include "tests/support/child.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using mpiprof::operation;
using mpiprof::process;
using recorded = mpiprof::default_instrumentation;

/// Runs `work` in a child process of its own, as a rank of a job that MPI runs in, and waits for its end.
int in_child(std::function<void()> const& work) {
    return test_support::in_child([&] {
        process::instance().hooks.attach = []() noexcept { return true; };
        process::instance().place = {2, 4, "library"};
        work();
        return 0;
    });
}

void call(operation which, std::int64_t sent, int peer, std::uint32_t line) {
    auto& recording = mpiprof::recording_of<recorded>;
    ASSERT_TRUE(recording.ready(mpiprof::operation::send));
    mpiprof::call record;
    record.operation = which;
    record.communicator = mpiprof::world_communicator;
    record.sent = sent;
    record.peer = peer;
    record.phase = mpiprof::current_phase;
    record.site = mpiprof::call_site{"killed.cpp", line};
    record.begin = recorded::timing::now();
    record.end = record.begin + 1000;
    record.duration = 400;
    recording.sink().record(record);
}

class shards : public testing::Test {
  protected:
    void SetUp() override {
        folder = std::filesystem::path{testing::TempDir()} /
                 ("shards." + std::to_string(::getpid()) + '.' +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder);
        ::setenv("MPIPROF", ("shards=" + folder.string()).c_str(), 1);
    }

    void TearDown() override { std::filesystem::remove_all(folder); }

    std::vector<std::string> files() const {
        std::vector<std::string> found;
        for (auto const& entry : std::filesystem::directory_iterator{folder}) found.push_back(entry.path());
        return found;
    }

    std::filesystem::path folder;
};

TEST_F(shards, of_a_killed_process_hold_every_call_of_every_thread) {
    auto const status = in_child([] {
        auto const work = [](std::uint32_t line) {
            mpiprof::phase p{"solve"};
            for (int i = 0; i < 1000; ++i) call(operation::send, i % 2 == 0 ? 8 : 100, 1, line);
        };
        std::jthread{work, 10}.join();
        std::jthread other{work, 20};
        work(20);
        other.join();
        ::kill(::getpid(), SIGKILL);
    });
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    ASSERT_EQ(files().size(), 1U);

    auto const run = mpiprof::cli::read_profile(files().front());
    EXPECT_EQ(run.ranks, (mpiprof::results::rank_set{{2, 2}}));
    EXPECT_EQ(run.unfinished, run.ranks);
    EXPECT_EQ(run.world_size, 4);
    EXPECT_EQ(run.library, "library");
    EXPECT_EQ(run.program, "shards_test");
    EXPECT_EQ(run.clock, recorded::timing::source());
    EXPECT_EQ(run.sink, "summary");
    ASSERT_EQ(run.calls.size(), 2U);
    EXPECT_EQ(run.calls[0].operation, "send");
    EXPECT_EQ(run.calls[0].file, "killed.cpp");
    EXPECT_EQ(run.calls[0].line, 10);
    EXPECT_EQ(run.calls[0].phase, "solve");
    EXPECT_EQ(run.calls[0].statistics.calls, 1000);
    EXPECT_EQ(run.calls[0].statistics.sent, 54000);
    EXPECT_EQ(run.calls[1].line, 20);
    EXPECT_EQ(run.calls[1].statistics.calls, 2000);
    auto const& all = run.operations.at(0).statistics;
    EXPECT_EQ(all.calls, 3000);
    EXPECT_EQ(all.sizes, (mpiprof::results::histogram{0, 0, 0, 0, 1500, 0, 0, 1500}));
    EXPECT_EQ(all.durations, (mpiprof::results::histogram{0, 0, 0, 0, 0, 0, 0, 0, 0, 3000}));
    EXPECT_GT(all.time.sum, 0);
    EXPECT_EQ(all.time.least, all.time.most);
    ASSERT_EQ(run.peers.size(), 1U);
    EXPECT_EQ(run.peers[0].sends, 3000);
    EXPECT_EQ(run.peers[0].sent, 162000);
    EXPECT_GT(run.run_time.sum, 0);
}

TEST_F(shards, of_a_process_that_was_killed_hold_its_completions_and_bytes_of_files) {
    in_child([] {
        auto& recording = mpiprof::recording_of<recorded>;
        ASSERT_TRUE(recording.ready(mpiprof::operation::send));
        mpiprof::call record;
        record.operation = operation::file_write;
        record.written = 48;
        recording.sink().record(record);
        mpiprof::completion done;
        done.operation = operation::file_iread;
        done.read = 12;
        done.observed = 1000;
        done.waited = 1000;
        recording.sink().complete(done);
        done.waited = 0;
        recording.sink().complete(done);
        ::kill(::getpid(), SIGKILL);
    });
    ASSERT_EQ(files().size(), 1U);
    auto const run = mpiprof::cli::read_profile(files().front());
    ASSERT_EQ(run.calls.size(), 1U);
    EXPECT_EQ(run.calls[0].statistics.written, 48);
    ASSERT_EQ(run.completions.size(), 1U);
    EXPECT_EQ(run.completions[0].read, 24);
    EXPECT_GT(run.completions[0].pending.sum, 0);
    EXPECT_EQ(run.completions[0].waited.sum, run.completions[0].pending.least);
    EXPECT_EQ(run.completions[0].waited.least, 0);
    EXPECT_EQ(run.completions[0].waited.most, run.completions[0].pending.most);
    ASSERT_EQ(run.operations.size(), 2U);
    EXPECT_EQ(run.operations[0].operation, "file_iread");
    EXPECT_EQ(run.operations[0].statistics.read, 24);
}

TEST_F(shards, of_a_process_that_was_killed_before_its_first_call_hold_nothing) {
    in_child([] {
        mpiprof::profiler<recorded> const profiler;
        ::kill(::getpid(), SIGKILL);
    });
    ASSERT_EQ(files().size(), 1U);
    auto const run = mpiprof::cli::read_profile(files().front());
    EXPECT_TRUE(run.operations.empty());
    EXPECT_EQ(run.unfinished.size(), 1U);
}

TEST_F(shards, of_a_process_in_which_mpi_never_ran_are_removed_at_its_exit) {
    auto const status = in_child([] {
        process::instance().hooks.attach = []() noexcept { return false; };
        call(operation::send, 8, 1, 1);
    });
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(files().empty());
}

TEST_F(shards, of_a_recording_that_a_profiler_switches_off_are_removed) {
    auto const status = in_child([] {
        call(operation::send, 8, 1, 1);
        mpiprof::profiler<recorded> const profiler{{.off = true}};
    });
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(files().empty());
}

TEST_F(shards, of_a_recording_that_starts_when_mpi_is_over_are_not_kept) {
    auto const status = in_child([] {
        process::instance().hooks.attach = []() noexcept {
            process::instance().over = true;
            return true;
        };
        EXPECT_FALSE(mpiprof::recording_of<recorded>.ready(mpiprof::operation::send));
    });
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(files().empty());
}

TEST_F(shards, come_also_where_the_profiler_is_made_before_mpi_is_known) {
    in_child([] {
        auto const attach = std::exchange(process::instance().hooks.attach, nullptr);
        mpiprof::profiler<recorded> const early;
        process::instance().hooks.attach = attach;
        mpiprof::recording_of<recorded>.await_hooks();
        call(operation::send, 8, 1, 1);
        ::kill(::getpid(), SIGKILL);
    });
    EXPECT_EQ(files().size(), 1U);
}

/// Two calls, then into a third one, in two threads, and of another thread out of it again.
void stay_in_a_call() {
    auto& recording = mpiprof::recording_of<recorded>;
    call(operation::send, 8, 1, 10);
    call(operation::send, 8, 1, 10);
    std::thread{[&] {
        call(operation::barrier, 0, -1, 11);
        auto* const open = recording.open_call(operation::barrier, mpiprof::call_site{"killed.cpp", 11});
        open->set(0);
    }}.join();
    std::string const other{"other.cpp"};
    auto const stay = [&] { recording.open_call(operation::recv, mpiprof::call_site{other.c_str(), 12}); };
    stay();
    std::thread second{[&] {
        stay();
        ::pause();
    }};
    ::pause();
}

/// Waits for as much as a reader sees.
template <class Ready>
mpiprof::results::profile read_when(std::vector<std::string> const& files, Ready ready) {
    for (int tries = 0; tries < 500; ++tries) {
        try {
            if (auto run = mpiprof::cli::read_run(files); ready(run)) return run;
        } catch (mpiprof::cli::input_error const&) {
            // The file's head is not written yet.
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return {};
}

TEST_F(shards, tell_of_a_job_that_hangs_where_it_is_and_since_when) {
    auto const child = ::fork();
    if (child == 0) {
        process::instance().hooks.attach = []() noexcept { return true; };
        process::instance().place = {2, 4, "library"};
        stay_in_a_call();
        std::_Exit(9);
    }
    for (int tries = 0; tries < 500 && files().empty(); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    auto const both_wait = [](auto const& run) {
        return run.in_progress.size() == 1 && run.in_progress[0].threads == 2;
    };
    auto const first = read_when(files(), both_wait);
    auto const then = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    auto const second = read_when(files(), both_wait);
    auto const between = std::chrono::steady_clock::now() - then;
    ASSERT_EQ(second.in_progress.size(), 1U);
    EXPECT_EQ(second.running, (mpiprof::results::rank_set{{2, 2}}));
    EXPECT_EQ(second.unfinished, second.ranks);
    auto const& open = second.in_progress[0];
    EXPECT_EQ(open.rank, 2);
    EXPECT_EQ(open.operation, "recv");
    EXPECT_EQ(open.file, "other.cpp");
    EXPECT_EQ(open.line, 12);
    EXPECT_GE(open.since, 0);
    EXPECT_EQ(open.since, first.in_progress[0].since);
    auto const longer = std::chrono::nanoseconds{open.duration - first.in_progress[0].duration};
    EXPECT_GE(longer, std::chrono::milliseconds{49});
    EXPECT_LE(longer, between + std::chrono::milliseconds{500});
    auto const text = mpiprof::report::to_text(second);
    EXPECT_NE(text.find("Rank 2 is in recv at other.cpp:12, for at most "), std::string::npos) << text;
    EXPECT_NE(text.find("Running: 1 rank (2) still ran when this was taken"), std::string::npos) << text;
    EXPECT_EQ(text.find("Unfinished"), std::string::npos) << text;
    EXPECT_EQ(second.operations.size(), 2U);

    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    auto const dead = mpiprof::cli::read_run(files());
    EXPECT_TRUE(dead.running.empty());
    ASSERT_EQ(dead.in_progress.size(), 1U);
    EXPECT_EQ(dead.in_progress[0].since, open.since);
    EXPECT_EQ(dead.in_progress[0].duration, -1);
    auto const after = mpiprof::report::to_text(dead);
    EXPECT_NE(after.find("Rank 2 was in recv at other.cpp:12, called "), std::string::npos) << after;
    EXPECT_NE(after.find("Unfinished: 1 rank (2)"), std::string::npos) << after;
    EXPECT_EQ(after.find("Running"), std::string::npos) << after;
}

TEST_F(shards, of_a_process_that_died_are_not_kept_alive_by_its_child) {
    auto const status = in_child([] {
        call(operation::send, 8, 1, 10);
        // It lives on for a while, with the descriptor.
        if (::fork() == 0) {
            ::usleep(1000000);
            std::_Exit(0);
        }
        ::kill(::getpid(), SIGKILL);
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    auto const run = mpiprof::cli::read_run(files());
    EXPECT_TRUE(run.running.empty());
    EXPECT_EQ(run.unfinished, run.ranks);
}

/// -1 where it is not known.
std::int64_t rank_in(std::string const& path) try {
    return mpiprof::cli::read_profile(path).ranks.front().first;
} catch (mpiprof::cli::input_error const&) {
    return -1;
}

// As of a launcher that starts MPI in its child.
TEST_F(shards, of_a_child_that_was_forked_before_mpi_ran_are_its_own) {
    in_child([] {
        process::instance().hooks.attach = []() noexcept { return false; };
        mpiprof::profiler<recorded> const profiler;
        in_child([] {
            process::instance().place = {3, 4, "library"};
            call(operation::send, 8, 1, 10);
            ::kill(::getpid(), SIGKILL);
        });
        ::kill(::getpid(), SIGKILL);
    });
    auto const found = files();
    ASSERT_EQ(found.size(), 2U);
    auto const of_child = rank_in(found[0]) < 0 ? found[1] : found[0];
    EXPECT_EQ(rank_in(of_child == found[0] ? found[1] : found[0]), -1);
    auto const run = mpiprof::cli::read_profile(of_child);
    EXPECT_EQ(run.ranks, (mpiprof::results::rank_set{{3, 3}}));
    ASSERT_EQ(run.operations.size(), 1U);
    EXPECT_EQ(run.operations[0].statistics.calls, 1);
}

TEST_F(shards, of_a_process_that_has_recorded_get_nothing_from_its_child) {
    for (bool const runs : {true, false}) {
        auto const status = in_child([runs] {
            if (!runs) process::instance().hooks.attach = []() noexcept { return false; };
            call(operation::send, 8, 1, 10);
            auto const child = test_support::in_child([] {
                process::instance().hooks.attach = []() noexcept { return true; };
                process::instance().place = {3, 4, "library"};
                return mpiprof::recording_of<recorded>.ready(operation::send) ? 1 : 0;
            });
            if (child == 0) ::kill(::getpid(), SIGKILL);
        });
        EXPECT_TRUE(WIFSIGNALED(status)) << status;
        ASSERT_EQ(files().size(), 1U);
        EXPECT_EQ(rank_in(files().front()), runs ? 2 : -1);
        std::filesystem::remove(files().front());
    }
}

TEST_F(shards, are_not_made_where_nobody_wants_them) {
    ::setenv("MPIPROF", "shards=none", 1);
    in_child([] {
        call(operation::send, 8, 1, 1);
        ::kill(::getpid(), SIGKILL);
    });
    EXPECT_TRUE(files().empty());
}

TEST_F(shards, that_cannot_be_made_are_told_of_once_and_calls_are_recorded_all_the_same) {
    ::setenv("MPIPROF", "shards=/missing/folder", 1);
    auto const said = folder / "said";
    auto const status = in_child([&] {
        process::instance().place.rank = 0;
        if (std::freopen(said.c_str(), "w", stderr) == nullptr) std::exit(9);
        call(operation::send, 8, 1, 1);
        call(operation::send, 8, 1, 1);
        mpiprof::profiler<recorded> const profiler;
        std::exit(profiler.snapshot().operations.at(0).statistics.calls == 2 ? 0 : 1);
    });
    EXPECT_EQ(status, 0);
    std::ifstream file{said};
    std::string line;
    std::getline(file, line);
    EXPECT_TRUE(line.starts_with("mpiprof: cannot make '/missing/folder/")) << line;
    EXPECT_NE(line.find("No such file or directory"), std::string::npos) << line;
    EXPECT_FALSE(std::getline(file, line)) << line;
}

TEST_F(shards, cut_short_or_changed_are_refused_or_read_in_part) {
    in_child([] {
        call(operation::send, 8, 1, 1);
        ::kill(::getpid(), SIGKILL);
    });
    auto const path = files().at(0);
    std::ifstream file{path, std::ios::binary};
    std::string const bytes{std::istreambuf_iterator<char>{file}, {}};
    auto const read = [&](std::string const& changed) {
        auto const other = (folder / "changed").string();
        std::ofstream{other, std::ios::binary} << changed;
        return mpiprof::cli::read_profile(other);
    };
    EXPECT_EQ(read(bytes).operations.size(), 1U);
    EXPECT_EQ(read(bytes.substr(0, 70000)).operations.size(), 0U);
    EXPECT_THROW(read(bytes.substr(0, 2000)), mpiprof::cli::input_error);
    auto other_version = bytes;
    ++other_version[16];
    EXPECT_THROW(read(other_version), mpiprof::cli::input_error);
    // Sizes and numbers of shards that cannot be, which stand at these places.
    auto const changed_at = [&](std::size_t place, std::uint64_t value) {
        auto broken = bytes;
        std::memcpy(broken.data() + place, &value, sizeof value);
        return broken;
    };
    constexpr std::size_t sizes = offsetof(mpiprof::shard_file_head, head_size);
    for (std::size_t place : {sizes, sizes + 8, sizes + 16}) {
        for (std::uint64_t value :
             {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{65537}, UINT64_MAX / 2}) {
            static_cast<void>(read(changed_at(place, value)));
        }
    }
    EXPECT_THROW(read(changed_at(offsetof(mpiprof::shard_file_head, rate), UINT64_MAX)),
                 mpiprof::cli::input_error);
    // Wrong offsets and operations in the first shard.
    for (std::size_t place = 65536; place < 65536 + sizeof(mpiprof::sinks::summary_layout); ++place) {
        auto broken = bytes;
        broken[place] = static_cast<char>(broken[place] ^ 0x7f);
        static_cast<void>(read(broken));
    }
}

}  // namespace
