// The laws of a communicator, as its concept states them, to be run over every model.
#pragma once

#include <mpiprof/core/communicator.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

namespace laws {

using mpiprof::communicator;

template <communicator Comm>
void ranks_are_numbered(Comm const& comm) {
    EXPECT_GE(mpiprof::rank(comm), 0);
    EXPECT_LT(mpiprof::rank(comm), mpiprof::size(comm));
    // Each rank once: the ranks' sum says so.
    int const rank = mpiprof::rank(comm);
    int sum = -1;
    mpiprof::allreduce(comm, &rank, &sum, 1, std::plus<>{});
    EXPECT_EQ(sum, mpiprof::size(comm) * (mpiprof::size(comm) - 1) / 2);
}

/// Each rank sends to the next.
template <communicator Comm>
void messages_arrive_in_order(Comm const& comm) {
    int const rank = mpiprof::rank(comm);
    int const size = mpiprof::size(comm);
    int const next = (rank + 1) % size;
    int const previous = (rank + size - 1) % size;
    constexpr int tag = 7;
    std::vector<mpiprof::request_of<Comm>> requests;
    std::vector<int> const sent = {10 * rank, 10 * rank + 1, 10 * rank + 2};
    for (auto const& value : sent) requests.push_back(mpiprof::isend(comm, next, tag, &value, 1));
    for (int i = 0; i < 3; ++i) {
        int received = -1;
        mpiprof::recv(comm, previous, tag, &received, 1);
        EXPECT_EQ(received, 10 * previous + i);
    }
    mpiprof::wait_all(comm, requests.data(), requests.size());
}

template <communicator Comm>
void messages_match_by_tag(Comm const& comm) {
    int const rank = mpiprof::rank(comm);
    int const size = mpiprof::size(comm);
    int const next = (rank + 1) % size;
    int const previous = (rank + size - 1) % size;
    double const first = rank + 0.5;
    double const second = rank + 0.25;
    mpiprof::request_of<Comm> sends[] = {mpiprof::isend(comm, next, 1, &first, 1),
                                         mpiprof::isend(comm, next, 2, &second, 1)};
    double one = 0;
    double two = 0;
    mpiprof::recv(comm, previous, 2, &two, 1);
    mpiprof::recv(comm, previous, 1, &one, 1);
    EXPECT_EQ(one, previous + 0.5);
    EXPECT_EQ(two, previous + 0.25);
    mpiprof::wait_all(comm, sends, 2);
}

/// A nonblocking receive has its values after wait_all; there is room for more than come.
template <communicator Comm>
void waiting_brings_the_values(Comm const& comm) {
    int const rank = mpiprof::rank(comm);
    int const size = mpiprof::size(comm);
    std::vector<int> received(8, -1);
    std::vector<int> const sent(3, rank);
    mpiprof::request_of<Comm> requests[] = {
        mpiprof::irecv(comm, (rank + size - 1) % size, 3, received.data(), received.size()),
        mpiprof::isend(comm, (rank + 1) % size, 3, sent.data(), sent.size())};
    mpiprof::wait_all(comm, requests, 2);
    EXPECT_EQ(std::vector<int>(received.begin(), received.begin() + 3),
              std::vector<int>(3, (rank + size - 1) % size));
    EXPECT_EQ(std::vector<int>(received.begin() + 3, received.end()), std::vector<int>(5, -1));
}

template <communicator Comm>
void wildcards_match(Comm const& comm) {
    int const rank = mpiprof::rank(comm);
    int const size = mpiprof::size(comm);
    auto send = mpiprof::isend(comm, (rank + 1) % size, 5, &rank, 1);
    int received = -1;
    mpiprof::recv(comm, mpiprof::any_source, mpiprof::any_tag, &received, 1);
    EXPECT_EQ(received, (rank + size - 1) % size);
    mpiprof::wait_all(comm, &send, 1);
    mpiprof::barrier(comm);
}

/// Transfers with the null process do nothing.
template <communicator Comm>
void the_null_process_is_nobody(Comm const& comm) {
    int value = 42;
    mpiprof::send(comm, mpiprof::null_process, 1, &value, 1);
    mpiprof::recv(comm, mpiprof::null_process, 1, &value, 1);
    mpiprof::request_of<Comm> requests[] = {mpiprof::isend(comm, mpiprof::null_process, 1, &value, 1),
                                            mpiprof::irecv(comm, mpiprof::null_process, 1, &value, 1)};
    mpiprof::wait_all(comm, requests, 2);
    EXPECT_EQ(value, 42);
}

template <communicator Comm>
void bcast_gives_the_roots_values(Comm const& comm) {
    for (int root = 0; root < mpiprof::size(comm); ++root) {
        std::vector<int> values(4, mpiprof::rank(comm));
        mpiprof::bcast(comm, values.data(), values.size(), root);
        EXPECT_EQ(values, std::vector<int>(4, root));
    }
}

/// The fold over the ranks, element by element, computed here by hand.
template <communicator Comm>
void reductions_fold_over_the_ranks(Comm const& comm) {
    int const rank = mpiprof::rank(comm);
    int const size = mpiprof::size(comm);
    std::vector<int> const in = {rank, 1, -rank};
    auto const fold = [&](auto op) {
        std::vector<int> expected = {0, 1, 0};
        for (int other = 1; other < size; ++other) {
            expected = {op(expected[0], other), op(expected[1], 1), op(expected[2], -other)};
        }
        std::vector<int> out(3, -7);
        mpiprof::allreduce(comm, in.data(), out.data(), 3, op);
        EXPECT_EQ(out, expected);
        for (int root = 0; root < size; ++root) {
            std::vector<int> at_root(3, -7);
            mpiprof::reduce(comm, in.data(), at_root.data(), 3, op, root);
            if (rank == root) {
                EXPECT_EQ(at_root, expected);
            }
        }
    };
    fold(std::plus<>{});
    fold(mpiprof::maximum{});
    fold(mpiprof::minimum{});
}

template <communicator Comm>
void no_values_are_fine(Comm const& comm) {
    int const* const nothing = nullptr;
    int* const nowhere = nullptr;
    mpiprof::allreduce(comm, nothing, nowhere, 0, std::plus<>{});
    mpiprof::bcast(comm, nowhere, 0, 0);
    auto send = mpiprof::isend(comm, mpiprof::rank(comm), 6, nothing, 0);
    mpiprof::recv(comm, mpiprof::rank(comm), 6, nowhere, 0);
    mpiprof::wait_all(comm, &send, 1);
}

/// All laws.
template <communicator Comm>
void hold(Comm const& comm) {
    ranks_are_numbered(comm);
    messages_arrive_in_order(comm);
    messages_match_by_tag(comm);
    waiting_brings_the_values(comm);
    wildcards_match(comm);
    the_null_process_is_nobody(comm);
    bcast_gives_the_roots_values(comm);
    reductions_fold_over_the_ranks(comm);
    no_values_are_fine(comm);
}

}  // namespace laws
