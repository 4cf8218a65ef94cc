// A summary of real messages against what the test knows that it sent: messages by peer, sizes by powers of
// two, counts.
#include "tests/raw/world.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <mpiprof/raw.hpp>
#include <mpiprof/timing/steady.hpp>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct known {
    std::int64_t sends = 0;
    std::int64_t sent = 0;
    std::int64_t receives = 0;
    std::int64_t received = 0;

    bool operator==(known const&) const = default;
};

/// Counts a size by dividing, which the library does not.
void count_size(std::vector<std::int64_t>& sizes, std::int64_t size) {
    std::size_t bucket = 0;
    for (; size > 0; size /= 2) ++bucket;
    if (sizes.size() <= bucket) sizes.resize(bucket + 1);
    ++sizes[bucket];
}

enum class way { blocking, nonblocking, both_at_once };

TEST(summary, of_random_messages_is_what_was_sent) {
    int const rank = cases::world_rank();
    int const ranks = cases::world_size();
    mpiprof::profiler const profiler;
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    std::vector<double> out(5000), in(5000);
    std::map<std::int64_t, known> peers;
    std::map<std::string, std::vector<std::int64_t>> sizes;
    std::map<std::string, std::int64_t> calls;

    // All ranks throw the same dice.
    std::mt19937 dice{2026};
    for (int i = 0; i < 600; ++i) {
        int const from = static_cast<int>(dice() % static_cast<unsigned>(ranks));
        int const to = static_cast<int>(dice() % static_cast<unsigned>(ranks));
        int const count = static_cast<int>(dice() % 4 == 0 ? dice() % 5000 : dice() % 4);
        auto how = static_cast<way>(dice() % 3);
        // A blocking message to itself may block.
        if (from == to) how = way::nonblocking;
        std::int64_t const bytes = count * std::int64_t{8};
        if (how == way::both_at_once) {
            if (rank != from && rank != to) continue;
            int const other = rank == from ? to : from;
            world.sendrecv(out.data(), count, MPI_DOUBLE, other, 5, in.data(), 5000, MPI_DOUBLE, other, 5,
                           MPI_STATUS_IGNORE);
            ++peers[other].sends, ++peers[other].receives;
            peers[other].sent += bytes, peers[other].received += bytes;
            ++calls["sendrecv"];
            count_size(sizes["sendrecv"], bytes);
            count_size(sizes["sendrecv"], bytes);
            continue;
        }
        bool const blocking = how == way::blocking;
        std::vector<MPI_Request> requests;
        if (rank == to) {
            ++peers[from].receives;
            peers[from].received += bytes;
            auto const operation = blocking ? "recv" : "irecv";
            ++calls[operation];
            count_size(sizes[operation], bytes);
            if (blocking) world.recv(in.data(), 5000, MPI_DOUBLE, from, 5, MPI_STATUS_IGNORE);
            else world.irecv(in.data(), 5000, MPI_DOUBLE, from, 5, &requests.emplace_back());
        }
        if (rank == from) {
            ++peers[to].sends;
            peers[to].sent += bytes;
            auto const operation = blocking ? "send" : "isend";
            ++calls[operation];
            count_size(sizes[operation], bytes);
            if (blocking) world.send(out.data(), count, MPI_DOUBLE, to, 5);
            else world.isend(out.data(), count, MPI_DOUBLE, to, 5, &requests.emplace_back());
        }
        for (auto& request : requests) mpiprof::raw::wait(&request, MPI_STATUS_IGNORE);
    }

    auto const run = profiler.snapshot();
    std::map<std::int64_t, known> found;
    for (auto const& row : run.peers) {
        EXPECT_EQ(row.rank, rank);
        EXPECT_EQ(row.communicator, mpiprof::world_communicator);
        found[row.peer] = {row.sends, row.sent, row.receives, row.received};
    }
    EXPECT_EQ(found, peers);
    for (auto const& row : run.operations) {
        if (row.operation == "wait") continue;
        EXPECT_EQ(row.statistics.calls, calls[row.operation]) << row.operation;
        EXPECT_EQ(row.statistics.sizes, sizes[row.operation]) << row.operation;
        std::int64_t timed = 0;
        for (auto const number : row.statistics.durations) timed += number;
        EXPECT_EQ(timed, row.statistics.calls) << row.operation;
        calls.erase(row.operation);
    }
    EXPECT_TRUE(calls.empty());
}

