// Sendrecv: one call, two messages. And the largest tag.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

TEST(sendrecv, SR1_both_messages_have_their_own_peer_and_bytes) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const right = (world.rank() + 1) % 3;
    int const left = (world.rank() + 2) % 3;
    std::array<int, 10> const out{};
    std::array<int, 50> in{};
    world.sendrecv(out.data(), 10, MPI_INT, right, world.rank(), in.data(), 50, MPI_INT, left, MPI_ANY_TAG,
                   MPI_STATUS_IGNORE);
    auto const call = records.call(operation::sendrecv);
    EXPECT_EQ(call.sent, 40);
    EXPECT_EQ(call.received, 0);
    EXPECT_EQ(call.peer, right);
    EXPECT_EQ(call.tag, world.rank());
    auto const done = records.completion(operation::sendrecv);
    EXPECT_EQ(done.received, 40);
    EXPECT_EQ(done.peer, left);
    EXPECT_EQ(done.tag, left);
    EXPECT_EQ(done.posted, call.begin);
    EXPECT_EQ(done.observed, call.end);
}

TEST(sendrecv, SR2_one_buffer_both_ways) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::vector<double> buffer(3072, world.rank());
    world.sendrecv_replace(buffer.data(), 3072, MPI_DOUBLE, 1 - world.rank(), 0, 1 - world.rank(), 0,
                           MPI_STATUS_IGNORE);
    EXPECT_EQ(buffer.back(), 1 - world.rank());
    EXPECT_EQ(records.call(operation::sendrecv_replace).sent, 24576);
    EXPECT_EQ(records.completion(operation::sendrecv_replace).received, 24576);
}

#if MPIPROF_INTERNAL_ISENDRECV

/// Where no status tells what arrived, source and tag stay as they were asked for, and the room for the
/// message stands for its bytes.
constexpr bool told = MPIPROF_INTERNAL_ISENDRECV_STATUS;

TEST(sendrecv, SR3_a_nonblocking_one_is_one_request) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const self = recorded(MPI_COMM_SELF);
    std::array<int, 3> const out{1, 2, 3};
    std::array<int, 5> in{};
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(self.isendrecv(out.data(), 3, MPI_INT, 0, 4, in.data(), 5, MPI_INT, 0, MPI_ANY_TAG, &request),
              MPI_SUCCESS);
    EXPECT_EQ(cases::requests_in_flight(), 1U);
    EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(in[2], 3);
    auto const call = records.call(operation::isendrecv);
    EXPECT_EQ(call.sent, 12);
    EXPECT_EQ(call.received, 0);
    EXPECT_EQ(call.peer, 0);
    EXPECT_EQ(call.tag, 4);
    auto const done = records.completion(operation::isendrecv);
    EXPECT_EQ(done.received, told ? 12 : 20);
    EXPECT_EQ(call.flags, told ? 0 : mpiprof::call_estimated);
    EXPECT_EQ(done.peer, 0);
    EXPECT_EQ(done.tag, told ? 4 : mpiprof::any_tag);
    EXPECT_EQ(records.call(operation::wait).request, operation::isendrecv);
}

TEST(sendrecv, SR3_one_buffer_both_ways_as_a_request_object) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const right = (world.rank() + 1) % 3;
    int const left = (world.rank() + 2) % 3;
    std::array<int, 2> buffer{world.rank(), 0};
    auto request =
        world.isendrecv_replace(buffer.data(), 2, MPI_INT, right, world.rank(), MPI_ANY_SOURCE, left);
    EXPECT_EQ(request.wait(), MPI_SUCCESS);
    EXPECT_EQ(buffer[0], left);
    EXPECT_EQ(records.call(operation::isendrecv_replace).sent, 8);
    EXPECT_EQ(records.call(operation::isendrecv_replace).peer, right);
    EXPECT_EQ(records.completion(operation::isendrecv_replace).received, 8);
    EXPECT_EQ(records.completion(operation::isendrecv_replace).peer, told ? left : mpiprof::any_source);
    EXPECT_EQ(records.completion(operation::isendrecv_replace).tag, left);
}

TEST(sendrecv, SR3_the_null_process) {
    CASES_NEED_RANKS(1);
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
    GTEST_SKIP() << "the plain program waits for ever";
#endif
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 3> buffer{};
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(world.isendrecv(buffer.data(), 3, MPI_INT, MPI_PROC_NULL, 1, buffer.data(), 3, MPI_INT,
                              MPI_PROC_NULL, 1, &request),
              MPI_SUCCESS);
    EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(records.call(operation::isendrecv).sent, 0);
    EXPECT_EQ(records.call(operation::isendrecv).peer, mpiprof::null_process);
    EXPECT_EQ(records.call(operation::isendrecv).flags, 0);
    EXPECT_EQ(records.completion(operation::isendrecv).received, 0);
    EXPECT_EQ(records.completion(operation::isendrecv).peer, mpiprof::null_process);
}

#endif

TEST(tags, RG9_the_largest_tag) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    void* attribute = nullptr;
    int flag = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &attribute, &flag);
    ASSERT_EQ(flag, 1);
    int const tag = *static_cast<int const*>(attribute);
    int value = 0;
    if (world.rank() == 0) world.send(&value, 1, MPI_INT, 1, tag);
    else world.recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_STATUS_IGNORE);
    auto const call = records.call(world.rank() == 0 ? operation::send : operation::recv);
    EXPECT_EQ(call.tag, tag);
    EXPECT_NE(mpiprof::format_region(mpiprof::metadata_of(call)).find(" tag=" + std::to_string(tag) + " "),
              std::string::npos);
}

}  // namespace
