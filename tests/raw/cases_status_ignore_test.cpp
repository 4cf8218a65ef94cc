// Statuses that the caller ignores, and those it wants.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <cstring>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

/// A status that no call has written to.
MPI_Status untouched() {
    MPI_Status status;
    std::memset(&status, 0x5a, sizeof status);
    return status;
}

bool same_bytes(MPI_Status const& a, MPI_Status const& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(status_ignore, S2_ignored_statuses_everywhere) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const other = 1 - world.rank();
    int out[3] = {1, 2, 3};
    int in[3] = {};
    MPI_Request requests[3] = {};
    int index = 0;
    int flag = 0;
    auto const post = [&] {
        for (int i = 0; i < 3; ++i) world.irecv(&in[i], 1, MPI_INT, other, i, &requests[i]);
        for (int i = 0; i < 3; ++i) world.send(&out[i], 1, MPI_INT, other, i);
    };
    post();
    cases::calls::wait(&requests[0], MPI_STATUS_IGNORE);
    cases::calls::waitany(3, requests, &index, MPI_STATUS_IGNORE);
    cases::calls::waitall(3, requests, MPI_STATUSES_IGNORE);
    post();
    while (flag == 0) cases::calls::test(&requests[0], &flag, MPI_STATUS_IGNORE);
    for (flag = 0; flag == 0;) cases::calls::testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
    for (flag = 0; flag == 0;) cases::calls::testall(3, requests, &flag, MPI_STATUSES_IGNORE);
    EXPECT_TRUE(std::equal(in, in + 3, out));
    world.sendrecv(out, 3, MPI_INT, other, 0, in, 3, MPI_INT, other, 0, MPI_STATUS_IGNORE);
    world.sendrecv_replace(out, 3, MPI_INT, other, 0, other, 0, MPI_STATUS_IGNORE);

    auto const received = records.completions(operation::irecv);
    EXPECT_EQ(received.size(), 6U);
    for (auto const& done : received) {
        EXPECT_EQ(done.received, 4);
        EXPECT_EQ(done.peer, other);
    }
    EXPECT_EQ(records.completion(operation::sendrecv).received, 12);
    EXPECT_EQ(records.completion(operation::sendrecv_replace).received, 12);
}

TEST(status_ignore, S2_wanted_statuses_are_what_plain_calls_give) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const other = 1 - world.rank();
    std::array<int, 4> buffer{};
    std::array<MPI_Status, 2> plain{untouched(), untouched()};
    std::array<MPI_Status, 2> profiled{untouched(), untouched()};
    std::array<MPI_Request, 2> requests{};

    PMPI_Irecv(buffer.data(), 4, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]);
    PMPI_Isend(buffer.data(), 2, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
    PMPI_Waitall(2, requests.data(), plain.data());
    world.irecv(buffer.data(), 4, MPI_INT, other, 1, &requests[0]);
    world.isend(buffer.data(), 2, MPI_INT, other, 1, &requests[1]);
    cases::calls::waitall(2, requests.data(), profiled.data());
    for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(same_bytes(plain[i], profiled[i])) << i;

    plain[0] = profiled[0] = untouched();
    PMPI_Sendrecv(buffer.data(), 2, MPI_INT, other, 2, buffer.data() + 2, 2, MPI_INT, other, 2,
                  MPI_COMM_WORLD, plain.data());
    world.sendrecv(buffer.data(), 2, MPI_INT, other, 2, buffer.data() + 2, 2, MPI_INT, other, 2,
                   profiled.data());
    EXPECT_TRUE(same_bytes(plain[0], profiled[0]));
}

TEST(status_ignore, S5_a_call_without_a_status_ignores_it_by_the_macro) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const profiled = recorded(MPI_COMM_WORLD);
    mpiprof::raw_communicator const plain{MPI_COMM_WORLD};
    auto const exchange = [](auto const& world) {
        std::array<int, 2> const out{6, 7};
        std::array<int, 2> in{};
        auto sent = world.isend(0, 1, &out[0], 1);
        EXPECT_EQ(world.recv(0, 1, &in[0], 1), MPI_SUCCESS);
        EXPECT_EQ(sent.wait(), MPI_SUCCESS);
        auto received = world.irecv(0, 2, &in[1], 1);
        world.send(0, 2, &out[1], 1);
        int flag = 0;
        while (flag == 0) EXPECT_EQ(received.test(&flag), MPI_SUCCESS);
        EXPECT_EQ(in, out);
    };
    exchange(profiled);
    EXPECT_EQ(records.completion(operation::irecv).received, 4);
    exchange(plain);
    EXPECT_EQ(records.completions().size(), 2U);
}

TEST(status_ignore, S2_in_waits_for_some_and_matched_receives) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const other = 1 - world.rank();
    int out[3] = {1, 2, 3};
    int in[3] = {};
    MPI_Request requests[3] = {};
    int indices[3] = {};
    for (bool const waits : {true, false}) {
        for (int i = 0; i < 3; ++i) world.irecv(&in[i], 1, MPI_INT, other, i, &requests[i]);
        for (int i = 0; i < 3; ++i) world.send(&out[i], 1, MPI_INT, other, i);
        for (int completed = 0; completed != MPI_UNDEFINED;) {
            if (waits) cases::calls::waitsome(3, requests, &completed, indices, MPI_STATUSES_IGNORE);
            else cases::calls::testsome(3, requests, &completed, indices, MPI_STATUSES_IGNORE);
        }
    }
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request sent = MPI_REQUEST_NULL;
    world.isend(out, 3, MPI_INT, other, 4, &sent);
    world.mprobe(other, 4, &message, MPI_STATUS_IGNORE);
    cases::calls::mrecv(in, 3, MPI_INT, &message, MPI_STATUS_IGNORE);
    cases::calls::wait(&sent, MPI_STATUS_IGNORE);
    EXPECT_TRUE(std::equal(in, in + 3, out));
    EXPECT_EQ(records.completions(operation::irecv).size(), 6U);
    for (auto const& done : records.completions(operation::irecv)) EXPECT_EQ(done.received, 4);
    EXPECT_EQ(records.call(operation::mrecv).received, 12);
    EXPECT_EQ(records.call(operation::mrecv).peer, other);
}

TEST(status_ignore, S2_wanted_statuses_of_waits_for_some) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const receive = [&](auto irecv, auto waitsome) {
        std::array<int, 2> const out{};
        std::array<int, 4> in{};
        MPI_Request request = MPI_REQUEST_NULL;
        irecv(in.data(), 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        PMPI_Send(out.data(), 2, MPI_INT, 0, 1, MPI_COMM_WORLD);
        std::array<MPI_Status, 2> statuses{untouched(), untouched()};
        int completed = 0;
        std::array<int, 1> indices{};
        waitsome(1, &request, &completed, indices.data(), statuses.data());
        EXPECT_EQ(completed, 1);
        return statuses;
    };
    auto const plain = receive(&PMPI_Irecv, &PMPI_Waitsome);
    auto const profiled = receive(cases::calls::irecv, cases::calls::waitsome);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(same_bytes(plain[i], profiled[i])) << i;
}

}  // namespace
