// The tally: exact counts per operation.
#include <mpiprof/sinks/tally.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using mpiprof::operation;

TEST(tally, counts_calls_bytes_and_completions_per_operation) {
    mpiprof::sinks::tally tally;
    mpiprof::call record;
    record.operation = operation::bcast;
    record.sent = 16;
    tally.record(record);
    record.sent = 0;
    record.received = 8;
    tally.record(record);
    record.received = -1;
    tally.record(record);
    record.received = 0;
    record.flags = mpiprof::call_failed;
    tally.record(record);
    EXPECT_EQ(tally.calls(operation::bcast), 4);
    EXPECT_EQ(tally.failed(operation::bcast), 1);
    EXPECT_EQ(tally.sent(operation::bcast), 16);
    EXPECT_EQ(tally.received(operation::bcast), 8);
    EXPECT_EQ(tally.unknown(operation::bcast), 1);
    EXPECT_EQ(tally.calls(operation::reduce), 0);

    mpiprof::completion done;
    done.operation = operation::irecv;
    done.received = 32;
    tally.complete(done);
    EXPECT_EQ(tally.completions(operation::irecv), 1);
    EXPECT_EQ(tally.received(operation::irecv), 32);
    EXPECT_EQ(tally.calls(), 4);
    EXPECT_EQ(tally.sent(), 16);
    EXPECT_EQ(tally.received(), 40);

    tally.reset();
    EXPECT_EQ(tally.calls() + tally.sent() + tally.received() + tally.completions(operation::irecv), 0);
}

TEST(tally, counts_bytes_of_files_apart) {
    mpiprof::sinks::tally tally;
    mpiprof::call record;
    record.operation = operation::file_write;
    record.written = 24;
    tally.record(record);
    record.written = -1;
    tally.record(record);
    record.operation = operation::file_read;
    record.written = 0;
    record.read = 3;
    tally.record(record);
    mpiprof::completion done;
    done.operation = operation::file_iread;
    done.read = 5;
    tally.complete(done);
    done.read = -1;
    tally.complete(done);
    EXPECT_EQ(tally.written(operation::file_write), 24);
    EXPECT_EQ(tally.unknown(operation::file_write), 1);
    EXPECT_EQ(tally.read(operation::file_read), 3);
    EXPECT_EQ(tally.read(operation::file_iread), 5);
    EXPECT_EQ(tally.unknown(operation::file_iread), 1);
    EXPECT_EQ(tally.sent() + tally.received(), 0);
    tally.reset();
    EXPECT_EQ(tally.written(operation::file_write) + tally.read(operation::file_read), 0);
}

TEST(tally, takes_a_cancelled_send_back) {
    mpiprof::sinks::tally tally;
    mpiprof::call record;
    record.operation = operation::isend;
    record.sent = 16;
    tally.record(record);
    mpiprof::completion done;
    done.operation = operation::isend;
    done.cancelled = true;
    done.taken_back = 16;
    tally.complete(done);
    EXPECT_EQ(tally.sent(operation::isend), 0);
}

TEST(tally, counts_exactly_over_threads) {
    mpiprof::sinks::tally tally;
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&tally] {
                mpiprof::call record;
                record.operation = operation::send;
                record.sent = 2;
                for (int i = 0; i < 10000; ++i) tally.record(record);
            });
        }
    }
    EXPECT_EQ(tally.calls(operation::send), 40000);
    EXPECT_EQ(tally.sent(operation::send), 80000);
}

}  // namespace
