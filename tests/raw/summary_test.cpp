// A summary of real messages against what the test knows that it sent: messages by peer, sizes by powers of
// two, counts.
#include "tests/raw/world.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <mpiprof/raw.hpp>
#include <random>
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

}  // namespace
