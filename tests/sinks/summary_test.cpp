// The summary sink: sums by key, overflow counted, exact over threads.
#include <mpiprof/sinks/summary.hpp>

#include <gtest/gtest.h>

#include <map>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using mpiprof::call;
using mpiprof::operation;
using small_summary = mpiprof::sinks::basic_summary<16>;

call a_call(operation which, std::int64_t sent, std::uint32_t line = 1, mpiprof::communicator_id comm = 0) {
    call record;
    record.operation = which;
    record.sent = sent;
    record.communicator = comm;
    record.site = mpiprof::call_site{"file.cpp", line};
    record.begin = 10;
    record.end = 10 + sent;
    return record;
}

template <class Summary>
std::int64_t total_calls(Summary const& summary) {
    std::int64_t sum = 0;
    summary.for_each_call([&](auto const&, auto const& row) { sum += row.calls.get(); });
    summary.for_each_overflow([&](auto const& calls, auto const&) { sum += calls.calls.get(); });
    return sum;
}

TEST(summary, adds_up_calls_of_one_key) {
    mpiprof::sinks::summary summary;
    summary.record(a_call(operation::send, 8));
    summary.record(a_call(operation::send, 24));
    summary.record(a_call(operation::send, 1, 2));
    summary.record(a_call(operation::recv, 0));
    summary.record(a_call(operation::send, 5, 1, 9));
    std::map<std::tuple<operation, unsigned, std::int64_t>,
             std::tuple<std::int64_t, std::int64_t, std::int64_t>>
        rows;
    summary.for_each_call([&](auto const& key, auto const& row) {
        rows[{key.operation, key.line, key.communicator}] = {row.calls.get(), row.sent.get(),
                                                             row.time.sum.get()};
        EXPECT_STREQ(key.file, "file.cpp");
    });
    EXPECT_EQ(rows.size(), 4U);
    EXPECT_EQ((rows[{operation::send, 1, 0}]),
              (std::tuple<std::int64_t, std::int64_t, std::int64_t>{2, 32, 32}));
    EXPECT_EQ((rows[{operation::send, 2, 0}]),
              (std::tuple<std::int64_t, std::int64_t, std::int64_t>{1, 1, 1}));
    EXPECT_EQ((rows[{operation::send, 1, 9}]),
              (std::tuple<std::int64_t, std::int64_t, std::int64_t>{1, 5, 5}));
}

TEST(summary, keeps_the_extremes_of_the_times) {
    mpiprof::sinks::summary summary;
    for (auto const time : {30, 10, 20}) summary.record(a_call(operation::send, time));
    summary.for_each_call([](auto const&, auto const& row) {
        EXPECT_EQ(row.time.least.get(), 10);
        EXPECT_EQ(row.time.most.get(), 30);
    });
}

TEST(summary, never_adds_an_unknown_count) {
    mpiprof::sinks::summary summary;
    summary.record(a_call(operation::send, 8));
    auto unknown = a_call(operation::send, -1);
    unknown.end = unknown.begin;
    summary.record(unknown);
    summary.for_each_call([](auto const&, auto const& row) {
        EXPECT_EQ(row.sent.get(), 8);
        EXPECT_EQ(row.unknown.get(), 1);
        EXPECT_EQ(row.calls.get(), 2);
    });
}

TEST(summary, takes_a_clock_that_steps_back_as_no_time) {
    mpiprof::sinks::summary summary;
    auto record = a_call(operation::send, 8);
    record.end = record.begin - 1000;
    summary.record(record);
    summary.for_each_call([](auto const&, auto const& row) {
        EXPECT_EQ(row.time.sum.get(), 0);
        EXPECT_EQ(row.time.least.get(), 0);
    });
}

TEST(summary, counts_what_finds_no_row) {
    small_summary summary;
    for (std::uint32_t line = 1; line <= 1000; ++line) summary.record(a_call(operation::send, 2, line));
    std::int64_t rows = 0;
    summary.for_each_call([&](auto const&, auto const&) { ++rows; });
    EXPECT_EQ(rows, 16);
    summary.for_each_overflow([](auto const& calls, auto const&) {
        EXPECT_EQ(calls.calls.get(), 984);
        EXPECT_EQ(calls.sent.get(), 1968);
    });
    EXPECT_EQ(total_calls(summary), 1000);
    EXPECT_EQ(summary.lost(), 0);
}

TEST(summary, adds_up_completions_apart) {
    mpiprof::sinks::summary summary;
    mpiprof::completion done;
    done.operation = operation::irecv;
    done.received = 12;
    done.posted = 5;
    done.observed = 25;
    summary.complete(done);
    done.received = -1;
    summary.complete(done);
    done.received = 0;
    done.cancelled = true;
    done.taken_back = 7;
    summary.complete(done);
    int rows = 0;
    summary.for_each_completion([&](auto const& key, auto const& row) {
        ++rows;
        EXPECT_EQ(key.operation, operation::irecv);
        EXPECT_EQ(row.completions.get(), 3);
        EXPECT_EQ(row.received.get(), 12);
        EXPECT_EQ(row.unknown.get(), 1);
        EXPECT_EQ(row.cancelled.get(), 1);
        EXPECT_EQ(row.taken_back.get(), 7);
        EXPECT_EQ(row.pending.sum.get(), 60);
    });
    EXPECT_EQ(rows, 1);
    EXPECT_EQ(total_calls(summary), 0);
}

TEST(summary, counts_exactly_over_threads_and_may_be_read_meanwhile) {
    mpiprof::sinks::summary summary;
    constexpr int threads = 4;
    constexpr int calls = 20000;
    {
        std::vector<std::jthread> running;
        for (int thread = 0; thread < threads; ++thread) {
            running.emplace_back([&summary] {
                for (std::uint32_t i = 0; i < calls; ++i)
                    summary.record(a_call(operation::send, 3, 1 + i % 10));
            });
        }
        std::int64_t last = 0;
        for (int i = 0; i < 100; ++i) {
            auto const now = total_calls(summary);
            EXPECT_GE(now, last);
            last = now;
        }
    }
    EXPECT_EQ(total_calls(summary), threads * calls);
}

TEST(per_thread, hands_the_shards_of_ended_threads_on) {
    mpiprof::sinks::summary summary;
    for (int i = 0; i < 50; ++i) {
        std::jthread{[&summary] { summary.record(a_call(operation::send, 1)); }}.join();
    }
    int rows = 0;
    summary.for_each_call([&](auto const&, auto const& row) {
        ++rows;
        EXPECT_EQ(row.calls.get(), 50);
    });
    EXPECT_EQ(rows, 1);
}

TEST(per_thread, keeps_objects_at_one_address_apart) {
    for (int i = 0; i < 3; ++i) {
        small_summary summary;
        summary.record(a_call(operation::send, 1));
        EXPECT_EQ(total_calls(summary), 1);
    }
}

}  // namespace
