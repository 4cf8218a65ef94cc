// Matched probes: a message that was found knows its communicator and its source until it is received.
#include "tests/raw/recorder.hpp"
#include "tests/raw/stderr_capture.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <thread>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

std::size_t messages_found() { return mpiprof::raw::known_messages().size(); }

TEST(matched_probe, M2_a_message_is_of_the_communicator_it_was_found_on) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    auto part = world.split(world.rank() == 0 ? MPI_UNDEFINED : 0, 0);
    if (world.rank() == 0) return;
    std::array<int, 4> buffer{};
    if (part.rank() == 0) {
        for (int tag = 1; tag <= 3; ++tag) part.send(buffer.data(), tag, MPI_INT, 1, tag);
    } else {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        EXPECT_EQ(part.mprobe(0, 1, &message, &status), MPI_SUCCESS);
        EXPECT_EQ(status.MPI_SOURCE, 0);
        EXPECT_EQ(messages_found(), 1U);
        EXPECT_EQ(cases::calls::mrecv(buffer.data(), 4, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(message, MPI_MESSAGE_NULL);
        EXPECT_EQ(messages_found(), 0U);
        auto const received = records.call(operation::mrecv);
        EXPECT_EQ(received.communicator, part.identity());
        EXPECT_EQ(received.peer, 0);
        EXPECT_EQ(received.tag, 1);
        EXPECT_EQ(received.received, 4);

        part.mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, &message, MPI_STATUS_IGNORE);
        MPI_Request request = MPI_REQUEST_NULL;
        cases::calls::imrecv(buffer.data(), 4, MPI_INT, &message, &request);
        cases::calls::wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(records.call(operation::imrecv).communicator, part.identity());
        EXPECT_EQ(records.call(operation::imrecv).capacity, 16);
        EXPECT_EQ(records.call(operation::imrecv).received, 0);
        auto const done = records.completion(operation::imrecv);
        EXPECT_EQ(done.communicator, part.identity());
        EXPECT_EQ(done.peer, 0);
        EXPECT_EQ(done.tag, 2);
        EXPECT_EQ(done.received, 8);
        EXPECT_EQ(records.call(operation::wait).request, operation::imrecv);

        // By a free function from the beginning.
        int flag = 0;
        while (flag == 0) cases::calls::improbe(0, 3, part.native(), &flag, &message, MPI_STATUS_IGNORE);
        cases::calls::mrecv(buffer.data(), 4, MPI_INT, &message, MPI_STATUS_IGNORE);
        EXPECT_EQ(records.calls(operation::mrecv).back().communicator, part.identity());
        for (auto const which : {operation::mprobe, operation::improbe}) {
            for (auto const& call : records.calls(which)) {
                EXPECT_EQ(call.received, 0);
                EXPECT_EQ(call.communicator, part.identity());
            }
        }
    }
    part.free();
}

TEST(matched_probe, M2_a_message_received_after_its_communicator_is_freed) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto part = recorded(MPI_COMM_WORLD).dup();
    auto const identity = part.identity();
    int value = 7;
    if (part.rank() == 0) {
        part.send(&value, 1, MPI_INT, 1, 3);
        part.free();
    } else {
        MPI_Message message = MPI_MESSAGE_NULL;
        part.mprobe(0, 3, &message, MPI_STATUS_IGNORE);
        part.free();
        EXPECT_EQ(cases::calls::mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_EQ(records.call(operation::mrecv).communicator, identity);
        EXPECT_EQ(records.call(operation::mrecv).received, 4);
    }
}

TEST(matched_probe, M2_a_message_that_a_plain_call_found) {
    CASES_NEED_RANKS(1);
    recorder const records;
    int const out = 1;
    int in = 0;
    MPI_Request sent = MPI_REQUEST_NULL;
    PMPI_Isend(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &sent);
    MPI_Message message = MPI_MESSAGE_NULL;
    PMPI_Mprobe(0, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    cases::calls::mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    PMPI_Wait(&sent, MPI_STATUS_IGNORE);
    auto const received = records.call(operation::mrecv);
    EXPECT_EQ(received.communicator, mpiprof::unknown_communicator);
    EXPECT_EQ(received.received, 4);
    EXPECT_EQ(received.peer, 0);
    EXPECT_EQ(received.tag, 3);
}

TEST(matched_probe, M3_probes_that_find_nothing_are_no_messages) {
    CASES_NEED_RANKS(2);
    constexpr int idle = 1000;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int value = 5;
    if (world.rank() == 0) {
        PMPI_Barrier(MPI_COMM_WORLD);
        world.send(&value, 1, MPI_INT, 1, 1);
        return;
    }
    MPI_Message message = MPI_MESSAGE_NULL;
    int flag = 0;
    for (int i = 0; i < idle; ++i) world.improbe(0, 1, &flag, &message, MPI_STATUS_IGNORE);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(messages_found(), 0U);
    PMPI_Barrier(MPI_COMM_WORLD);
    while (flag == 0) world.improbe(0, 1, &flag, &message, MPI_STATUS_IGNORE);
    cases::calls::mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    auto const probes = records.calls(operation::improbe);
    ASSERT_GE(probes.size(), idle + 1U);
    for (std::size_t i = 0; i + 1 < probes.size(); ++i) EXPECT_EQ(probes[i].flags, mpiprof::call_incomplete);
    EXPECT_EQ(probes.back().flags, 0);
    EXPECT_EQ(records.call(operation::mrecv).received, 4);
    for (auto const& probe : probes) EXPECT_EQ(probe.received, 0);
}

TEST(matched_probe, M4_all_ways_to_receive_one) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 4> buffer{};
    if (world.rank() == 0) {
        for (int tag = 1; tag <= 4; ++tag) world.send(buffer.data(), tag, MPI_INT, 1, tag);
        return;
    }
    // Found in an order other than that of sending.
    std::array<MPI_Message, 4> messages{};
    for (int const tag : {4, 3, 2, 1})
        world.mprobe(0, tag, &messages.at(static_cast<std::size_t>(tag - 1)), MPI_STATUS_IGNORE);
    MPI_Status status;
    cases::calls::mrecv(buffer.data(), 4, MPI_INT, &messages[0], &status);
    int count = 0;
    PMPI_Get_count(&status, MPI_INT, &count);
    EXPECT_EQ(count, 1);
    std::array<MPI_Request, 3> requests{};
    for (std::size_t i = 1; i < 4; ++i) {
        cases::calls::imrecv(buffer.data(), 4, MPI_INT, &messages.at(i), &requests.at(i - 1));
        EXPECT_EQ(messages.at(i), MPI_MESSAGE_NULL);
    }
    cases::calls::waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(records.call(operation::mrecv).received, 4);
    for (auto const& done : records.completions(operation::imrecv)) EXPECT_EQ(done.received, 4 * done.tag);
    EXPECT_EQ(records.completions().size(), 3U);
}

