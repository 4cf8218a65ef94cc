// Neighbourhood collectives: sums over the neighbours that exist.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <vector>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

/// The ranks in a row; a ring where `periodic`.
MPI_Comm row_of_ranks(int periodic) {
    int const size = cases::world_size();
    MPI_Comm made = MPI_COMM_NULL;
    recorded(MPI_COMM_WORLD).cart_create(1, &size, &periodic, 0, &made);
    return made;
}

TEST(neighborhoods, G4_one_call_is_one_record) {
    CASES_NEED_RANKS(4);
    MPI_Comm comm = row_of_ranks(1);
    auto ring = recorded(comm);
    recorder const records;
    std::array<int, 2> const mine{ring.rank(), ring.rank()};
    std::array<int, 4> all{};
    std::array<int, 2> const counts{2, 2};
    std::array<int, 2> const displacements{0, 2};
    EXPECT_EQ(ring.neighbor_allgatherv(mine.data(), 2, MPI_INT, all.data(), counts.data(),
                                       displacements.data(), MPI_INT),
              MPI_SUCCESS);
    EXPECT_EQ(all[0], (ring.rank() + 3) % 4);
    EXPECT_EQ(records.calls().size(), 1U);
    auto const call = records.call(operation::neighbor_allgatherv);
    EXPECT_EQ(call.sent, 16);
    EXPECT_EQ(call.received, 16);
    EXPECT_EQ(call.communicator, ring.identity());
    ring.free();
}

TEST(neighborhoods, G5_a_ring_has_two_neighbors) {
    CASES_NEED_RANKS(3);
    MPI_Comm comm = row_of_ranks(1);
    auto ring = recorded(comm);
    recorder const records;
    std::array<double, 6> const out{};
    std::array<double, 6> in{};
    EXPECT_EQ(ring.neighbor_alltoall(out.data(), 3, MPI_DOUBLE, in.data(), 3, MPI_DOUBLE), MPI_SUCCESS);
    auto const call = records.call(operation::neighbor_alltoall);
    EXPECT_EQ(call.sent, 48);
    EXPECT_EQ(call.received, 48);
    auto request = ring.ineighbor_alltoall(out.data(), 3, MPI_DOUBLE, in.data(), 3, MPI_DOUBLE);
    EXPECT_EQ(request.wait(), MPI_SUCCESS);
    EXPECT_EQ(records.call(operation::ineighbor_alltoall).sent, 48);
    EXPECT_EQ(records.completion(operation::ineighbor_alltoall).received, 0);
    ring.free();
}

TEST(neighborhoods, G5_at_the_ends_of_a_row_one_is_missing) {
    CASES_NEED_RANKS(3);
    MPI_Comm comm = row_of_ranks(0);
    auto row = recorded(comm);
    recorder const records;
    int const neighbors = row.rank() == 1 ? 2 : 1;
    std::array<int, 4> const out{};
    std::array<int, 4> in{};
    std::array<int, 2> const counts{1, 2};
    std::array<int, 2> const opposite{2, 1};
    std::array<int, 2> const displacements{0, 2};
    row.neighbor_allgather(out.data(), 2, MPI_INT, in.data(), 2, MPI_INT);
    row.neighbor_alltoall(out.data(), 2, MPI_INT, in.data(), 2, MPI_INT);
    // 1 int to the left and 2 to the right, so 2 come from the left and 1 from the right.
    row.neighbor_alltoallv(out.data(), counts.data(), displacements.data(), MPI_INT, in.data(),
                           opposite.data(), displacements.data(), MPI_INT);
    auto const allgather = records.call(operation::neighbor_allgather);
    EXPECT_EQ(allgather.sent, 8 * neighbors);
    EXPECT_EQ(allgather.received, 8 * neighbors);
    EXPECT_EQ(records.call(operation::neighbor_alltoall).sent, 8 * neighbors);
    std::array<std::int64_t, 3> const sent{8, 12, 4};
    std::array<std::int64_t, 3> const received{4, 12, 8};
    auto const at = static_cast<std::size_t>(row.rank());
    EXPECT_EQ(records.call(operation::neighbor_alltoallv).sent, sent.at(at));
    EXPECT_EQ(records.call(operation::neighbor_alltoallv).received, received.at(at));
    row.free();
}

TEST(neighborhoods, G5_a_graph_whose_edges_have_a_direction) {
    CASES_NEED_RANKS(3);
    // Rank 0 sends to 1 and 2, and nobody sends to it.
    auto const world = recorded(MPI_COMM_WORLD);
    bool const is_source = world.rank() == 0;
    int const from = 0;
    std::array<int, 2> const to{1, 2};
    MPI_Comm comm = MPI_COMM_NULL;
    world.dist_graph_create_adjacent(is_source ? 0 : 1, &from, MPI_UNWEIGHTED, is_source ? 2 : 0, to.data(),
                                     MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    auto graph = recorded(comm);
    recorder const records;
    std::array<int, 2> const out{};
    std::array<int, 2> in{};
    graph.neighbor_allgather(out.data(), 2, MPI_INT, in.data(), 2, MPI_INT);
    graph.neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT);
    EXPECT_EQ(records.call(operation::neighbor_allgather).sent, is_source ? 16 : 0);
    EXPECT_EQ(records.call(operation::neighbor_allgather).received, is_source ? 0 : 8);
    EXPECT_EQ(records.call(operation::neighbor_alltoall).sent, is_source ? 8 : 0);
    EXPECT_EQ(records.call(operation::neighbor_alltoall).received, is_source ? 0 : 4);
    graph.free();
}

TEST(neighborhoods, G5_types_of_each_neighbor) {
    CASES_NEED_RANKS(3);
    MPI_Comm comm = row_of_ranks(1);
    auto ring = recorded(comm);
    recorder const records;
    std::array<double, 4> const out{};
    std::array<double, 4> in{};
    std::array<int, 2> const counts{1, 2};
    std::array<int, 2> const opposite{2, 1};
    std::array<MPI_Aint, 2> const places{0, 16};
    std::array<MPI_Datatype, 2> const types{MPI_INT, MPI_DOUBLE};
    std::array<MPI_Datatype, 2> const opposite_types{MPI_DOUBLE, MPI_INT};
    EXPECT_EQ(ring.neighbor_alltoallw(out.data(), counts.data(), places.data(), types.data(), in.data(),
                                      opposite.data(), places.data(), opposite_types.data()),
              MPI_SUCCESS);
    auto const call = records.call(operation::neighbor_alltoallw);
    EXPECT_EQ(call.sent, 20);
    EXPECT_EQ(call.received, 20);
    ring.free();
}

}  // namespace
