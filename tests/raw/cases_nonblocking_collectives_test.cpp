// Nonblocking collectives: counted as the blocking ones, once, when they are posted.
#include "tests/raw/recorder.hpp"
#include "tests/raw/stderr_capture.hpp"
#include "tests/raw/world.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

namespace {

using cases::recorded;
using cases::recorder;
using cases::requests_in_flight;
using mpiprof::operation;

TEST(nonblocking_collectives, N1_of_one_rank) {
    CASES_NEED_RANKS(1);
    recorder const records;
    cases::stderr_capture captured;
    auto const self = recorded(MPI_COMM_SELF);
    std::array<int, 2> in{1, 2};
    std::array<int, 2> out{};
    std::array<MPI_Request, 3> requests{};
    self.ibarrier(&requests[0]);
    self.iallreduce(in.data(), out.data(), 2, MPI_INT, MPI_SUM, &requests[1]);
    self.ibcast(in.data(), 2, MPI_INT, 0, &requests[2]);
    EXPECT_EQ(cases::calls::waitall(3, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(out, in);
    EXPECT_EQ(requests_in_flight(), 0U);
    EXPECT_EQ(records.call(operation::ibarrier).sent, 0);
    EXPECT_EQ(records.call(operation::iallreduce).sent, 8);
    EXPECT_EQ(records.call(operation::iallreduce).received, 8);
    EXPECT_EQ(records.call(operation::ibcast).sent, 8);
    EXPECT_EQ(records.call(operation::ibcast).received, 0);
    for (auto const which : {operation::ibarrier, operation::iallreduce, operation::ibcast}) {
        auto const done = records.completion(which);
        EXPECT_EQ(done.received, 0);
        EXPECT_EQ(done.communicator, mpiprof::self_communicator);
        EXPECT_EQ(done.peer, mpiprof::not_applicable);
        EXPECT_FALSE(done.cancelled);
    }
    EXPECT_EQ(captured.text(), "");
}

TEST(nonblocking_collectives, F7_a_collective_that_needs_no_request) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const self = recorded(MPI_COMM_SELF);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(self.ibarrier(&request), MPI_SUCCESS);
    EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    auto object = self.ibarrier();
    EXPECT_EQ(object.error(), MPI_SUCCESS);
    EXPECT_EQ(object.wait(), MPI_SUCCESS);
    EXPECT_EQ(records.calls(operation::ibarrier).size(), 2U);
    EXPECT_EQ(records.completions(operation::ibarrier).size(), 2U);
    EXPECT_EQ(requests_in_flight(), 0U);
}

TEST(nonblocking_collectives, N2_a_root_other_than_zero) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const is_root = world.rank() == 2;
    std::vector<double> values(100, world.rank());
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(world.ibcast(values.data(), 100, MPI_DOUBLE, 2, &request), MPI_SUCCESS);
    EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(values[99], 2);
    auto const posted = records.call(operation::ibcast);
    EXPECT_EQ(posted.root, 2);
    EXPECT_EQ(posted.sent, is_root ? 800 : 0);
    EXPECT_EQ(posted.received, is_root ? 0 : 800);
    EXPECT_EQ(mpiprof::region_bytes(posted), 800);
    EXPECT_EQ(records.call(operation::wait).request, operation::ibcast);
    EXPECT_EQ(mpiprof::region_bytes(records.call(operation::wait)), 800);
    EXPECT_EQ(records.completion(operation::ibcast).received, 0);
}

/// What one rank of two sends and receives, of ints.
struct moved {
    std::int64_t sent;
    std::int64_t received;
};

TEST(nonblocking_collectives, N3_all_of_them_count_once) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const root = world.rank() == 0;
    std::int64_t const rank = world.rank();
    std::array<int, 8> in{};
    std::array<std::array<int, 8>, 18> out{};
    std::array<int, 2> const counts{1, 2};
    std::array<int, 2> const displacements{0, 1};
    std::array<int, 2> const two_each{2, 2};
    std::array<int, 2> const places{0, 8};
    std::array<MPI_Datatype, 2> const types{MPI_INT, MPI_INT};
    int const mine = counts.at(static_cast<std::size_t>(rank));
    std::array<MPI_Request, 17> q{};
    world.ibarrier(&q[0]);
    world.ibcast(out[1].data(), 3, MPI_INT, 0, &q[1]);
    world.ireduce(in.data(), out[2].data(), 3, MPI_INT, MPI_SUM, 0, &q[2]);
    world.iallreduce(in.data(), out[3].data(), 3, MPI_INT, MPI_SUM, &q[3]);
    world.iscan(in.data(), out[4].data(), 3, MPI_INT, MPI_SUM, &q[4]);
    world.iexscan(in.data(), out[5].data(), 3, MPI_INT, MPI_SUM, &q[5]);
    world.ireduce_scatter(in.data(), out[6].data(), counts.data(), MPI_INT, MPI_SUM, &q[6]);
    world.ireduce_scatter_block(in.data(), out[7].data(), 2, MPI_INT, MPI_SUM, &q[7]);
    world.igather(in.data(), 2, MPI_INT, out[8].data(), 2, MPI_INT, 0, &q[8]);
    world.igatherv(in.data(), mine, MPI_INT, out[9].data(), counts.data(), displacements.data(), MPI_INT, 0,
                   &q[9]);
    world.iscatter(in.data(), 2, MPI_INT, out[10].data(), 2, MPI_INT, 0, &q[10]);
    world.iscatterv(in.data(), counts.data(), displacements.data(), MPI_INT, out[11].data(), mine, MPI_INT, 0,
                    &q[11]);
    world.iallgather(in.data(), 2, MPI_INT, out[12].data(), 2, MPI_INT, &q[12]);
    world.iallgatherv(in.data(), mine, MPI_INT, out[13].data(), counts.data(), displacements.data(), MPI_INT,
                      &q[13]);
    world.ialltoall(in.data(), 2, MPI_INT, out[14].data(), 2, MPI_INT, &q[14]);
    world.ialltoallv(in.data(), two_each.data(), displacements.data(), MPI_INT, out[15].data(),
                     two_each.data(), two_each.data(), MPI_INT, &q[15]);
    world.ialltoallw(in.data(), two_each.data(), places.data(), types.data(), out[16].data(), two_each.data(),
                     places.data(), types.data(), &q[16]);
    EXPECT_EQ(records.completions().size(), 0U);
    EXPECT_EQ(cases::calls::waitall(17, q.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);

    std::map<operation, moved> const expected{
        {operation::ibarrier, {0, 0}},
        {operation::ibcast, {root ? 12 : 0, root ? 0 : 12}},
        {operation::ireduce, {12, root ? 12 : 0}},
        {operation::iallreduce, {12, 12}},
        {operation::iscan, {12, 12}},
        {operation::iexscan, {12, root ? 0 : 12}},
        {operation::ireduce_scatter, {12, 4 * mine}},
        {operation::ireduce_scatter_block, {16, 8}},
        {operation::igather, {8, root ? 16 : 0}},
        {operation::igatherv, {4 * mine, root ? 12 : 0}},
        {operation::iscatter, {root ? 16 : 0, 8}},
        {operation::iscatterv, {root ? 12 : 0, 4 * mine}},
        {operation::iallgather, {8, 16}},
        {operation::iallgatherv, {4 * mine, 12}},
        {operation::ialltoall, {16, 16}},
        {operation::ialltoallv, {16, 16}},
        {operation::ialltoallw, {16, 16}},
    };
    for (auto const& [which, bytes] : expected) {
        auto const posted = records.call(which);
        EXPECT_EQ(posted.sent, bytes.sent) << mpiprof::name(which);
        EXPECT_EQ(posted.received, bytes.received) << mpiprof::name(which);
        EXPECT_EQ(posted.flags, 0) << mpiprof::name(which);
        EXPECT_EQ(records.completion(which).received, 0) << mpiprof::name(which);
    }
    EXPECT_EQ(records.completions().size(), expected.size());
    EXPECT_EQ(records.calls().size(), expected.size() + 1);
}

TEST(nonblocking_collectives, N3_as_request_objects_in_any_order) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 2> in{1, 2};
    std::array<int, 4> out{};
    {
        mpiprof::request_of<decltype(world)> requests[3] = {
            world.iallgather(in.data(), 2, MPI_INT, out.data(), 2, MPI_INT), world.ibarrier(),
            world.iallreduce(MPI_IN_PLACE, in.data(), 2, MPI_INT, MPI_SUM)};
        EXPECT_EQ(requests[2].wait(), MPI_SUCCESS);
        EXPECT_EQ(records.call(operation::wait).request, operation::iallreduce);
        EXPECT_EQ(mpiprof::wait_all(requests, 3), MPI_SUCCESS);
    }
    EXPECT_EQ(in[1], 4);
    EXPECT_EQ(records.completions().size(), 3U);
    EXPECT_EQ(records.call(operation::iallreduce).flags, mpiprof::call_in_place);
    EXPECT_EQ(records.call(operation::iallgather).sent, 8);
    EXPECT_EQ(records.call(operation::iallgather).received, 16);
}