TEST(matched_probe, M4_P8_the_null_process) {
    CASES_NEED_RANKS(1);
    recorder const records;
    cases::stderr_capture captured;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 2> buffer{};
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    EXPECT_EQ(world.mprobe(MPI_PROC_NULL, 4, &message, &status), MPI_SUCCESS);
    EXPECT_EQ(message, MPI_MESSAGE_NO_PROC);
    EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
    EXPECT_EQ(cases::calls::mrecv(buffer.data(), 2, MPI_INT, &message, &status), MPI_SUCCESS);
    EXPECT_EQ(message, MPI_MESSAGE_NULL);
    EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
    int flag = 0;
    EXPECT_EQ(world.improbe(MPI_PROC_NULL, MPI_ANY_TAG, &flag, &message, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(message, MPI_MESSAGE_NO_PROC);
    EXPECT_EQ(messages_found(), 0U);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(cases::calls::imrecv(buffer.data(), 2, MPI_INT, &message, &request), MPI_SUCCESS);
    EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (auto const which : {operation::mprobe, operation::improbe, operation::mrecv}) {
        auto const call = records.call(which);
        EXPECT_EQ(call.peer, mpiprof::null_process) << mpiprof::name(which);
        EXPECT_EQ(call.received, 0) << mpiprof::name(which);
        EXPECT_EQ(call.flags, 0) << mpiprof::name(which);
    }
    EXPECT_EQ(records.completion(operation::imrecv).peer, mpiprof::null_process);
    EXPECT_EQ(records.completion(operation::imrecv).received, 0);
    EXPECT_EQ(captured.text(), "");
}

TEST(matched_probe, W3_a_probe_for_any_message_finds_the_first_one) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<double, 10> buffer{};
    if (world.rank() == 0) {
        world.send(buffer.data(), 1, MPI_INT, 1, 1);
        world.send(buffer.data(), 10, MPI_DOUBLE, 1, 2);
        return;
    }
    std::int64_t received = 0;
    for (int tag = 1; tag <= 2; ++tag) {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        world.mprobe(0, MPI_ANY_TAG, &message, &status);
        EXPECT_EQ(status.MPI_TAG, tag);
        EXPECT_EQ(records.calls(operation::mprobe).back().tag, tag);
        cases::calls::mrecv(buffer.data(), 80, MPI_BYTE, &message, MPI_STATUS_IGNORE);
        received += records.calls(operation::mrecv).back().received;
    }
    EXPECT_EQ(received, 84);
}

TEST(matched_probe, M3_threads_that_probe_for_messages_at_once_receive_each_of_them_once) {
    CASES_NEED_RANKS(1);
    constexpr int messages = 200;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
            for (int found = 0; found < messages / 2;) {
                MPI_Message message = MPI_MESSAGE_NULL;
                int flag = 0;
                world.improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, &flag, &message, MPI_STATUS_IGNORE);
                if (flag == 0) {
                    std::this_thread::yield();
                    continue;
                }
                int value = -1;
                cases::calls::mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
                ++found;
            }
        });
    }
    std::vector<MPI_Request> requests(messages, MPI_REQUEST_NULL);
    std::vector<int> values(messages, 3);
    for (int i = 0; i < messages; ++i) {
        auto const at = static_cast<std::size_t>(i);
        PMPI_Isend(&values[at], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[at]);
    }
    for (auto& thread : threads) thread.join();
    PMPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
    std::vector<int> times(messages, 0);
    for (auto const& call : records.calls(operation::mrecv)) {
        EXPECT_EQ(call.received, 4);
        EXPECT_EQ(call.communicator, mpiprof::world_communicator);
        ++times.at(static_cast<std::size_t>(call.tag));
    }
    EXPECT_EQ(times, std::vector<int>(messages, 1));
}

}  // namespace
