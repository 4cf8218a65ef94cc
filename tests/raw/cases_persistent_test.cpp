// Persistent requests: each start is counted as what it starts, and completes once.
#include "tests/raw/recorder.hpp"
#include "tests/raw/resident_memory.hpp"
#include "tests/raw/world.hpp"

#include <array>

namespace {

using cases::error_class;
using cases::recorded;
using cases::recorder;
using cases::requests_in_flight;
using mpiprof::operation;

TEST(persistent, R1_inactive_requests_are_complete_in_every_wait_and_test) {
    CASES_NEED_RANKS(1);
    cases::request_in_flight const other;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    char in = 0;
    char const out = 0;
    std::array<MPI_Request, 2> requests{};
    world.recv_init(&in, 1, MPI_CHAR, 0, 2, &requests[0]);
    world.send_init(&out, 1, MPI_CHAR, 0, 2, &requests[1]);
    auto const handles = requests;
    MPI_Status status;
    std::array<int, 2> indices{};
    int index = 0;
    int flag = 0;
    int completed = 0;
    cases::calls::wait(&requests[0], &status);
    EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
    cases::calls::test(&requests[1], &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(flag, 1);
    cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    for (flag = 0; flag == 0;) cases::calls::testall(2, requests.data(), &flag, MPI_STATUSES_IGNORE);
    cases::calls::waitany(2, requests.data(), &index, MPI_STATUS_IGNORE);
    EXPECT_EQ(index, MPI_UNDEFINED);
    index = flag = 0;
    cases::calls::testany(2, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(index, MPI_UNDEFINED);
    EXPECT_EQ(flag, 1);
    cases::calls::waitsome(2, requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(completed, MPI_UNDEFINED);
    completed = 0;
    cases::calls::testsome(2, requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(completed, MPI_UNDEFINED);
    flag = 0;
    cases::calls::request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(requests, handles);
    EXPECT_TRUE(records.completions().empty());
    for (auto const& call : records.calls()) {
        EXPECT_EQ(call.sent, 0) << mpiprof::name(call.operation);
        EXPECT_EQ(call.received, 0) << mpiprof::name(call.operation);
        EXPECT_EQ(call.flags, 0) << mpiprof::name(call.operation);
        EXPECT_EQ(call.request, operation::none) << mpiprof::name(call.operation);
    }
    EXPECT_EQ(requests_in_flight(), 3U);
    for (auto& request : requests) cases::calls::request_free(&request);
    EXPECT_EQ(requests_in_flight(), 1U);
}

TEST(persistent, R1_an_inactive_request_object) {
    CASES_NEED_RANKS(1);
    recorder const records;
    int const out = 1;
    auto request = recorded(MPI_COMM_WORLD).send_init(&out, 1, MPI_INT, 0, 2);
    EXPECT_EQ(request.error(), MPI_SUCCESS);
    MPI_Status status;
    int flag = 0;
    EXPECT_EQ(request.wait(&status), MPI_SUCCESS);
    EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
    EXPECT_EQ(request.test(&flag), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_TRUE(request.active());
    EXPECT_EQ(request.free(), MPI_SUCCESS);
    EXPECT_FALSE(request.active());
    EXPECT_TRUE(records.completions().empty());
    EXPECT_EQ(records.call(operation::send_init).sent, 0);
}

/// Three rounds from rank 0 to rank 1 by `rounds(world, buffer)`; each start and each completion is there
/// once.
template <class Rounds>
void expect_three_rounds(operation sends, Rounds rounds) {
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const is_sender = world.rank() == 0;
    std::array<int, 8> buffer{};
    rounds(world, buffer, is_sender);
    auto const made = records.call(is_sender ? sends : operation::recv_init);
    EXPECT_EQ(made.sent, 0);
    EXPECT_EQ(made.received, 0);
    EXPECT_EQ(made.peer, is_sender ? 1 : 0);
    EXPECT_EQ(made.tag, 4);
    auto const starts = records.calls(operation::start);
    ASSERT_EQ(starts.size(), 3U);
    for (auto const& start : starts) {
        EXPECT_EQ(start.request, made.operation);
        EXPECT_EQ(start.sent, is_sender ? 12 : 0);
        EXPECT_EQ(start.received, 0);
        EXPECT_EQ(start.peer, is_sender ? 1 : 0);
        EXPECT_EQ(start.tag, 4);
        EXPECT_EQ(start.communicator, mpiprof::world_communicator);
        EXPECT_EQ(mpiprof::region_bytes(start), is_sender ? 12 : 32);
    }
    auto const done = records.completions(made.operation);
    ASSERT_EQ(done.size(), 3U);
    EXPECT_EQ(records.completions().size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(done[i].received, is_sender ? 0 : 12);
        EXPECT_EQ(done[i].sent, mpiprof::not_applicable);
        EXPECT_EQ(done[i].peer, is_sender ? 1 : 0);
        EXPECT_EQ(done[i].tag, 4);
        EXPECT_LE(done[i].posted, starts[i].begin);
        EXPECT_GE(done[i].observed, starts[i].end);
    }
}

TEST(persistent, R3_each_round_is_a_message) {
    CASES_NEED_RANKS(2);
    expect_three_rounds(operation::send_init, [](auto const& world, auto& buffer, bool is_sender) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (is_sender) world.send_init(buffer.data(), 3, MPI_INT, 1, 4, &request);
        else world.recv_init(buffer.data(), 8, MPI_INT, 0, 4, &request);
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(cases::calls::start(&request), MPI_SUCCESS);
            EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
        }
        EXPECT_EQ(requests_in_flight(), 1U);
        EXPECT_EQ(cases::calls::request_free(&request), MPI_SUCCESS);
        EXPECT_EQ(request, MPI_REQUEST_NULL);
        EXPECT_EQ(requests_in_flight(), 0U);
    });
}

TEST(persistent, R3_rounds_of_a_request_object) {
    CASES_NEED_RANKS(2);
    expect_three_rounds(operation::ssend_init, [](auto const& world, auto& buffer, bool is_sender) {
        auto request = is_sender ? world.ssend_init(buffer.data(), 3, MPI_INT, 1, 4)
                                 : world.recv_init(buffer.data(), 8, MPI_INT, 0, 4);
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(request.start(), MPI_SUCCESS);
            EXPECT_EQ(request.wait(), MPI_SUCCESS);
        }
        EXPECT_EQ(request.free(), MPI_SUCCESS);
    });
}

TEST(persistent, R3_a_receive_from_anyone_learns_its_source_each_time) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 4> buffer{};
    if (world.rank() == 1) {
        MPI_Request request = MPI_REQUEST_NULL;
        world.recv_init(buffer.data(), 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, &request);
        for (int i = 0; i < 2; ++i) {
            cases::calls::start(&request);
            for (int flag = 0; flag == 0;) cases::calls::test(&request, &flag, MPI_STATUS_IGNORE);
            EXPECT_EQ(records.completions().back().peer, 0);
            EXPECT_EQ(records.completions().back().tag, 7 + i);
            EXPECT_EQ(records.completions().back().received, 4 + 4 * i);
            auto const start = records.calls(operation::start).back();
            EXPECT_EQ(start.peer, mpiprof::any_source);
            EXPECT_EQ(start.tag, mpiprof::any_tag);
        }
        cases::calls::request_free(&request);
        EXPECT_EQ(records.completions().size(), 2U);
    } else {
        for (int i = 0; i < 2; ++i) world.send(buffer.data(), 1 + i, MPI_INT, 1, 7 + i);
    }
}

TEST(persistent, R3_memory_does_not_grow_with_the_rounds) {
    CASES_NEED_RANKS(2);
    constexpr int warm = 2000;
    constexpr int rounds = 100000;
    using counting =
        mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, mpiprof::sinks::tally>;
    mpiprof::profiler<counting> const profiler;
    profiler.sink().reset();
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    mpiprof::raw::function<mpiprof::raw::rows::Start, counting> const start;
    mpiprof::raw::function<mpiprof::raw::rows::Wait, counting> const wait;
    mpiprof::raw::function<mpiprof::raw::rows::Request_free, counting> const request_free;
    bool const is_sender = world.rank() == 0;
    auto const which = is_sender ? operation::send_init : operation::recv_init;
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (is_sender) world.send_init(&value, 1, MPI_INT, 1, 0, &request);
    else world.recv_init(&value, 1, MPI_INT, 0, 0, &request);
    std::int64_t before = 0;
    for (int i = 0; i < rounds; ++i) {
        start(&request);
        wait(&request, MPI_STATUS_IGNORE);
        // Eager messages would pile up inside MPI.
        if (i % 100 == 0) PMPI_Barrier(MPI_COMM_WORLD);
        if (i == warm) before = cases::resident_bytes();
    }
    EXPECT_LT(cases::resident_bytes() - before, 1 << 20);
    request_free(&request);
    EXPECT_EQ(profiler.sink().calls(operation::start), rounds);
    EXPECT_EQ(profiler.sink().completions(which), rounds);
    EXPECT_EQ(profiler.sink().sent(operation::start), is_sender ? 4 * rounds : 0);
    EXPECT_EQ(profiler.sink().received(which), is_sender ? 0 : 4 * rounds);
}

TEST(persistent, R4_starting_an_empty_list) {
    CASES_NEED_RANKS(1);
    cases::errors_return const guard;
    recorder const records;
    EXPECT_EQ(error_class(cases::calls::startall(0, nullptr)), error_class(PMPI_Startall(0, nullptr)));
    auto const call = records.call(operation::startall);
    EXPECT_EQ(call.sent, 0);
    EXPECT_EQ(call.received, 0);
    EXPECT_TRUE(records.completions().empty());
}

TEST(persistent, R4_three_started_together_complete_once_each) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 12> buffer{};
    std::array<MPI_Request, 3> requests{};
    bool const is_sender = world.rank() == 0;
    for (int i = 0; i < 3; ++i) {
        auto* const at = buffer.data() + 4 * i;
        if (is_sender) world.send_init(at, i, MPI_INT, 1, i, &requests[static_cast<std::size_t>(i)]);
        else world.recv_init(at, 4, MPI_INT, 0, i, &requests[static_cast<std::size_t>(i)]);
    }
    EXPECT_EQ(cases::calls::startall(3, requests.data()), MPI_SUCCESS);
    for (int flag = 0; flag == 0;) cases::calls::testall(3, requests.data(), &flag, MPI_STATUSES_IGNORE);
    auto const call = records.call(operation::startall);
    EXPECT_EQ(call.sent, is_sender ? 12 : 0);
    EXPECT_EQ(call.received, 0);
    EXPECT_EQ(call.peer, mpiprof::not_applicable);
    auto const done = records.completions(is_sender ? operation::send_init : operation::recv_init);
    ASSERT_EQ(done.size(), 3U);
    for (auto const& each : done) {
        EXPECT_EQ(each.peer, is_sender ? 1 : 0);
        EXPECT_EQ(each.sent, is_sender ? 4 * each.tag : mpiprof::not_applicable);
        EXPECT_EQ(each.received, is_sender ? 0 : 4 * each.tag);
        EXPECT_LE(each.posted, call.begin);
    }
    for (auto& request : requests) cases::calls::request_free(&request);
}

TEST(persistent, R4_request_objects_started_together) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 4> buffer{};
    bool const is_sender = world.rank() == 0;
    mpiprof::request_of<decltype(world)> requests[2] = {
        is_sender ? world.send_init(buffer.data(), 1, MPI_INT, 1, 1)
                  : world.recv_init(buffer.data(), 2, MPI_INT, 0, 1),
        is_sender ? world.send_init(buffer.data() + 2, 2, MPI_INT, 1, 2)
                  : world.recv_init(buffer.data() + 2, 2, MPI_INT, 0, 2)};
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(mpiprof::start_all(requests, 2), MPI_SUCCESS);
        EXPECT_EQ(mpiprof::wait_all(requests, 2), MPI_SUCCESS);
    }
    for (auto& request : requests) EXPECT_EQ(request.free(), MPI_SUCCESS);
    for (auto const& call : records.calls(operation::startall)) EXPECT_EQ(call.sent, is_sender ? 12 : 0);
    std::int64_t received = 0;
    for (auto const& done : records.completions()) received += done.received;
    EXPECT_EQ(records.completions().size(), 4U);
    EXPECT_EQ(received, is_sender ? 0 : 24);
}

