// Requests that are inactive, freed, cancelled, many, or not ours.
#include "tests/raw/recorder.hpp"
#include "tests/raw/stderr_capture.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

/// What the next MPI_Wait does when its request is over and it has not returned yet.
std::function<void()> before_wait_returns;

std::size_t in_flight() { return mpiprof::raw::request_table::instance().size(); }

TEST(requests, R1_waiting_for_an_inactive_request) {
    CASES_NEED_RANKS(1);
    cases::request_in_flight const other;
    recorder const records;
    char in = 0;
    char const out = 0;
    std::array<MPI_Request, 2> requests{};
    PMPI_Recv_init(&in, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &requests[0]);
    PMPI_Send_init(&out, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &requests[1]);
    for (auto& request : requests) {
        MPI_Status plain{};
        MPI_Status profiled{};
        EXPECT_EQ(PMPI_Wait(&request, &plain), MPI_SUCCESS);
        EXPECT_EQ(cases::calls::wait(&request, &profiled), MPI_SUCCESS);
        EXPECT_EQ(profiled.MPI_SOURCE, MPI_ANY_SOURCE);
        EXPECT_EQ(std::memcmp(&plain, &profiled, sizeof plain), 0);
        EXPECT_NE(request, MPI_REQUEST_NULL);
        int flag = 0;
        EXPECT_EQ(cases::calls::test(&request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(flag, 1);
    }
    EXPECT_EQ(cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_TRUE(records.completions().empty());

    // Nor does what plain calls have started show.
    PMPI_Startall(2, requests.data());
    EXPECT_EQ(cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_TRUE(records.completions().empty());
    for (auto& request : requests) PMPI_Request_free(&request);
}

// Not from a rank to itself: plain MPICH 4.0.2 loses the first message then.
TEST(requests, F1_F2_sends_freed_at_once_are_not_mixed_up_with_the_next) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    auto const before = in_flight();
    std::array<int, 3> const out{1, 6, 7};
    std::array<int, 3> in{};
    if (world.rank() == 0) {
        for (int tag = 1; tag <= 2; ++tag) {
            MPI_Request request = MPI_REQUEST_NULL;
            world.isend(&out[tag == 1 ? 0 : 1], 1, MPI_INT, 1, tag, &request);
            EXPECT_EQ(cases::calls::request_free(&request), MPI_SUCCESS);
            EXPECT_EQ(request, MPI_REQUEST_NULL);
        }
        EXPECT_EQ(in_flight(), before);
        MPI_Request request = MPI_REQUEST_NULL;
        world.isend(&out[2], 1, MPI_INT, 1, 3, &request);
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(records.calls(operation::isend).size(), 3U);
        EXPECT_EQ(records.completion(operation::isend).tag, 3);
    } else {
        for (int tag = 1; tag <= 3; ++tag) world.recv(0, tag, &in[static_cast<std::size_t>(tag - 1)], 1);
        EXPECT_EQ(in, out);
    }
    std::int64_t moved = 0;
    for (auto const& call : records.calls()) moved += call.sent + call.received;
    EXPECT_EQ(moved, 12);
}

TEST(requests, F2_request_objects_freed_by_plain_mpi) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 2> const out{1, 6};
    std::array<int, 2> in{};
    if (world.rank() == 0) {
        for (auto const& each : out) {
            auto request = world.isend(1, 1, &each, 1);
            PMPI_Request_free(request.native());
            EXPECT_FALSE(request.active());
        }
    } else {
        for (auto& each : in) world.recv(0, 1, &each, 1);
        EXPECT_EQ(in, out);
    }
    auto const calls = records.calls();
    ASSERT_EQ(calls.size(), 2U);
    for (auto const& call : calls) EXPECT_EQ(call.sent + call.received, 4);
}

struct sums {
    std::int64_t calls = 0;
    std::int64_t sent = 0;
    std::int64_t completions = 0;
};

/// Counts sends and their completions by tag.
struct count_by_tag {
    void operator()(mpiprof::call const& record) const {
        if (record.operation != operation::isend) return;
        ++at(record.tag).calls;
        at(record.tag).sent += record.sent;
    }
    void operator()(mpiprof::completion const& record) const { ++at(record.tag).completions; }

    static sums& at(int tag) { return all[static_cast<std::size_t>(tag)]; }

    static inline std::array<sums, 10> all;
};

TEST(requests, F3_handles_that_come_back_at_once) {
    CASES_NEED_RANKS(1);
    constexpr int rounds = 100000;
    using counting = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload,
                                              mpiprof::sinks::callback<count_by_tag>>;
    auto const world = mpiprof::profile<counting>(MPI_COMM_WORLD);
    mpiprof::raw::function<mpiprof::raw::rows::Wait, counting> const wait;
    auto const before = in_flight();
    int const out = 0;
    int in = 0;
    for (int i = 0; i < rounds; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        world.isend(&out, 1, MPI_INT, 0, i % 10, &request);
        PMPI_Recv(&in, 1, MPI_INT, 0, i % 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wait(&request, MPI_STATUS_IGNORE);
    }
    for (auto const& each : count_by_tag::all) {
        EXPECT_EQ(each.calls, rounds / 10);
        EXPECT_EQ(each.sent, rounds / 10 * 4);
        EXPECT_EQ(each.completions, rounds / 10);
    }
    EXPECT_EQ(in_flight(), before);
}

TEST(requests, F3_a_handle_that_comes_back_in_another_thread) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const receive_one = [](MPI_Comm comm, int tag) {
        int in = 0;
        int const out = tag;
        MPI_Request request = MPI_REQUEST_NULL;
        cases::calls::irecv(&in, 1, MPI_INT, 0, tag, comm, &request);
        auto const handle = request;
        PMPI_Send(&out, 1, MPI_INT, 0, tag, comm);
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
        return handle;
    };
    MPI_Request second = MPI_REQUEST_NULL;
    before_wait_returns = [&] { std::thread{[&] { second = receive_one(MPI_COMM_SELF, 2); }}.join(); };
    auto const first = receive_one(MPI_COMM_WORLD, 1);
    // Both libraries do that; another one need not.
    if (first != second) GTEST_SKIP() << "the handle did not come back";
    for (auto const& done : records.completions(operation::irecv)) {
        EXPECT_EQ(done.communicator,
                  done.tag == 1 ? mpiprof::world_communicator : mpiprof::self_communicator);
    }
}

TEST(requests, F6_many_requests_completed_out_of_order) {
    CASES_NEED_RANKS(3);
    constexpr int messages = 50;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::vector<int> out(messages, world.rank());
    std::vector<int> in(3 * messages, -1);
    std::vector<MPI_Request> requests;
    for (int i = 0; i < messages; ++i) {
        for (int peer = 0; peer < 3; ++peer) {
            if (peer == world.rank()) continue;
            requests.insert(requests.begin(), 2, MPI_REQUEST_NULL);
            world.isend(&out[static_cast<std::size_t>(i)], 1, MPI_INT, peer, i, &requests[0]);
            world.irecv(&in[static_cast<std::size_t>(peer * messages + i)], 1, MPI_INT, peer, i,
                        &requests[1]);
        }
    }
    EXPECT_EQ(cases::calls::waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              MPI_SUCCESS);
    std::array<std::int64_t, 3> received{};
    for (auto const& done : records.completions(operation::irecv))
        received.at(static_cast<std::size_t>(done.peer)) += done.received;
    for (int peer = 0; peer < 3; ++peer)
        EXPECT_EQ(received.at(static_cast<std::size_t>(peer)), peer == world.rank() ? 0 : 4 * messages);
    EXPECT_EQ(records.completions(operation::isend).size(), 2U * messages);
    EXPECT_EQ(records.completions(operation::irecv).size(), 2U * messages);
    EXPECT_EQ(in[static_cast<std::size_t>((world.rank() + 1) % 3 * messages)], (world.rank() + 1) % 3);
}

TEST(requests, F8_a_receive_cancelled_and_posted_again) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 4> buffer{};
    if (world.rank() == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        world.irecv(buffer.data(), 4, MPI_INT, 1, 1, &request);
        PMPI_Cancel(&request);
        MPI_Status status;
        EXPECT_EQ(cases::calls::wait(&request, &status), MPI_SUCCESS);
        int cancelled = 0;
        PMPI_Test_cancelled(&status, &cancelled);
        EXPECT_EQ(cancelled, 1);
        PMPI_Barrier(MPI_COMM_WORLD);
        world.irecv(buffer.data(), 4, MPI_INT, 1, 1, &request);
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
        auto const done = records.completions(operation::irecv);
        ASSERT_EQ(done.size(), 2U);
        EXPECT_TRUE(done[0].cancelled);
        EXPECT_EQ(done[0].received, 0);
        EXPECT_EQ(done[0].peer, 1);
        EXPECT_FALSE(done[1].cancelled);
        EXPECT_EQ(done[1].received, 12);
    } else {
        PMPI_Barrier(MPI_COMM_WORLD);
        world.send(buffer.data(), 3, MPI_INT, 0, 1);
    }
}

TEST(requests, F11_bytes_of_a_cancelled_send_are_taken_back) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 4> buffer{};
    int cancelled = 0;
    if (world.rank() == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        world.isend(buffer.data(), 4, MPI_INT, 1, 1, &request);
        EXPECT_EQ(cases::calls::cancel(&request), MPI_SUCCESS);
        MPI_Status status;
        EXPECT_EQ(cases::calls::wait(&request, &status), MPI_SUCCESS);
        PMPI_Test_cancelled(&status, &cancelled);
    }
    PMPI_Bcast(&cancelled, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (world.rank() == 1 && cancelled == 0) world.recv(buffer.data(), 4, MPI_INT, 0, 1, MPI_STATUS_IGNORE);
    std::int64_t moved = 0;
    for (auto const& call : records.calls()) moved += call.sent + call.received;
    for (auto const& done : records.completions()) {
        EXPECT_EQ(done.cancelled, cancelled != 0);
        moved += done.received - done.taken_back;
    }
    EXPECT_EQ(moved, cancelled != 0 ? 0 : 16);
}

TEST(requests, N1_collectives_that_plain_calls_started) {
    CASES_NEED_RANKS(1);
    cases::request_in_flight const other;
    recorder const records;
    cases::stderr_capture captured;
    MPI_Request barrier = MPI_REQUEST_NULL;
    PMPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    EXPECT_EQ(cases::calls::wait(&barrier, MPI_STATUS_IGNORE), MPI_SUCCESS);
    PMPI_Ibarrier(MPI_COMM_SELF, &barrier);
    int flag = 0;
    while (flag == 0) cases::calls::test(&barrier, &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(captured.text(), "");
    EXPECT_TRUE(records.completions().empty());
    EXPECT_EQ(records.call(operation::wait).request, operation::none);
}

}  // namespace

/// As another tool would, from below mpiprof.
extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    int const code = PMPI_Wait(request, status);
    if (auto const hook = std::exchange(before_wait_returns, nullptr)) hook();
    return code;
}
