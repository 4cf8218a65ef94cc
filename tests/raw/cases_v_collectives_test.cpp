// Collectives whose parts have sizes of their own.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>

namespace {

using cases::error_class;
using cases::recorded;
using cases::recorder;
using mpiprof::operation;

/// Rank r has r + 1 ints.
constexpr std::array<int, 3> counts{1, 2, 3};
constexpr std::array<int, 3> displacements{0, 1, 3};

TEST(v_collectives, V1_counts_that_only_the_root_has) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const root = world.rank() == 0;
    int const mine = world.rank() + 1;
    std::array<int, 3> out{};
    out.fill(mine);
    std::array<int, 6> in{};
    EXPECT_EQ(world.gatherv(out.data(), mine, MPI_INT, root ? in.data() : nullptr,
                            root ? counts.data() : nullptr, root ? displacements.data() : nullptr,
                            root ? MPI_INT : MPI_DATATYPE_NULL, 0),
              MPI_SUCCESS);
    auto request =
        world.igatherv(out.data(), mine, MPI_INT, root ? in.data() : nullptr, root ? counts.data() : nullptr,
                       root ? displacements.data() : nullptr, root ? MPI_INT : MPI_DATATYPE_NULL, 0);
    EXPECT_EQ(request.wait(), MPI_SUCCESS);
    if (root) {
        EXPECT_EQ(in, (std::array{1, 2, 2, 3, 3, 3}));
    }
    for (auto const which : {operation::gatherv, operation::igatherv}) {
        EXPECT_EQ(records.call(which).sent, 4 * mine);
        EXPECT_EQ(records.call(which).received, root ? 24 : 0);
        EXPECT_EQ(records.call(which).root, 0);
    }
}

TEST(v_collectives, V1_the_root_in_place) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const root = world.rank() == 1;
    int const mine = world.rank() + 1;
    std::array<int, 6> buffer{};
    if (root)
        world.gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), counts.data(), displacements.data(),
                      MPI_INT, 1);
    else world.gatherv(buffer.data(), mine, MPI_INT, nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, 1);
    if (root)
        world.scatterv(buffer.data(), counts.data(), displacements.data(), MPI_INT, MPI_IN_PLACE, 0,
                       MPI_DATATYPE_NULL, 1);
    else world.scatterv(nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, buffer.data(), mine, MPI_INT, 1);
    EXPECT_EQ(records.call(operation::gatherv).sent, 4 * mine);
    EXPECT_EQ(records.call(operation::gatherv).received, root ? 24 : 0);
    EXPECT_EQ(records.call(operation::scatterv).sent, root ? 24 : 0);
    EXPECT_EQ(records.call(operation::scatterv).received, 4 * mine);
    for (auto const& call : records.calls()) EXPECT_EQ(call.flags, root ? mpiprof::call_in_place : 0);
}

TEST(v_collectives, V2_scatterv_from_a_root_other_than_zero) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const root = world.rank() == 1;
    int const mine = world.rank() + 1;
    std::array<int, 6> const out{};
    std::array<int, 3> in{};
    EXPECT_EQ(world.scatterv(root ? out.data() : nullptr, root ? counts.data() : nullptr,
                             root ? displacements.data() : nullptr, root ? MPI_INT : MPI_DATATYPE_NULL,
                             in.data(), mine, MPI_INT, 1),
              MPI_SUCCESS);
    auto const call = records.call(operation::scatterv);
    EXPECT_EQ(call.sent, root ? 24 : 0);
    EXPECT_EQ(call.received, 4 * mine);
    EXPECT_EQ(call.root, 1);
    EXPECT_EQ(mpiprof::region_bytes(call), root ? 24 : 4 * mine);
}

TEST(v_collectives, V4_reduce_scatter_takes_all_parts_and_gives_one) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 6> in{1, 1, 1, 1, 1, 1};
    std::array<int, 3> out{};
    EXPECT_EQ(world.reduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM), MPI_SUCCESS);
    EXPECT_EQ(out[0], 3);
    EXPECT_EQ(world.reduce_scatter(MPI_IN_PLACE, in.data(), counts.data(), MPI_INT, MPI_SUM), MPI_SUCCESS);
    EXPECT_EQ(world.reduce_scatter_block(in.data(), out.data(), 2, MPI_INT, MPI_SUM), MPI_SUCCESS);
    auto const calls = records.calls(operation::reduce_scatter);
    ASSERT_EQ(calls.size(), 2U);
    for (auto const& call : calls) {
        EXPECT_EQ(call.sent, 24);
        EXPECT_EQ(call.received, 4 * (world.rank() + 1));
    }
    EXPECT_EQ(records.call(operation::reduce_scatter_block).sent, 24);
    EXPECT_EQ(records.call(operation::reduce_scatter_block).received, 8);
}

