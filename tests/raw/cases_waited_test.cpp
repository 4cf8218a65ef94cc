// The time that a program spends waiting for its requests, of the time that they take.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <chrono>
#include <thread>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

constexpr std::chrono::milliseconds a_while{50};

std::int64_t ticks(mpiprof::call const& call) { return call.end - call.begin; }
std::int64_t ticks(mpiprof::completion const& done) { return done.observed - done.posted; }

std::int64_t ticks(std::vector<mpiprof::call> const& calls) {
    std::int64_t sum = 0;
    for (auto const& call : calls) sum += ticks(call);
    return sum;
}

void send_to_self(int tag) {
    int const out = 1;
    PMPI_Send(&out, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

TEST(waited, nothing_for_what_was_there_before) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int in = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    world.irecv(&in, 1, MPI_INT, 0, 1, &request);
    auto object = world.irecv(&in, 1, MPI_INT, 0, 2);
    send_to_self(1);
    send_to_self(2);
    std::this_thread::sleep_for(a_while);
    cases::calls::wait(&request, MPI_STATUS_IGNORE);
    auto done = records.completions().back();
    EXPECT_EQ(done.waited, ticks(records.calls(operation::wait).back()));
    EXPECT_LT(done.waited, ticks(done));
    object.wait();
    done = records.completions().back();
    EXPECT_EQ(done.waited, ticks(records.calls(operation::wait).back()));
    EXPECT_LT(done.waited, ticks(done));
    for (auto const& each : records.completions()) {
        EXPECT_EQ(each.posted, records.calls(operation::irecv)[each.tag == 1 ? 0 : 1].begin);
        EXPECT_GE(each.observed, each.posted);
    }
}

TEST(waited, all_of_it_for_what_comes_late) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int value = 0;
    if (world.rank() == 0) {
        PMPI_Barrier(MPI_COMM_WORLD);
        std::this_thread::sleep_for(a_while);
        world.send(&value, 1, MPI_INT, 1, 1);
        return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    world.irecv(&value, 1, MPI_INT, 0, 1, &request);
    PMPI_Barrier(MPI_COMM_WORLD);
    cases::calls::wait(&request, MPI_STATUS_IGNORE);
    auto const done = records.completion(operation::irecv);
    EXPECT_EQ(done.waited, ticks(records.call(operation::wait)));
    EXPECT_GT(done.waited, 0);
    EXPECT_LE(done.waited, ticks(done));
    EXPECT_EQ(done.observed, records.call(operation::wait).end);
}

TEST(waited, tests_that_find_nothing_count_too) {
    CASES_NEED_RANKS(1);
    auto const world = recorded(MPI_COMM_WORLD);
    int in = 0;
    for (bool const as_object : {false, true}) {
        recorder const records;
        MPI_Request request = MPI_REQUEST_NULL;
        mpiprof::request_of<decltype(world)> object;
        if (as_object) object = world.irecv(&in, 1, MPI_INT, 0, 1);
        else world.irecv(&in, 1, MPI_INT, 0, 1, &request);
        int flag = 0;
        auto const test = [&] {
            if (as_object) object.test(&flag);
            else cases::calls::test(&request, &flag, MPI_STATUS_IGNORE);
        };
        for (int i = 0; i < 10; ++i) test();
        EXPECT_EQ(flag, 0);
        std::this_thread::sleep_for(a_while);
        send_to_self(1);
        while (flag == 0) test();
        auto const done = records.completion(operation::irecv);
        EXPECT_EQ(done.waited, ticks(records.calls(operation::test)));
        EXPECT_LT(done.waited, ticks(done));
    }
}

TEST(waited, a_wait_for_many_counts_for_each) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 3> in{};
    std::array<MPI_Request, 3> requests{};
    for (std::size_t i = 0; i < 3; ++i) world.irecv(&in[i], 1, MPI_INT, 0, static_cast<int>(i), &requests[i]);
    send_to_self(1);
    int index = -1;
    cases::calls::waitany(3, requests.data(), &index, MPI_STATUS_IGNORE);
    EXPECT_EQ(index, 1);
    auto const first = ticks(records.call(operation::waitany));
    EXPECT_EQ(records.completions().back().waited, first);
    send_to_self(0);
    send_to_self(2);
    cases::calls::waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    auto const second = ticks(records.call(operation::waitall));
    for (auto const& done : records.completions()) {
        EXPECT_EQ(done.waited, done.tag == 1 ? first : first + second);
        EXPECT_LE(done.waited, ticks(done));
    }
    EXPECT_EQ(records.completions().size(), 3U);
}

