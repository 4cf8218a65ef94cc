// Requests that are inactive, freed, cancelled, many, or not ours.
#include "tests/raw/recorder.hpp"
#include "tests/raw/resident_memory.hpp"
#include "tests/raw/stderr_capture.hpp"
#include "tests/raw/world.hpp"

#include <algorithm>
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

TEST(requests, F6_requests_of_all_kinds_in_one_list) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const out = 7;
    std::array<int, 3> in{};
    int* exposed = nullptr;
    MPI_Win window = MPI_WIN_NULL;
    world.win_allocate(sizeof *exposed, sizeof *exposed, MPI_INFO_NULL, &exposed, &window);
    *exposed = 5;
    MPI_File file = MPI_FILE_NULL;
    world.file_open(cases::in_test_directory("F6.data").c_str(),
                    MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    cases::calls::win_lock(MPI_LOCK_SHARED, 0, 0, window);
    std::array<MPI_Request, 6> requests{};
    world.irecv(&in[0], 1, MPI_INT, 0, 1, &requests[0]);
    cases::calls::file_iwrite_at(file, 0, &out, 1, MPI_INT, &requests[1]);
    cases::calls::rget(&in[1], 1, MPI_INT, 0, 0, 1, MPI_INT, window, &requests[2]);
    world.ibarrier(&requests[3]);
    world.isend(&out, 1, MPI_INT, 0, 1, &requests[4]);
    EXPECT_EQ(cases::calls::waitall(5, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cases::calls::win_unlock(0, window);
    cases::calls::file_iread_at(file, 0, &in[2], 1, MPI_INT, &requests[5]);
    EXPECT_EQ(cases::calls::wait(&requests[5], MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(in, (std::array{7, 5, 7}));
    cases::calls::win_free(&window);
    cases::calls::file_close(&file);
    EXPECT_EQ(records.call(operation::file_iwrite_at).written, 4);
    EXPECT_EQ(records.completion(operation::file_iwrite_at).read, 0);
    EXPECT_EQ(records.completion(operation::file_iread_at).read, 4);
    EXPECT_EQ(records.completion(operation::file_iread_at).received, 0);
    EXPECT_EQ(records.call(operation::rget).received, 4);
    EXPECT_EQ(records.completion(operation::rget).received, 0);
    EXPECT_EQ(records.completion(operation::irecv).received, 4);
    EXPECT_EQ(records.completions().size(), 6U);
    for (auto const& done : records.completions()) {
        EXPECT_EQ(done.communicator, mpiprof::world_communicator) << mpiprof::name(done.operation);
        EXPECT_FALSE(done.cancelled) << mpiprof::name(done.operation);
    }
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

TEST(requests, F1_all_modes_of_sends_freed_at_once) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const out = 3;
    std::array<int, 4> in{};
    if (world.rank() == 1) {
        std::array<MPI_Request, 4> received{};
        for (std::size_t i = 0; i < 4; ++i)
            PMPI_Irecv(&in[i], 1, MPI_INT, 0, static_cast<int>(i), MPI_COMM_WORLD, &received[i]);
        PMPI_Barrier(MPI_COMM_WORLD);
        PMPI_Waitall(4, received.data(), MPI_STATUSES_IGNORE);
        EXPECT_EQ(in, (std::array{3, 3, 3, 3}));
    } else {
        std::array<char, 1000> attached{};
        cases::calls::buffer_attach(attached.data(), 1000);
        // The ready one needs its receive.
        PMPI_Barrier(MPI_COMM_WORLD);
        MPI_Request request = MPI_REQUEST_NULL;
        auto const free = [&] {
            EXPECT_EQ(cases::calls::request_free(&request), MPI_SUCCESS);
            EXPECT_EQ(request, MPI_REQUEST_NULL);
            EXPECT_EQ(in_flight(), 0U);
        };
        world.isend(&out, 1, MPI_INT, 1, 0, &request);
        free();
        world.ibsend(&out, 1, MPI_INT, 1, 1, &request);
        free();
        world.irsend(&out, 1, MPI_INT, 1, 2, &request);
        free();
        world.issend(&out, 1, MPI_INT, 1, 3, &request);
        free();
        void* detached = nullptr;
        int size = 0;
        cases::calls::buffer_detach(&detached, &size);
        EXPECT_EQ(detached, attached.data());
        for (auto const which : {operation::isend, operation::ibsend, operation::irsend, operation::issend})
            EXPECT_EQ(records.call(which).sent, 4) << mpiprof::name(which);
        EXPECT_EQ(records.calls(operation::request_free).size(), 4U);
        EXPECT_TRUE(records.completions().empty());
    }
    // What was freed is MPI's until it is received.
    PMPI_Barrier(MPI_COMM_WORLD);
}

TEST(requests, F1_a_receive_freed_before_its_message) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 2> in{};
    int const out = 4;
    if (world.rank() == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        world.irecv(&in[0], 1, MPI_INT, 1, 1, &request);
        cases::calls::request_free(&request);
        auto object = world.irecv(1, 2, &in[1], 1);
        EXPECT_EQ(object.free(), MPI_SUCCESS);
        EXPECT_FALSE(object.active());
        PMPI_Barrier(MPI_COMM_WORLD);
        // Messages do not overtake: with this one the others are here.
        PMPI_Recv(nullptr, 0, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EXPECT_EQ(in, (std::array{4, 4}));
        EXPECT_TRUE(records.completions().empty());
        for (auto const& call : records.calls()) EXPECT_EQ(call.received, 0);
    } else {
        PMPI_Barrier(MPI_COMM_WORLD);
        for (int tag = 1; tag <= 2; ++tag) world.send(&out, 1, MPI_INT, 0, tag);
        PMPI_Send(nullptr, 0, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
}

TEST(requests, F2_freed_sends_and_receives_of_two_threads) {
    CASES_NEED_RANKS(1);
    recorder const records;
    std::array<MPI_Comm, 2> comms{};
    for (auto& comm : comms) PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    std::array<std::array<int, 2>, 2> in{};
    std::array<std::array<int, 2>, 2> const out{{{1, 6}, {2, 7}}};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 2; ++i) {
        threads.emplace_back([&, i] {
            auto const comm = recorded(comms[i]);
            std::array<MPI_Request, 2> receives{};
            for (std::size_t k = 0; k < 2; ++k)
                comm.irecv(&in[i][k], 1, MPI_INT, 0, static_cast<int>(k), &receives[k]);
            for (std::size_t k = 0; k < 2; ++k) {
                MPI_Request request = MPI_REQUEST_NULL;
                comm.isend(&out[i][k], 1, MPI_INT, 0, static_cast<int>(k), &request);
                cases::calls::request_free(&request);
            }
            cases::calls::waitall(2, receives.data(), MPI_STATUSES_IGNORE);
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(in, out);
    for (auto& comm : comms) PMPI_Comm_free(&comm);
    std::int64_t sent = 0;
    std::int64_t received = 0;
    for (auto const& call : records.calls(operation::isend)) sent += call.sent;
    for (auto const& done : records.completions(operation::irecv)) received += done.received;
    EXPECT_EQ(records.calls(operation::isend).size(), 4U);
    EXPECT_EQ(records.completions().size(), 4U);
    EXPECT_EQ(sent, 16);
    EXPECT_EQ(received, 16);
}

TEST(requests, F3_memory_is_bounded_by_the_requests_in_flight) {
    CASES_NEED_RANKS(1);
    constexpr int warm = 2000;
    constexpr int rounds = 200000;
    using counting =
        mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, mpiprof::sinks::tally>;
    mpiprof::profiler<counting> const profiler;
    profiler.sink().reset();
    auto const self = mpiprof::profile(MPI_COMM_SELF, profiler);
    mpiprof::raw::function<mpiprof::raw::rows::Waitall, counting> const waitall;
    mpiprof::raw::function<mpiprof::raw::rows::Request_free, counting> const request_free;
    int const out = 0;
    int in = 0;
    std::int64_t before = 0;
    for (int i = 0; i < rounds; ++i) {
        std::array<MPI_Request, 2> requests{};
        self.irecv(&in, 1, MPI_INT, 0, i % 10, &requests[0]);
        self.isend(&out, 1, MPI_INT, 0, i % 10, &requests[1]);
        if (i % 2 == 0) request_free(&requests[1]);
        waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        if (i == warm) before = cases::resident_bytes();
    }
    EXPECT_LT(cases::resident_bytes() - before, 1 << 20);
    EXPECT_EQ(profiler.sink().calls(operation::isend), rounds);
    EXPECT_EQ(profiler.sink().completions(operation::isend), rounds / 2);
    EXPECT_EQ(profiler.sink().completions(operation::irecv), rounds);
    EXPECT_EQ(profiler.sink().received(operation::irecv), 4 * rounds);
}

TEST(requests, F4_what_is_never_completed_is_known) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 10> in{};
    std::array<MPI_Request, 10> requests{};
    for (std::size_t i = 0; i < 10; ++i)
        world.irecv(&in[i], 1, MPI_INT, 0, static_cast<int>(100 + i), &requests[i]);
    MPI_Request persistent = MPI_REQUEST_NULL;
    world.recv_init(in.data(), 1, MPI_INT, 0, 99, &persistent);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(cases::calls::cancel(&requests[i]), MPI_SUCCESS);
        EXPECT_EQ(cases::calls::wait(&requests[i], MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    std::vector<int> tags;
    mpiprof::raw::request_table::instance().for_each_active([&](mpiprof::completion const& posted) {
        EXPECT_EQ(posted.operation, operation::irecv);
        EXPECT_EQ(posted.peer, 0);
        tags.push_back(posted.tag);
    });
    std::sort(tags.begin(), tags.end());
    EXPECT_EQ(tags, (std::vector{104, 105, 106, 107, 108, 109}));
    for (auto const& done : records.completions()) EXPECT_TRUE(done.cancelled);
    EXPECT_EQ(records.completions().size(), 4U);

    for (std::size_t i = 4; i < 10; ++i) cases::calls::cancel(&requests[i]);
    EXPECT_EQ(cases::calls::waitall(10, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cases::calls::request_free(&persistent);
    for (auto const& done : records.completions()) {
        EXPECT_TRUE(done.cancelled);
        EXPECT_EQ(done.received, 0);
    }
    EXPECT_EQ(records.completions().size(), 10U);
}

TEST(requests, F8_cancelled_receives_among_others) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const out = 1;
    std::array<int, 3> in{};
    std::array<MPI_Request, 3> requests{};
    for (std::size_t i = 0; i < 3; ++i)
        world.irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, static_cast<int>(i), &requests[i]);
    cases::calls::cancel(&requests[1]);
    PMPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    PMPI_Send(&out, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    cases::calls::waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    int cancelled = 0;
    for (auto const& done : records.completions(operation::irecv)) {
        EXPECT_EQ(done.cancelled, done.tag == 1);
        EXPECT_EQ(done.received, done.cancelled ? 0 : 4);
        // Nobody sent to the one that was cancelled.
        EXPECT_EQ(done.peer, done.cancelled ? mpiprof::any_source : 0);
        cancelled += done.cancelled ? 1 : 0;
    }
    EXPECT_EQ(cancelled, 1);
    EXPECT_EQ(records.completions().size(), 3U);
    auto object = world.irecv(0, 5, in.data(), 1);
    EXPECT_EQ(object.cancel(), MPI_SUCCESS);
    EXPECT_EQ(object.wait(), MPI_SUCCESS);
    EXPECT_TRUE(records.completions().back().cancelled);
}

TEST(requests, F8_a_cancel_that_comes_too_late) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const out = 1;
    int in = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    world.irecv(&in, 1, MPI_INT, 0, 1, &request);
    PMPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    int flag = 0;
    while (flag == 0) cases::calls::request_get_status(request, &flag, MPI_STATUS_IGNORE);
    cases::calls::cancel(&request);
    MPI_Status status;
    cases::calls::wait(&request, &status);
    int cancelled = 1;
    PMPI_Test_cancelled(&status, &cancelled);
    EXPECT_EQ(cancelled, 0);
    EXPECT_FALSE(records.completion(operation::irecv).cancelled);
    EXPECT_EQ(records.completion(operation::irecv).received, 4);
}

/// The callbacks of a generalized request without any work.
int query(void*, MPI_Status* status) {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
int release(void*) { return MPI_SUCCESS; }
int cancel(void*, int) { return MPI_SUCCESS; }

TEST(requests, F12_generalized_requests_are_no_messages) {
    CASES_NEED_RANKS(1);
    recorder const records;
    cases::stderr_capture captured;
    {
        cases::request_in_flight const other;
        for (int i = 0; i < 2; ++i) {
            MPI_Request request = MPI_REQUEST_NULL;
            PMPI_Grequest_start(&query, &release, &cancel, nullptr, &request);
            int flag = 1;
            EXPECT_EQ(cases::calls::test(&request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
            EXPECT_EQ(flag, 0);
            PMPI_Grequest_complete(request);
            if (i == 0) EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
            else EXPECT_EQ(cases::calls::waitall(1, &request, MPI_STATUSES_IGNORE), MPI_SUCCESS);
            EXPECT_EQ(request, MPI_REQUEST_NULL);
        }
        EXPECT_TRUE(records.completions().empty());
        for (auto const& call : records.calls()) {
            EXPECT_EQ(call.sent, 0);
            EXPECT_EQ(call.received, 0);
            EXPECT_EQ(call.request, operation::none);
        }
    }
    EXPECT_EQ(captured.text(), "");
}

TEST(requests, F3_requests_that_plain_calls_complete_do_not_pile_up) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const self = recorded(MPI_COMM_SELF);
    int const out = 1;
    int in = 0;
    std::size_t most = 0;
    for (int tag = 0; tag < 1000; ++tag) {
        MPI_Request request = MPI_REQUEST_NULL;
        self.irecv(&in, 1, MPI_INT, 0, tag, &request);
        most = std::max(most, in_flight());
        PMPI_Send(&out, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
        if (tag % 100 < 99) {
            PMPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            cases::calls::wait(&request, MPI_STATUS_IGNORE);
            EXPECT_EQ(records.completions().back().tag, tag);
        }
    }
    EXPECT_LT(most, 10U);
    EXPECT_EQ(records.completions().size(), 10U);
}

TEST(requests, P3_very_many_operations_that_share_one_handle) {
    CASES_NEED_RANKS(1);
    // Looking through all of them for each would take minutes.
    constexpr auto most = mpiprof::raw::request_table::most_sharing;
    constexpr auto count = most + 5000;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const out = 1;
    std::vector<MPI_Request> requests(count, MPI_REQUEST_NULL);
    for (auto& request : requests) world.isend(&out, 1, MPI_INT, MPI_PROC_NULL, 0, &request);
    bool const shared = requests.front() == requests.back();
    EXPECT_EQ(in_flight(), shared ? most : count);
    EXPECT_EQ(cases::calls::waitall(static_cast<int>(count), requests.data(), MPI_STATUSES_IGNORE),
              MPI_SUCCESS);
    EXPECT_EQ(records.completions(operation::isend).size(), shared ? most : count);
    EXPECT_EQ(in_flight(), 0U);
}

TEST(requests, P3_claims_that_are_given_up_keep_the_order) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const out = 1;
    int in = 0;
    std::array<MPI_Request, 4> requests{};
    for (int tag = 0; tag < 3; ++tag)
        world.isend(&out, 1, MPI_INT, MPI_PROC_NULL, tag, &requests.at(static_cast<std::size_t>(tag)));
    world.irecv(&in, 1, MPI_INT, 0, 9, &requests[3]);
    int flag = 1;
    cases::calls::testall(4, requests.data(), &flag, MPI_STATUSES_IGNORE);
    EXPECT_EQ(flag, 0);
    PMPI_Send(&out, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    for (auto& request : requests) {
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(records.completions().back().tag,
                  &request == &requests[3] ? 9 : &request - requests.data());
    }
}

TEST(requests, F3_moved_request_objects_keep_what_they_are_for) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const out = 1;
    std::array<int, 3> in{};
    using request = mpiprof::request_of<decltype(world)>;
    std::vector<request> requests;
    for (int tag = 0; tag < 3; ++tag) {
        auto made = world.irecv(0, tag, &in.at(static_cast<std::size_t>(tag)), 1);
        requests.push_back(std::move(made));
        EXPECT_FALSE(made.active());
    }
    std::swap(requests[0], requests[2]);
    for (int tag = 0; tag < 3; ++tag) PMPI_Send(&out, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    requests[0].wait();
    EXPECT_EQ(records.completions().back().tag, 2);
    requests.erase(requests.begin());
    EXPECT_EQ(mpiprof::wait_all(requests.data(), requests.size()), MPI_SUCCESS);
    EXPECT_EQ(records.completions(operation::irecv).size(), 3U);
    for (auto& each : requests) each.wait();
    EXPECT_EQ(records.completions().size(), 3U);
    EXPECT_EQ(in_flight(), 0U);
}

}  // namespace

/// As another tool would, from below mpiprof.
extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    int const code = PMPI_Wait(request, status);
    if (auto const hook = std::exchange(before_wait_returns, nullptr)) hook();
    return code;
}
