// Many threads at once: nothing is lost, nothing is counted twice.
#include "tests/raw/recorder.hpp"
#include "tests/raw/summary.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <chrono>
#include <future>
#include <thread>

namespace {

using mpiprof::operation;

constexpr int thread_count = 4;
constexpr int rounds = 2000;

/// Runs `body(communicator)` on threads, each with a duplicate of MPI_COMM_WORLD of its own.
template <class Instrumentation, class Body>
void on_threads(mpiprof::profiler<Instrumentation> const& profiler, Body body) {
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    std::vector<decltype(world.dup())> duplicates;
    for (int i = 0; i < thread_count; ++i) duplicates.push_back(world.dup());
    std::vector<std::thread> threads;
    for (auto const& each : duplicates) threads.emplace_back([&] { body(each); });
    for (auto& thread : threads) thread.join();
    for (auto& each : duplicates) each.free();
}

/// Message number i has i % 10 + 1 ints.
constexpr std::int64_t bytes_of_a_thread = rounds / 10 * 55 * 4;

void exchange_with_self(auto const& world) {
    int const rank = world.rank();
    std::array<int, 10> out{};
    std::array<int, 10> in{};
    for (int i = 0; i < rounds; ++i) {
        world.sendrecv(out.data(), i % 10 + 1, MPI_INT, rank, i % 7, in.data(), 10, MPI_INT, rank, i % 7,
                       MPI_STATUS_IGNORE);
    }
}

TEST(threads, tally_counts_exactly) {
    CASES_NEED_RANKS(1);
    using counting =
        mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, mpiprof::sinks::tally>;
    mpiprof::profiler<counting> const profiler;
    profiler.sink().reset();
    on_threads(profiler, [](auto const& world) { exchange_with_self(world); });
    auto const& sink = profiler.sink();
    EXPECT_EQ(sink.calls(operation::sendrecv), thread_count * rounds);
    EXPECT_EQ(sink.completions(operation::sendrecv), thread_count * rounds);
    EXPECT_EQ(sink.sent(operation::sendrecv), thread_count * bytes_of_a_thread);
    EXPECT_EQ(sink.received(operation::sendrecv), thread_count * bytes_of_a_thread);
    EXPECT_EQ(sink.calls(operation::comm_dup), thread_count);
    EXPECT_EQ(sink.calls(operation::comm_free), thread_count);
}

TEST(threads, the_summary_counts_exactly) {
    CASES_NEED_RANKS(1);
    auto const& profiler = cases::summary_profiler();
    on_threads(profiler, [](auto const& world) {
        mpiprof::phase const phase{"threads"};
        exchange_with_self(world);
    });
    auto const run = profiler.snapshot();
    auto const sum = cases::calls_in_phase(run, "threads");
    EXPECT_EQ(sum.calls, thread_count * rounds);
    EXPECT_EQ(sum.sent, thread_count * bytes_of_a_thread);
    std::int64_t completions = 0;
    std::int64_t received = 0;
    std::int64_t rows = 0;
    for (auto const& row : run.completions) {
        if (row.phase != "threads") continue;
        ++rows;
        completions += row.completions;
        received += row.received;
        EXPECT_EQ(row.completions, rounds);
    }
    EXPECT_EQ(rows, thread_count);
    EXPECT_EQ(completions, thread_count * rounds);
    EXPECT_EQ(received, thread_count * bytes_of_a_thread);
    EXPECT_EQ(run.lost, 0);
    for (auto const& phase : run.phases) {
        if (phase.name == "threads") {
            EXPECT_EQ(phase.entered, thread_count);
        }
    }
}

TEST(threads, requests_of_all_threads_complete_once) {
    CASES_NEED_RANKS(1);
    using counting =
        mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, mpiprof::sinks::tally>;
    mpiprof::profiler<counting> const profiler;
    profiler.sink().reset();
    mpiprof::raw::function<mpiprof::raw::rows::Waitall, counting> const waitall;
    auto const in_flight = mpiprof::raw::request_table::instance().size();
    on_threads(profiler, [&](auto const& world) {
        int const out = 1;
        int in = 0;
        for (int i = 0; i < rounds; ++i) {
            std::array<MPI_Request, 2> requests{};
            world.irecv(&in, 1, MPI_INT, world.rank(), 0, &requests[0]);
            world.isend(&out, 1, MPI_INT, world.rank(), 0, &requests[1]);
            waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        }
    });
    auto const& sink = profiler.sink();
    for (auto const which : {operation::isend, operation::irecv}) {
        EXPECT_EQ(sink.calls(which), thread_count * rounds);
        EXPECT_EQ(sink.completions(which), thread_count * rounds);
    }
    EXPECT_EQ(sink.received(operation::irecv), thread_count * rounds * 4);
    EXPECT_EQ(mpiprof::raw::request_table::instance().size(), in_flight);
}

TEST(threads, a_paused_recording_takes_no_lock) {
    CASES_NEED_RANKS(1);
    auto const& profiler = cases::summary_profiler();
    auto const self = mpiprof::profile(MPI_COMM_SELF, profiler);
    profiler.pause();
    std::future<int> call;
    std::future_status state{};
    {
        std::lock_guard const lock{mpiprof::process::instance().mutex};
        call = std::async(std::launch::async, [&] { return self.barrier(); });
        state = call.wait_for(std::chrono::seconds{5});
    }
    EXPECT_EQ(state, std::future_status::ready);
    EXPECT_EQ(call.get(), MPI_SUCCESS);
    profiler.resume();
}

}  // namespace