TEST(waited, request_objects_in_a_list) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 2> in{};
    mpiprof::request_of<decltype(world)> requests[2] = {world.irecv(&in[0], 1, MPI_INT, 0, 0),
                                                        world.irecv(&in[1], 1, MPI_INT, 0, 1)};
    int flag = 0;
    int completed = 0;
    std::array<int, 2> indices{};
    mpiprof::test_all(requests, 2, &flag);
    EXPECT_EQ(flag, 0);
    send_to_self(1);
    mpiprof::wait_some(requests, 2, &completed, indices.data());
    EXPECT_EQ(completed, 1);
    auto const tested = ticks(records.call(operation::testall));
    auto const waited = ticks(records.call(operation::waitsome));
    EXPECT_EQ(records.completions().back().waited, tested + waited);
    send_to_self(0);
    mpiprof::wait_all(requests, 2);
    EXPECT_EQ(records.completions().back().waited, tested + waited + ticks(records.call(operation::waitall)));
}

TEST(waited, each_start_begins_anew) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int in = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    auto object = world.recv_init(&in, 1, MPI_INT, 0, 2);
    world.recv_init(&in, 1, MPI_INT, 0, 1, &request);
    std::this_thread::sleep_for(a_while);
    for (int round = 0; round < 3; ++round) {
        cases::calls::start(&request);
        send_to_self(1);
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
        auto done = records.completions().back();
        EXPECT_EQ(done.waited, ticks(records.calls(operation::wait).back()));
        EXPECT_LE(done.waited, ticks(done));
        object.start();
        send_to_self(2);
        object.wait();
        done = records.completions().back();
        EXPECT_EQ(done.waited, ticks(records.calls(operation::wait).back()));
        EXPECT_LE(done.waited, ticks(done));
    }
    cases::calls::request_free(&request);
    object.free();
}

TEST(waited, a_blocking_exchange_waits_all_the_time) {
    CASES_NEED_RANKS(1);
    recorder const records;
    int const out = 1;
    int in = 0;
    recorded(MPI_COMM_WORLD).sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, MPI_STATUS_IGNORE);
    auto const done = records.completion(operation::sendrecv);
    EXPECT_EQ(done.waited, ticks(done));
    EXPECT_EQ(done.waited, ticks(records.call(operation::sendrecv)));
}

TEST(waited, asking_for_the_status_is_no_wait) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int in = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    world.irecv(&in, 1, MPI_INT, 0, 1, &request);
    int flag = 0;
    for (int i = 0; i < 10; ++i) cases::calls::request_get_status(request, &flag, MPI_STATUS_IGNORE);
    send_to_self(1);
    cases::calls::wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(records.completion(operation::irecv).waited, ticks(records.call(operation::wait)));
}

TEST(waited, nonblocking_collectives) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    MPI_Request request = MPI_REQUEST_NULL;
    world.ibarrier(&request);
    if (world.rank() == 0) std::this_thread::sleep_for(a_while);
    int flag = 0;
    while (flag == 0) cases::calls::test(&request, &flag, MPI_STATUS_IGNORE);
    auto const done = records.completion(operation::ibarrier);
    EXPECT_EQ(done.waited, ticks(records.calls(operation::test)));
    EXPECT_LE(done.waited, ticks(done));
}

}  // namespace