TEST(persistent, R4_a_start_that_fails_starts_nothing) {
    CASES_NEED_RANKS(1);
    cases::errors_return const guard;
    recorder const records;
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(error_class(cases::calls::start(&request)), error_class(PMPI_Start(&request)));
    EXPECT_EQ(records.call(operation::start).flags, mpiprof::call_failed);
    EXPECT_EQ(records.call(operation::start).sent, 0);
    EXPECT_TRUE(records.completions().empty());
}

TEST(persistent, P4_the_null_process) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 3> buffer{};
    std::array<MPI_Request, 3> requests{};
    world.send_init(buffer.data(), 3, MPI_INT, MPI_PROC_NULL, 5, &requests[0]);
    world.ssend_init(buffer.data(), 2, MPI_INT, MPI_PROC_NULL, 6, &requests[1]);
    world.recv_init(buffer.data(), 3, MPI_INT, MPI_PROC_NULL, 7, &requests[2]);
    for (auto& request : requests) {
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(cases::calls::start(&request), MPI_SUCCESS);
            MPI_Status status;
            EXPECT_EQ(cases::calls::wait(&request, &status), MPI_SUCCESS);
        }
    }
    EXPECT_EQ(records.calls(operation::start).size(), 9U);
    for (auto const which : {operation::send_init, operation::ssend_init, operation::recv_init})
        EXPECT_EQ(records.completions(which).size(), 3U);
    for (auto const& done : records.completions()) {
        EXPECT_EQ(done.peer, mpiprof::null_process);
        EXPECT_EQ(done.received, 0);
    }
    EXPECT_EQ(cases::calls::startall(3, requests.data()), MPI_SUCCESS);
    EXPECT_EQ(cases::calls::waitall(3, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(records.completions().size(), 12U);
    for (auto const& call : records.calls()) {
        EXPECT_EQ(call.sent, 0);
        EXPECT_EQ(call.received, 0);
    }
    for (auto& request : requests) cases::calls::request_free(&request);
    EXPECT_EQ(requests_in_flight(), 0U);
}

TEST(persistent, F10_cancelled_then_freed) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const other = 1 - world.rank();
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    world.recv_init(&value, 1, MPI_INT, other, 5, &request);
    EXPECT_EQ(cases::calls::start(&request), MPI_SUCCESS);
    EXPECT_EQ(cases::calls::cancel(&request), MPI_SUCCESS);
    MPI_Status status;
    EXPECT_EQ(cases::calls::wait(&request, &status), MPI_SUCCESS);
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    EXPECT_EQ(cancelled, 1);
    auto const done = records.completion(operation::recv_init);
    EXPECT_TRUE(done.cancelled);
    EXPECT_EQ(done.received, 0);
    EXPECT_EQ(done.peer, other);
    EXPECT_EQ(cases::calls::request_free(&request), MPI_SUCCESS);
    EXPECT_EQ(requests_in_flight(), 0U);
    for (auto const& call : records.calls()) EXPECT_EQ(call.flags, 0) << mpiprof::name(call.operation);
}

