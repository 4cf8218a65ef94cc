// Waits and tests: which request completed, and that it did so once.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <optional>
#include <thread>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

TEST(wait_and_test, A1_lists_of_null_requests) {
    CASES_NEED_RANKS(1);
    recorder const records;
    std::optional<cases::request_in_flight> other;
    for (bool const in_flight : {false, true}) {
        if (in_flight) other.emplace();
        std::array<MPI_Request, 3> nulls{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        int index = 0;
        int flag = 0;
        EXPECT_EQ(cases::calls::waitany(3, nulls.data(), &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(index, MPI_UNDEFINED);
        index = 0;
        EXPECT_EQ(cases::calls::testany(3, nulls.data(), &index, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(index, MPI_UNDEFINED);
        EXPECT_EQ(flag, 1);
        EXPECT_EQ(cases::calls::waitall(3, nulls.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
        flag = 0;
        EXPECT_EQ(cases::calls::testall(3, nulls.data(), &flag, MPI_STATUSES_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(flag, 1);
    }
    EXPECT_TRUE(records.completions().empty());
    for (auto const which :
         {operation::waitany, operation::testany, operation::waitall, operation::testall}) {
        ASSERT_EQ(records.calls(which).size(), 2U);
        for (auto const& call : records.calls(which)) {
            EXPECT_EQ(call.flags, 0);
            EXPECT_EQ(call.request, operation::none);
        }
    }
}

TEST(wait_and_test, A5_waitany_names_the_request_that_completed) {
    CASES_NEED_RANKS(2);
    constexpr int go_on = 9;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<char, 36> buffer{};
    if (world.rank() == 0) {
        for (int const tag : {3, 1, 2}) {
            world.send(buffer.data(), 4 * tag, MPI_BYTE, 1, tag);
            PMPI_Recv(nullptr, 0, MPI_BYTE, 1, go_on, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Request requests[3] = {};
        for (int i = 0; i < 3; ++i)
            world.irecv(buffer.data() + 12 * i, 4 * (i + 1), MPI_BYTE, 0, i + 1, &requests[i]);
        for (int const tag : {3, 1, 2}) {
            int index = -1;
            cases::calls::waitany(3, requests, &index, MPI_STATUS_IGNORE);
            EXPECT_EQ(index, tag - 1);
            auto const done = records.completions().back();
            EXPECT_EQ(done.operation, operation::irecv);
            EXPECT_EQ(done.tag, tag);
            EXPECT_EQ(done.received, 4 * tag);
            auto const call = records.calls().back();
            EXPECT_EQ(call.operation, operation::waitany);
            EXPECT_EQ(call.request, operation::irecv);
            EXPECT_EQ(call.tag, tag);
            PMPI_Send(nullptr, 0, MPI_BYTE, 0, go_on, MPI_COMM_WORLD);
        }
        EXPECT_EQ(records.completions().size(), 3U);
    }
}

TEST(wait_and_test, A5_tests_that_find_nothing_complete_nothing) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<char, 2> in{};
    char const out = 0;
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    world.irecv(&in[0], 1, MPI_CHAR, 0, 1, &requests[0]);
    auto object = world.irecv(0, 2, &in[1], 1);
    int flag = 1;
    int index = 0;
    cases::calls::test(&requests[0], &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(flag, 0);
    cases::calls::testall(2, requests.data(), &flag, MPI_STATUSES_IGNORE);
    EXPECT_EQ(flag, 0);
    cases::calls::testany(2, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(flag, 0);
    object.test(&flag);
    EXPECT_EQ(flag, 0);
    EXPECT_TRUE(object.active());
    EXPECT_TRUE(records.completions().empty());
    EXPECT_EQ(records.calls(operation::test).size(), 2U);
    for (auto const which : {operation::test, operation::testall, operation::testany}) {
        for (auto const& call : records.calls(which)) EXPECT_EQ(call.flags, mpiprof::call_incomplete);
    }
    world.send(&out, 1, MPI_CHAR, 0, 1);
    world.send(&out, 1, MPI_CHAR, 0, 2);
    cases::calls::wait(&requests[0], MPI_STATUS_IGNORE);
    object.wait();
    EXPECT_EQ(records.completions(operation::irecv).size(), 2U);
}

TEST(wait_and_test, A7_threads_that_test_one_request_see_it_complete_once) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    world.irecv(&value, 1, MPI_INT, 0, 1, &request);
    // MPI lets one thread at a time look at a request.
    std::mutex one_at_a_time;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int flag = 0; flag == 0; std::this_thread::yield()) {
                std::lock_guard const lock{one_at_a_time};
                cases::calls::test(&request, &flag, MPI_STATUS_IGNORE);
            }
        });
    }
    int const sent = 5;
    world.send(&sent, 1, MPI_INT, 0, 1);
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(value, 5);
    auto const done = records.completion(operation::irecv);
    EXPECT_EQ(done.received, 4);
    EXPECT_EQ(done.tag, 1);
    EXPECT_EQ(records.completions().size(), 1U);
}

TEST(wait_and_test, A8_null_requests_among_real_ones) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int value = 0;
    int const sent = 5;
    std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    EXPECT_EQ(cases::calls::wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
    world.irecv(&value, 1, MPI_INT, 0, 1, &requests[1]);
    world.send(&sent, 1, MPI_INT, 0, 1);
    EXPECT_EQ(cases::calls::wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(cases::calls::waitall(3, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(records.completions().size(), 1U);
    EXPECT_EQ(records.completion(operation::irecv).received, 4);
    for (auto const& call : records.calls()) EXPECT_EQ(call.flags, 0);
}

}  // namespace