TEST(v_collectives, V5_allgatherv_has_one_type) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const mine = world.rank();
    std::array<int, 2> in{mine, mine};
    std::array<int, 2> const one_each{1, 1};
    std::array<int, 2> const places{0, 1};
    world.allgatherv(&mine, 1, MPI_INT, in.data(), one_each.data(), places.data(), MPI_INT);
    EXPECT_EQ(world.allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in.data(), one_each.data(), places.data(),
                               MPI_INT),
              MPI_SUCCESS);
    EXPECT_EQ(in, (std::array{0, 1}));
    for (auto const& call : records.calls(operation::allgatherv)) {
        EXPECT_EQ(call.sent, 4);
        EXPECT_EQ(call.received, 8);
    }
}

TEST(v_collectives, V6_displacements_in_any_order) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const root = world.rank() == 0;
    int const mine = world.rank() + 1;
    std::array<int, 3> const out{mine, mine, mine};
    std::array<int, 24> in{};
    std::array<int, 3> const places{20, 0, 10};
    world.gatherv(out.data(), mine, MPI_INT, in.data(), counts.data(), places.data(), MPI_INT, 0);
    world.allgatherv(out.data(), mine, MPI_INT, in.data(), counts.data(), places.data(), MPI_INT);
    EXPECT_EQ(in[20], 1);
    EXPECT_EQ(in[12], 3);
    EXPECT_EQ(records.call(operation::gatherv).received, root ? 24 : 0);
    EXPECT_EQ(records.call(operation::allgatherv).received, 24);
}

TEST(v_collectives, V6_alltoallv_counts_each_direction) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const mine = world.rank() + 1;
    std::array<int, 6> const out{};
    std::array<int, 9> in{};
    std::array<int, 3> const from_each{mine, mine, mine};
    std::array<int, 3> const places{6, 3, 0};
    EXPECT_EQ(world.alltoallv(out.data(), counts.data(), displacements.data(), MPI_INT, in.data(),
                              from_each.data(), places.data(), MPI_INT),
              MPI_SUCCESS);
    EXPECT_EQ(records.call(operation::alltoallv).sent, 24);
    EXPECT_EQ(records.call(operation::alltoallv).received, 12 * mine);

    // In place a part comes back as large as it goes.
    std::array<int, 3> const one_each{1, 1, 1};
    EXPECT_EQ(world.alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, in.data(), one_each.data(),
                              places.data(), MPI_INT),
              MPI_SUCCESS);
    EXPECT_EQ(records.calls(operation::alltoallv).back().sent, 12);
    EXPECT_EQ(records.calls(operation::alltoallv).back().received, 12);
}

TEST(v_collectives, Z4_parts_without_a_type) {
    CASES_NEED_RANKS(3);
    cases::errors_return const guard;
    auto const world = recorded(MPI_COMM_WORLD);
    // 2 ints to the right neighbour, from the left one.
    std::array<int, 3> send_counts{};
    std::array<int, 3> receive_counts{};
    std::array<MPI_Datatype, 3> send_types{MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    auto receive_types = send_types;
    auto const right = static_cast<std::size_t>((world.rank() + 1) % 3);
    auto const left = static_cast<std::size_t>((world.rank() + 2) % 3);
    send_counts.at(right) = receive_counts.at(left) = 2;
    send_types.at(right) = receive_types.at(left) = MPI_INT;
    std::array<int, 3> const places{};
    std::array<int, 2> const out{5, 6};
    std::array<int, 2> in{};
    int const plain =
        PMPI_Alltoallw(out.data(), send_counts.data(), places.data(), send_types.data(), in.data(),
                       receive_counts.data(), places.data(), receive_types.data(), MPI_COMM_WORLD);
    recorder const records;
    int const code = world.alltoallw(out.data(), send_counts.data(), places.data(), send_types.data(),
                                     in.data(), receive_counts.data(), places.data(), receive_types.data());
    EXPECT_EQ(error_class(code), error_class(plain));
    auto const call = records.call(operation::alltoallw);
    EXPECT_EQ(call.flags, plain == MPI_SUCCESS ? 0 : mpiprof::call_failed);
    EXPECT_EQ(call.sent, plain == MPI_SUCCESS ? 8 : 0);
    EXPECT_EQ(call.received, plain == MPI_SUCCESS ? 8 : 0);
}

}  // namespace