TEST(persistent, F10_cancelled_waited_and_started_again) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 4> buffer{};
    if (world.rank() == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        world.recv_init(buffer.data(), 4, MPI_INT, 1, 5, &request);
        cases::calls::start(&request);
        cases::calls::cancel(&request);
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
        PMPI_Barrier(MPI_COMM_WORLD);
        cases::calls::start(&request);
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
        cases::calls::request_free(&request);
        auto const done = records.completions(operation::recv_init);
        ASSERT_EQ(done.size(), 2U);
        EXPECT_TRUE(done[0].cancelled);
        EXPECT_EQ(done[0].received, 0);
        EXPECT_FALSE(done[1].cancelled);
        EXPECT_EQ(done[1].received, 12);
    } else {
        PMPI_Barrier(MPI_COMM_WORLD);
        world.send(buffer.data(), 3, MPI_INT, 0, 5);
    }
}

TEST(persistent, F10_freed_while_it_is_active) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int value = world.rank();
    if (world.rank() == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        world.send_init(&value, 1, MPI_INT, 1, 5, &request);
        cases::calls::start(&request);
        EXPECT_EQ(cases::calls::request_free(&request), MPI_SUCCESS);
        EXPECT_EQ(request, MPI_REQUEST_NULL);
        EXPECT_EQ(requests_in_flight(), 0U);
        EXPECT_EQ(records.call(operation::start).sent, 4);
        EXPECT_TRUE(records.completions().empty());

        auto object = world.send_init(&value, 1, MPI_INT, 1, 6);
        object.start();
        EXPECT_EQ(object.free(), MPI_SUCCESS);
        EXPECT_FALSE(object.active());
    } else {
        for (int tag : {5, 6}) world.recv(&value, 1, MPI_INT, 0, tag, MPI_STATUS_IGNORE);
        EXPECT_EQ(value, 0);
    }
    // The buffer is MPI's until the messages are received.
    PMPI_Barrier(MPI_COMM_WORLD);
}

