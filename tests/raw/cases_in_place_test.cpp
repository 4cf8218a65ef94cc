// MPI_IN_PLACE: counted as the same exchange without it.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

/// Two calls of one operation, the second one in place: both moved the same.
void expect_same_bytes(std::vector<mpiprof::call> const& calls, std::int64_t sent, std::int64_t received) {
    ASSERT_EQ(calls.size(), 2U);
    for (auto const& call : calls) {
        EXPECT_EQ(call.sent, sent);
        EXPECT_EQ(call.received, received);
    }
    EXPECT_EQ(calls[0].flags, 0);
}

TEST(in_place, I1_allgather_counts_its_receive_side) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<char, 64> mine{};
    std::array<char, 128> all{};
    mine.fill(static_cast<char>(1 + world.rank()));
    world.allgather(mine.data(), 64, MPI_BYTE, all.data(), 64, MPI_BYTE);
    EXPECT_EQ(world.allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 64, MPI_BYTE), MPI_SUCCESS);
    EXPECT_EQ(all.front(), 1);
    EXPECT_EQ(all.back(), 2);
    auto const calls = records.calls(operation::allgather);
    expect_same_bytes(calls, 64, 128);
    EXPECT_EQ(calls[1].flags, mpiprof::call_in_place);
}

TEST(in_place, I3_alltoall_counts_its_receive_side) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 6> out{};
    std::array<int, 6> in{};
    out.fill(world.rank());
    world.alltoall(out.data(), 3, MPI_INT, in.data(), 3, MPI_INT);
    EXPECT_EQ(world.alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(), 3, MPI_INT), MPI_SUCCESS);
    EXPECT_EQ(in, out);
    auto const calls = records.calls(operation::alltoall);
    expect_same_bytes(calls, 24, 24);
    EXPECT_EQ(calls[1].flags, mpiprof::call_in_place);
}

TEST(in_place, I6_the_root_of_a_gather_still_gives_its_part) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const root = world.rank() == 0;
    std::array<int, 5> mine{};
    std::array<int, 15> all{};
    world.gather(mine.data(), 5, MPI_INT, all.data(), 5, MPI_INT, 0);
    if (root) world.gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 5, MPI_INT, 0);
    else world.gather(mine.data(), 5, MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, 0);
    auto const calls = records.calls(operation::gather);
    expect_same_bytes(calls, 20, root ? 60 : 0);
    EXPECT_EQ(calls[1].flags, root ? mpiprof::call_in_place : 0);
    EXPECT_EQ(calls[1].root, 0);
}

TEST(in_place, I6_the_root_of_a_scatter_still_takes_its_part) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const root = world.rank() == 0;
    std::array<int, 5> mine{};
    std::array<int, 15> all{};
    world.scatter(all.data(), 5, MPI_INT, mine.data(), 5, MPI_INT, 0);
    if (root) world.scatter(all.data(), 5, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0);
    else world.scatter(nullptr, 0, MPI_DATATYPE_NULL, mine.data(), 5, MPI_INT, 0);
    auto const calls = records.calls(operation::scatter);
    expect_same_bytes(calls, root ? 60 : 0, 20);
    EXPECT_EQ(calls[1].flags, root ? mpiprof::call_in_place : 0);
}

TEST(in_place, I7_reduce_in_place_at_the_root) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const root = world.rank() == 0;
    double value = 1.5;
    EXPECT_EQ(world.reduce(root ? MPI_IN_PLACE : &value, &value, 1, MPI_DOUBLE, MPI_SUM, 0), MPI_SUCCESS);
    EXPECT_EQ(value, root ? 4.5 : 1.5);
    auto const reduce = records.call(operation::reduce);
    EXPECT_EQ(reduce.sent, 8);
    EXPECT_EQ(reduce.received, root ? 8 : 0);
    EXPECT_EQ(reduce.root, 0);
    EXPECT_EQ(reduce.flags, root ? mpiprof::call_in_place : 0);
}

TEST(in_place, I7_reductions_without_a_root) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 3> const in{1, 2, 3};
    std::array<int, 3> out{};
    world.allreduce(in.data(), out.data(), 3, MPI_INT, MPI_SUM);
    EXPECT_EQ(out[0], 3);
    world.allreduce(MPI_IN_PLACE, out.data(), 3, MPI_INT, MPI_SUM);
    EXPECT_EQ(out[0], 9);
    world.scan(in.data(), out.data(), 3, MPI_INT, MPI_SUM);
    world.scan(MPI_IN_PLACE, out.data(), 3, MPI_INT, MPI_SUM);
    world.exscan(in.data(), out.data(), 3, MPI_INT, MPI_SUM);
    world.exscan(MPI_IN_PLACE, out.data(), 3, MPI_INT, MPI_SUM);
    expect_same_bytes(records.calls(operation::allreduce), 12, 12);
    expect_same_bytes(records.calls(operation::scan), 12, 12);
    expect_same_bytes(records.calls(operation::exscan), 12, world.rank() == 0 ? 0 : 12);
    for (auto const which : {operation::allreduce, operation::scan, operation::exscan})
        EXPECT_EQ(records.calls(which)[1].flags, mpiprof::call_in_place);
}

TEST(in_place, I1_nonblocking_forms) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const root = world.rank() == 0;
    std::array<int, 8> buffer{};
    auto allgather = world.iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), 2, MPI_INT);
    EXPECT_EQ(allgather.wait(), MPI_SUCCESS);
    auto gather = root ? world.igather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), 2, MPI_INT, 0)
                       : world.igather(buffer.data(), 2, MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, 0);
    EXPECT_EQ(gather.wait(), MPI_SUCCESS);
    auto scatter = root ? world.iscatter(buffer.data(), 2, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0)
                        : world.iscatter(nullptr, 0, MPI_DATATYPE_NULL, buffer.data(), 2, MPI_INT, 0);
    EXPECT_EQ(scatter.wait(), MPI_SUCCESS);
    EXPECT_EQ(records.call(operation::iallgather).sent, 8);
    EXPECT_EQ(records.call(operation::iallgather).received, 16);
    EXPECT_EQ(records.call(operation::igather).sent, 8);
    EXPECT_EQ(records.call(operation::igather).received, root ? 16 : 0);
    EXPECT_EQ(records.call(operation::iscatter).sent, root ? 16 : 0);
    EXPECT_EQ(records.call(operation::iscatter).received, 8);
    EXPECT_EQ(records.completions().size(), 3U);
}

}  // namespace