TEST(nonblocking_collectives, N4_arrays_are_looked_at_when_the_call_is_posted) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 4> in{};
    std::array<int, 4> out{};
    // On the heap, where the address sanitizer sees who reads them too late.
    auto counts = std::make_unique<std::array<int, 2>>(std::array{1, 2});
    auto displacements = std::make_unique<std::array<int, 2>>(std::array{0, 2});
    std::array<int, 2> const received{1 + world.rank(), 1 + world.rank()};
    MPI_Request request = MPI_REQUEST_NULL;
    world.ialltoallv(in.data(), counts->data(), displacements->data(), MPI_INT, out.data(), received.data(),
                     displacements->data(), MPI_INT, &request);
    cases::calls::wait(&request, MPI_STATUS_IGNORE);
    counts.reset();
    displacements.reset();
    EXPECT_EQ(records.call(operation::ialltoallv).sent, 12);
    EXPECT_EQ(records.call(operation::ialltoallv).received, 8 * (1 + world.rank()));
    EXPECT_EQ(records.completion(operation::ialltoallv).received, 0);
}

TEST(nonblocking_collectives, N4_in_place_without_arrays) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 4> buffer{};
    buffer.fill(world.rank());
    std::array<int, 2> const counts{2, 2};
    std::array<int, 2> const places{0, 8};
    std::array<MPI_Datatype, 2> const types{MPI_INT, MPI_INT};
    MPI_Request request = MPI_REQUEST_NULL;
    int const code = world.ialltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, buffer.data(), counts.data(),
                                      places.data(), types.data(), &request);
    EXPECT_EQ(code, MPI_SUCCESS);
    EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(buffer, (std::array{0, 0, 1, 1}));
    auto const posted = records.call(operation::ialltoallw);
    EXPECT_EQ(posted.sent, 16);
    EXPECT_EQ(posted.received, 16);
    EXPECT_EQ(posted.flags, mpiprof::call_in_place);
}