TEST(persistent, R3_some_of_a_list_started_again_before_the_others_are_done) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 3> in{};
    int const out = 1;
    std::array<MPI_Request, 3> requests{};
    for (int i = 0; i < 3; ++i)
        world.recv_init(&in.at(static_cast<std::size_t>(i)), 1, MPI_INT, 0, i,
                        &requests.at(static_cast<std::size_t>(i)));
    // Number 1 stays inactive all the time.
    cases::calls::start(&requests[0]);
    cases::calls::start(&requests[2]);
    for (int round = 0; round < 3; ++round) {
        world.send(&out, 1, MPI_INT, 0, 2);
        int index = -1;
        cases::calls::waitany(3, requests.data(), &index, MPI_STATUS_IGNORE);
        EXPECT_EQ(index, 2);
        EXPECT_EQ(records.completions().back().tag, 2);
        cases::calls::start(&requests[2]);
    }
    world.send(&out, 1, MPI_INT, 0, 0);
    world.send(&out, 1, MPI_INT, 0, 2);
    int completed = 0;
    std::array<int, 3> indices{};
    for (int done = 0; done < 2; done += completed)
        cases::calls::waitsome(3, requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(records.completions(operation::recv_init).size(), 5U);
    std::int64_t received = 0;
    for (auto const& done : records.completions()) received += done.received;
    EXPECT_EQ(received, 20);
    for (auto& request : requests) cases::calls::request_free(&request);
}

