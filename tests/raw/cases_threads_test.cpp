// Many threads at once: nothing is lost, nothing is counted twice.
#include "tests/raw/recorder.hpp"
#include "tests/raw/summary.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <chrono>
#include <future>
#include <numeric>
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

TEST(threads, T5_sends_of_all_threads_on_one_communicator) {
    CASES_NEED_RANKS(1);
    constexpr int messages = 100;
    cases::recorder const records;
    auto const world = cases::recorded(MPI_COMM_WORLD);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < thread_count; ++thread) {
        threads.emplace_back([&, thread] {
            std::vector<int> in(messages, -1);
            std::vector<int> const out(messages, thread);
            std::vector<MPI_Request> requests;
            for (std::size_t i = 0; i < messages; ++i) {
                requests.insert(requests.end(), 2, MPI_REQUEST_NULL);
                world.irecv(&in[i], 1, MPI_INT, 0, thread, &requests[2 * i]);
                world.isend(&out[i], 1, MPI_INT, 0, thread, &requests[2 * i + 1]);
            }
            std::vector<int> indices(requests.size());
            for (int completed = 0; completed != MPI_UNDEFINED;) {
                cases::calls::waitsome(static_cast<int>(requests.size()), requests.data(), &completed,
                                       indices.data(), MPI_STATUSES_IGNORE);
            }
            EXPECT_EQ(in, out);
        });
    }
    for (auto& thread : threads) thread.join();
    for (auto const which : {operation::isend, operation::irecv}) {
        std::array<int, thread_count> of_tag{};
        for (auto const& done : records.completions(which)) {
            EXPECT_EQ(done.received, which == operation::irecv ? 4 : 0);
            ++of_tag.at(static_cast<std::size_t>(done.tag));
        }
        EXPECT_EQ(of_tag, (std::array{messages, messages, messages, messages}));
    }
}

TEST(threads, T5_requests_completed_by_other_threads_than_those_that_made_them) {
    CASES_NEED_RANKS(1);
    constexpr std::size_t messages = 200;
    cases::recorder const records;
    auto const world = cases::recorded(MPI_COMM_WORLD);
    std::vector<int> in(messages, -1);
    std::vector<int> out(messages);
    std::iota(out.begin(), out.end(), 0);
    std::vector<MPI_Request> requests(messages, MPI_REQUEST_NULL);
    std::vector<mpiprof::request_of<decltype(world)>> objects(messages);
    for (std::size_t i = 0; i < messages; ++i) {
        int const tag = static_cast<int>(i);
        world.irecv(&in[i], 1, MPI_INT, 0, tag, &requests[i]);
        objects[i] = world.isend(&out[i], 1, MPI_INT, 0, tag);
    }
    std::thread receives{[&] {
        for (std::size_t i = messages; i > 0; --i) cases::calls::wait(&requests[i - 1], MPI_STATUS_IGNORE);
    }};
    std::thread sends{[&] { mpiprof::wait_all(objects.data(), objects.size()); }};
    receives.join();
    sends.join();
    EXPECT_EQ(in, out);
    EXPECT_EQ(records.completions(operation::irecv).size(), messages);
    EXPECT_EQ(records.completions(operation::isend).size(), messages);
}

TEST(threads, T5_persistent_requests_of_many_threads) {
    CASES_NEED_RANKS(1);
    constexpr int starts = 200;
    cases::recorder const records;
    auto const world = cases::recorded(MPI_COMM_WORLD);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < thread_count; ++thread) {
        threads.emplace_back([&, thread] {
            int const out = thread;
            int in = -1;
            std::array<MPI_Request, 2> requests{};
            world.recv_init(&in, 1, MPI_INT, 0, thread, &requests[0]);
            world.send_init(&out, 1, MPI_INT, 0, thread, &requests[1]);
            for (int i = 0; i < starts; ++i) {
                cases::calls::startall(2, requests.data());
                cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE);
            }
            EXPECT_EQ(in, thread);
            for (auto& request : requests) cases::calls::request_free(&request);
        });
    }
    for (auto& thread : threads) thread.join();
    for (auto const which : {operation::send_init, operation::recv_init}) {
        std::array<int, thread_count> of_tag{};
        for (auto const& done : records.completions(which)) ++of_tag.at(static_cast<std::size_t>(done.tag));
        EXPECT_EQ(of_tag, (std::array{starts, starts, starts, starts}));
    }
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