TEST(nonblocking_collectives, I3_ialltoall_in_place) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 6> buffer{};
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(world.ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), 3, MPI_INT, &request),
              MPI_SUCCESS);
    EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(records.call(operation::ialltoall).sent, 24);
    EXPECT_EQ(records.call(operation::ialltoall).received, 24);
    EXPECT_EQ(records.completion(operation::ialltoall).received, 0);
}

TEST(nonblocking_collectives, I8_ireduce_scatter_in_place_of_one_rank) {
    CASES_NEED_RANKS(1);
    recorder const records;
    std::array<int, 4> buffer{1, 2, 3, 4};
    int const count = 4;
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(recorded(MPI_COMM_WORLD)
                  .ireduce_scatter(MPI_IN_PLACE, buffer.data(), &count, MPI_INT, MPI_SUM, &request),
              MPI_SUCCESS);
    EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(buffer[3], 4);
    auto const posted = records.call(operation::ireduce_scatter);
    EXPECT_EQ(posted.sent, 16);
    EXPECT_EQ(posted.received, 16);
    EXPECT_EQ(posted.flags, mpiprof::call_in_place);
    EXPECT_EQ(records.completions(operation::ireduce_scatter).size(), 1U);
}

TEST(nonblocking_collectives, N1_datatype_and_communicator_freed_while_pending) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto part = recorded(MPI_COMM_WORLD).dup();
    auto const identity = part.identity();
    std::vector<int> values(1000, part.rank());
    MPI_Datatype type = cases::contiguous(1000, MPI_INT);
    PMPI_Type_commit(&type);
    MPI_Request request = MPI_REQUEST_NULL;
    part.ibcast(values.data(), 1, type, 1, &request);
    PMPI_Type_free(&type);
    part.free();
    EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(values[999], 1);
    auto const posted = records.call(operation::ibcast);
    EXPECT_EQ(posted.sent + posted.received, 4000);
    EXPECT_EQ(records.completion(operation::ibcast).communicator, identity);
}

}  // namespace