TEST(persistent, R3_starts_while_the_recording_is_paused_do_not_show) {
    CASES_NEED_RANKS(1);
    mpiprof::profiler<cases::recording> const profiler;
    recorder const records;
    auto const self = recorded(MPI_COMM_SELF);
    int const out = 1;
    int in = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    self.recv_init(&in, 1, MPI_INT, 0, 0, &request);
    auto const round = [&] {
        cases::calls::start(&request);
        PMPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
    };
    profiler.pause();
    round();
    EXPECT_TRUE(records.completions().empty());
    profiler.resume();
    round();
    EXPECT_EQ(records.completions().size(), 1U);
    profiler.pause();
    cases::calls::request_free(&request);
    profiler.resume();
    EXPECT_EQ(requests_in_flight(), 0U);
}

#if MPIPROF_INTERNAL_PERSISTENT_COLLECTIVES

TEST(persistent, R5_collectives) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 2> const in{1, 2};
    std::array<int, 2> out{};
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(world.allreduce_init(in.data(), out.data(), 2, MPI_INT, MPI_SUM, MPI_INFO_NULL, &request),
              MPI_SUCCESS);
    EXPECT_EQ(records.call(operation::allreduce_init).sent, 0);
    EXPECT_EQ(records.call(operation::allreduce_init).received, 0);
    for (int i = 0; i < 3; ++i) {
        cases::calls::start(&request);
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
    }
    EXPECT_EQ(out[1], 4);
    EXPECT_EQ(cases::calls::request_free(&request), MPI_SUCCESS);
    EXPECT_EQ(records.calls(operation::start).size(), 3U);
    for (auto const& call : records.calls(operation::start)) {
        EXPECT_EQ(call.request, operation::allreduce_init);
        EXPECT_EQ(call.sent, 8);
        EXPECT_EQ(call.received, 8);
        EXPECT_EQ(call.communicator, mpiprof::world_communicator);
    }
    auto const done = records.completions(operation::allreduce_init);
    EXPECT_EQ(done.size(), 3U);
    for (auto const& each : done) EXPECT_EQ(each.received, 0);
}

