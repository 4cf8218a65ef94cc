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
        std::array<int, 3> indices{7, 7, 7};
        int completed = 0;
        EXPECT_EQ(cases::calls::waitsome(3, nulls.data(), &completed, indices.data(), MPI_STATUSES_IGNORE),
                  MPI_SUCCESS);
        EXPECT_EQ(completed, MPI_UNDEFINED);
        completed = 0;
        EXPECT_EQ(cases::calls::testsome(3, nulls.data(), &completed, indices.data(), MPI_STATUSES_IGNORE),
                  MPI_SUCCESS);
        EXPECT_EQ(completed, MPI_UNDEFINED);
        EXPECT_EQ(indices, (std::array{7, 7, 7}));
    }
    EXPECT_TRUE(records.completions().empty());
    for (auto const which : {operation::waitany, operation::testany, operation::waitall, operation::testall,
                             operation::waitsome, operation::testsome}) {
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

TEST(wait_and_test, A1_request_objects_without_a_request) {
    CASES_NEED_RANKS(1);
    recorder const records;
    mpiprof::request_of<decltype(recorded(MPI_COMM_WORLD))> none[2];
    std::array<int, 2> indices{};
    int index = 0;
    int flag = 0;
    int completed = 0;
    EXPECT_EQ(none[0].wait(), MPI_SUCCESS);
    EXPECT_EQ(none[0].test(&flag), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(mpiprof::wait_any(none, 2, &index), MPI_SUCCESS);
    EXPECT_EQ(index, MPI_UNDEFINED);
    EXPECT_EQ(mpiprof::test_any(none, 2, &index, &flag), MPI_SUCCESS);
    EXPECT_EQ(index, MPI_UNDEFINED);
    EXPECT_EQ(mpiprof::wait_some(none, 2, &completed, indices.data()), MPI_SUCCESS);
    EXPECT_EQ(completed, MPI_UNDEFINED);
    EXPECT_EQ(mpiprof::test_some(none, 2, &completed, indices.data()), MPI_SUCCESS);
    EXPECT_EQ(completed, MPI_UNDEFINED);
    EXPECT_EQ(mpiprof::wait_all(none, 2), MPI_SUCCESS);
    EXPECT_EQ(mpiprof::test_all(none, 2, &flag), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_TRUE(records.completions().empty());
    EXPECT_EQ(records.calls().size(), 8U);
}

/// Posts receives of 4, 8, 12 … bytes with tags 1, 2, 3 … from this rank to itself.
template <std::size_t Count>
struct posted_receives {
    explicit posted_receives(auto const& comm) {
        for (std::size_t i = 0; i < Count; ++i) {
            comm.irecv(&in[4 * i], static_cast<int>(i + 1), MPI_INT, comm.rank(), static_cast<int>(i + 1),
                       &requests[i]);
        }
    }

    std::array<int, 4 * Count> in{};
    std::array<MPI_Request, Count> requests{};
};

/// Sends the message that fits the receive with this tag.
void send_to_self(auto const& comm, int tag) {
    std::array<int, 8> const out{};
    PMPI_Send(out.data(), tag, MPI_INT, comm.rank(), tag, comm.native());
}

TEST(wait_and_test, A5_waitsome_names_all_that_completed) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    posted_receives<4> receives{world};
    send_to_self(world, 4);
    send_to_self(world, 2);
    std::array<int, 4> indices{};
    std::array<MPI_Status, 4> statuses{};
    int completed = 0;
    for (int done = 0; done < 2; done += completed) {
        auto const before = records.completions().size();
        EXPECT_EQ(
            cases::calls::waitsome(4, receives.requests.data(), &completed, indices.data(), statuses.data()),
            MPI_SUCCESS);
        ASSERT_GE(completed, 1);
        auto const completions = records.completions();
        ASSERT_EQ(completions.size(), before + static_cast<std::size_t>(completed));
        // In any order, but each with the status of its own.
        for (int i = 0; i < completed; ++i) {
            auto const at = static_cast<std::size_t>(i);
            int const tag = indices.at(at) + 1;
            EXPECT_EQ(statuses.at(at).MPI_TAG, tag);
            int found = 0;
            for (auto each = before; each < completions.size(); ++each) {
                if (completions[each].tag != tag) continue;
                ++found;
                EXPECT_EQ(completions[each].received, 4 * tag);
            }
            EXPECT_EQ(found, 1);
        }
        auto const call = records.calls(operation::waitsome).back();
        EXPECT_EQ(call.request, completed == 1 ? operation::irecv : operation::none);
    }
    EXPECT_EQ(cases::requests_in_flight(), 2U);
    send_to_self(world, 1);
    send_to_self(world, 3);
    cases::calls::waitall(4, receives.requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(records.completions(operation::irecv).size(), 4U);
}

TEST(wait_and_test, A5_testsome_names_all_that_completed) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    posted_receives<4> receives{world};
    std::array<int, 4> indices{};
    int completed = -1;
    EXPECT_EQ(
        cases::calls::testsome(4, receives.requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE),
        MPI_SUCCESS);
    EXPECT_EQ(completed, 0);
    EXPECT_TRUE(records.completions().empty());
    for (int const tag : {4, 2, 1, 3}) send_to_self(world, tag);
    for (int done = 0; done < 4; done += completed) {
        cases::calls::testsome(4, receives.requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE);
        ASSERT_NE(completed, MPI_UNDEFINED);
    }
    auto const completions = records.completions(operation::irecv);
    ASSERT_EQ(completions.size(), 4U);
    for (auto const& done : completions) EXPECT_EQ(done.received, 4 * done.tag);
    cases::calls::testsome(4, receives.requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(completed, MPI_UNDEFINED);
    EXPECT_EQ(records.completions().size(), 4U);
}

TEST(wait_and_test, A5_a_testsome_that_finds_nothing_is_incomplete) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    posted_receives<1> receives{world};
    std::array<int, 1> indices{};
    int completed = -1;
    cases::calls::testsome(1, receives.requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(completed, 0);
    EXPECT_EQ(records.call(operation::testsome).flags, mpiprof::call_incomplete);
    send_to_self(world, 1);
    cases::calls::wait(receives.requests.data(), MPI_STATUS_IGNORE);
}

TEST(wait_and_test, A5_request_objects_completed_one_by_one) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 12> in{};
    mpiprof::request_of<decltype(world)> requests[3] = {
        world.irecv(0, 1, &in[0], 4), world.irecv(0, 2, &in[4], 4), world.irecv(0, 3, &in[8], 4)};
    int flag = 0;
    int index = -1;
    mpiprof::test_any(requests, 3, &index, &flag);
    EXPECT_EQ(flag, 0);
    send_to_self(world, 3);
    mpiprof::wait_any(requests, 3, &index);
    EXPECT_EQ(index, 2);
    EXPECT_FALSE(requests[2].active());
    EXPECT_EQ(records.completion(operation::irecv).tag, 3);
    EXPECT_EQ(records.call(operation::waitany).request, operation::irecv);
    EXPECT_EQ(records.call(operation::waitany).tag, 3);
    send_to_self(world, 1);
    int completed = 0;
    std::array<int, 3> indices{};
    mpiprof::wait_some(requests, 3, &completed, indices.data());
    EXPECT_EQ(completed, 1);
    EXPECT_EQ(indices[0], 0);
    send_to_self(world, 2);
    while (requests[1].active()) mpiprof::test_some(requests, 3, &completed, indices.data());
    EXPECT_EQ(records.completions(operation::irecv).size(), 3U);
    for (auto const& done : records.completions()) EXPECT_EQ(done.received, 4 * done.tag);
}

TEST(wait_and_test, A6_asking_for_the_status_completes_nothing) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    posted_receives<1> receives{world};
    int flag = 1;
    EXPECT_EQ(cases::calls::request_get_status(receives.requests[0], &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(records.call(operation::request_get_status).flags, mpiprof::call_incomplete);
    send_to_self(world, 1);
    MPI_Status status;
    while (flag == 0) cases::calls::request_get_status(receives.requests[0], &flag, &status);
    EXPECT_EQ(status.MPI_TAG, 1);
    EXPECT_EQ(cases::calls::request_get_status(receives.requests[0], &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_NE(receives.requests[0], MPI_REQUEST_NULL);
    EXPECT_TRUE(records.completions().empty());
    EXPECT_EQ(cases::requests_in_flight(), 1U);
    EXPECT_EQ(cases::calls::wait(receives.requests.data(), MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(records.completion(operation::irecv).received, 4);
    EXPECT_EQ(records.call(operation::wait).request, operation::irecv);
}

TEST(wait_and_test, A6_a_null_request_has_a_status) {
    CASES_NEED_RANKS(1);
    recorder const records;
    int flag = 0;
    EXPECT_EQ(cases::calls::request_get_status(MPI_REQUEST_NULL, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(records.call(operation::request_get_status).flags, 0);
    EXPECT_TRUE(records.completions().empty());
}

TEST(wait_and_test, A8_requests_of_plain_calls_among_ours) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 3> in{};
    std::array<MPI_Request, 4> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                                        MPI_REQUEST_NULL};
    PMPI_Irecv(&in[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    world.irecv(&in[1], 2, MPI_INT, 0, 2, &requests[2]);
    PMPI_Ibarrier(MPI_COMM_SELF, &requests[3]);
    send_to_self(world, 1);
    send_to_self(world, 2);
    std::array<int, 4> indices{};
    int completed = 0;
    for (int done = 0; done < 3; done += completed)
        cases::calls::waitsome(4, requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(records.completions().size(), 1U);
    EXPECT_EQ(records.completion(operation::irecv).received, 8);
}

TEST(wait_and_test, A8_more_requests_than_fit_beside_the_call) {
    CASES_NEED_RANKS(1);
    constexpr std::size_t count = 300;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::vector<int> in(count);
    std::vector<MPI_Request> requests(count, MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < count; i += 2)
        world.irecv(&in[i], 1, MPI_INT, 0, static_cast<int>(i), &requests[i]);
    EXPECT_EQ(cases::requests_in_flight(), count / 2);
    int const out = 1;
    for (std::size_t i = count; i > 0; i -= 2)
        PMPI_Send(&out, 1, MPI_INT, 0, static_cast<int>(i - 2), MPI_COMM_WORLD);
    std::vector<int> indices(count);
    int completed = 0;
    cases::calls::waitsome(static_cast<int>(count), requests.data(), &completed, indices.data(),
                           MPI_STATUSES_IGNORE);
    EXPECT_EQ(records.completions().size(), static_cast<std::size_t>(completed));
    EXPECT_EQ(cases::calls::waitall(static_cast<int>(count), requests.data(), MPI_STATUSES_IGNORE),
              MPI_SUCCESS);
    std::vector<int> times(count, 0);
    for (auto const& done : records.completions(operation::irecv)) {
        EXPECT_EQ(done.received, 4);
        ++times.at(static_cast<std::size_t>(done.tag));
    }
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(times[i], i % 2 == 0 ? 1 : 0) << i;
}

TEST(wait_and_test, A8_requests_of_a_paused_recording_are_forgotten_when_they_complete) {
    CASES_NEED_RANKS(1);
    mpiprof::profiler<cases::recording> const profiler;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    posted_receives<2> receives{world};
    profiler.pause();
    int unseen = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    world.irecv(&unseen, 3, MPI_INT, 0, 3, &request);
    send_to_self(world, 1);
    int index = -1;
    cases::calls::waitany(2, receives.requests.data(), &index, MPI_STATUS_IGNORE);
    EXPECT_EQ(index, 0);
    EXPECT_EQ(cases::requests_in_flight(), 1U);
    profiler.resume();
    send_to_self(world, 2);
    cases::calls::waitall(2, receives.requests.data(), MPI_STATUSES_IGNORE);
    PMPI_Cancel(&request);
    cases::calls::wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(records.completion(operation::irecv).tag, 2);
}

}  // namespace