mpiprof::results::statistics of(mpiprof::results::profile const& run, std::string_view operation) {
    for (auto const& row : run.operations) {
        if (row.operation == operation) return row.statistics;
    }
    return {};
}

// From the second on, calls of one place take the short way; all of them must add up to the same.
TEST(summary, of_calls_that_take_the_short_way_and_of_those_that_do_not) {
    cases::errors_return const returned;
    using own = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload,
                                         mpiprof::sinks::basic_summary<64>>;
    mpiprof::profiler<own> const profiler;
    auto const self = mpiprof::profile(MPI_COMM_SELF, profiler);
    MPI_Datatype every_other = MPI_DATATYPE_NULL;
    PMPI_Type_vector(3, 1, 2, MPI_DOUBLE, &every_other);
    PMPI_Type_commit(&every_other);
    std::vector<char> buffer(4096 + MPI_BSEND_OVERHEAD);
    PMPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
    double values[8] = {};
    double sums[8] = {};
    constexpr int times = 4;
    for (int i = 0; i < times; ++i) {
        int found = 1;
        self.barrier();
        self.allreduce(values, sums, 3, MPI_DOUBLE, MPI_SUM);
        self.allreduce(MPI_IN_PLACE, sums, 5, MPI_INT, MPI_SUM);
        self.allreduce(values, sums, 0, MPI_DOUBLE, MPI_SUM);
        self.iprobe(0, 1, &found, MPI_STATUS_IGNORE);
        EXPECT_EQ(found, 0);
        // A message to itself may block, but from a buffer.
        self.bsend(values, 1, every_other, 0, 1);
        while (found == 0) PMPI_Iprobe(0, 1, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
        self.iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, &found, MPI_STATUS_IGNORE);
        EXPECT_EQ(found, 1);
        self.recv(sums, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_STATUS_IGNORE);
        self.send(values, 2, MPI_DOUBLE, MPI_PROC_NULL, 1);
        self.recv(sums, 8, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_STATUS_IGNORE);
        EXPECT_NE(self.send(values, 1, MPI_DOUBLE, 7, 1), MPI_SUCCESS);
    }
    PMPI_Type_free(&every_other);
    void* detached = nullptr;
    int size = 0;
    PMPI_Buffer_detach(&detached, &size);

    auto const run = profiler.snapshot();
    EXPECT_EQ(of(run, "barrier").calls, times);
    EXPECT_TRUE(of(run, "barrier").sizes.empty());
    auto const allreduce = of(run, "allreduce");
    EXPECT_EQ(allreduce.calls, 3 * times);
    EXPECT_EQ(allreduce.sent, times * (24 + 20));
    EXPECT_EQ(allreduce.received, times * (24 + 20));
    EXPECT_EQ(allreduce.sizes, (mpiprof::results::histogram{times, 0, 0, 0, 0, 2 * times}));
    EXPECT_EQ(of(run, "iprobe").calls, 2 * times);
    EXPECT_EQ(of(run, "iprobe").incomplete, times);
    EXPECT_EQ(of(run, "iprobe").received, 0);
    auto const send = of(run, "send");
    EXPECT_EQ(send.calls, 2 * times);
    EXPECT_EQ(send.failed, times);
    EXPECT_EQ(send.sent, 0);
    EXPECT_TRUE(send.sizes.empty());
    auto const bsend = of(run, "bsend");
    EXPECT_EQ(bsend.calls, times);
    EXPECT_EQ(bsend.sent, times * 24);
    EXPECT_EQ(bsend.sizes, (mpiprof::results::histogram{0, 0, 0, 0, 0, times}));
    EXPECT_EQ(of(run, "recv").calls, 2 * times);
    EXPECT_EQ(of(run, "recv").received, times * 24);
    EXPECT_EQ(of(run, "recv").unknown, 0);
    ASSERT_EQ(run.peers.size(), 1U);
    EXPECT_EQ(run.peers[0].communicator, mpiprof::self_communicator);
    EXPECT_EQ(run.peers[0].peer, 0);
    EXPECT_EQ(run.peers[0].sends, times);
    EXPECT_EQ(run.peers[0].sent, times * 24);
    EXPECT_EQ(run.peers[0].receives, times);
    EXPECT_EQ(run.peers[0].received, times * 24);
}

}  // namespace