TEST(persistent, R5_collectives_with_a_root_as_objects) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const is_root = world.rank() == 1;
    std::array<int, 3> value{};
    std::array<int, 6> all{};
    mpiprof::request_of<decltype(world)> requests[3] = {
        world.bcast_init(value.data(), 3, MPI_INT, 1, MPI_INFO_NULL),
        world.gather_init_c(value.data(), 3, MPI_INT, all.data(), 3, MPI_INT, 1, MPI_INFO_NULL),
        world.barrier_init(MPI_INFO_NULL)};
    for (auto& request : requests) {
        for (int i = 0; i < 2; ++i) {
            request.start();
            EXPECT_EQ(request.wait(), MPI_SUCCESS);
        }
        request.free();
    }
    for (auto const& call : records.calls(operation::start)) {
        bool const bcast = call.request == operation::bcast_init;
        bool const gather = call.request == operation::gather_init;
        EXPECT_EQ(call.sent, gather || (bcast && is_root) ? 12 : 0);
        EXPECT_EQ(call.received, gather && is_root ? 24 : bcast && !is_root ? 12 : 0);
        EXPECT_EQ(call.root, bcast || gather ? 1 : mpiprof::not_applicable);
    }
    EXPECT_EQ(records.completions().size(), 6U);
}

#endif

#if MPIPROF_INTERNAL_PARTITIONED

TEST(persistent, R3_a_message_in_partitions) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const is_sender = world.rank() == 0;
    std::array<int, 12> buffer{};
    MPI_Request request = MPI_REQUEST_NULL;
    if (is_sender) world.psend_init(buffer.data(), 4, 3, MPI_INT, 1, 2, MPI_INFO_NULL, &request);
    else world.precv_init(buffer.data(), 4, 3, MPI_INT, 0, 2, MPI_INFO_NULL, &request);
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(cases::calls::start(&request), MPI_SUCCESS);
        if (is_sender) {
            for (int i = 0; i < 4; ++i) cases::calls::pready(i, request);
        }
        EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    cases::calls::request_free(&request);
    for (auto const& call : records.calls(operation::start)) {
        EXPECT_EQ(call.sent, is_sender ? 48 : 0);
        EXPECT_EQ(call.peer, 1 - world.rank());
    }
    for (auto const& call : records.calls(operation::pready)) EXPECT_EQ(call.sent, 0);
    auto const done = records.completions(is_sender ? operation::psend_init : operation::precv_init);
    ASSERT_EQ(done.size(), 2U);
    for (auto const& each : done) EXPECT_EQ(each.received, is_sender ? 0 : 48);
}

#endif

TEST(persistent, R3_completed_by_plain_calls_and_started_again) {
    CASES_NEED_RANKS(1);
    recorder const records;
    int const out = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    recorded(MPI_COMM_WORLD).send_init(&out, 1, MPI_INT, MPI_PROC_NULL, 3, &request);
    recorded(MPI_COMM_SELF).barrier();
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(cases::calls::start(&request), MPI_SUCCESS);
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (auto const& start : records.calls(operation::start)) {
        EXPECT_EQ(start.request, operation::send_init);
        EXPECT_EQ(start.tag, 3);
        EXPECT_EQ(start.sent, 0);
    }
    EXPECT_EQ(records.calls(operation::start).size(), 3U);
    cases::calls::request_free(&request);
}

}  // namespace
