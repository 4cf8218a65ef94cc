// Every way to make a communicator out of others is a call that moves nothing, and what is sent over the new
// one names its ranks.
#include "tests/oracle/profiled_test.hpp"

#include <array>
#include <mpiprof/raw/features.hpp>

namespace oracle {
namespace {

class creations : public profiled_test {
  protected:
    /// The one call of an operation, which made `comm`: uses it and frees it.
    void expect_made(char const* operation, MPI_Comm comm) {
        EXPECT_EQ(of(operation), (totals{.calls = 1})) << operation;
        if (comm == MPI_COMM_NULL) return;
        know(comm);
        send_around(comm);
        mpi.comm_free(&comm);
        EXPECT_EQ(comm, MPI_COMM_NULL);
        EXPECT_EQ(of("comm_free"), (totals{.calls = 1})) << operation;
    }

    /// Each rank sends to the next, as many ints as its rank in the world and one.
    void send_around(MPI_Comm comm) {
        int const me = rank_in(comm);
        int const count = size_of(comm);
        int const right = (me + 1) % count;
        mpi.sendrecv(in.data(), rank + 1, MPI_INT, right, 1, out.data(), 10, MPI_INT,
                     (me + count - 1) % count, 1, comm, MPI_STATUS_IGNORE);
        EXPECT_EQ(last("sendrecv").peer, right);
        EXPECT_EQ(last("sendrecv").sent, 4 * (rank + 1));
    }

    /// The world's group without its first `count` ranks.
    MPI_Group world_without(int count) {
        MPI_Group all = MPI_GROUP_NULL;
        MPI_Group rest = MPI_GROUP_NULL;
        PMPI_Comm_group(world, &all);
        std::vector<int> excluded(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) excluded[static_cast<std::size_t>(i)] = i;
        PMPI_Group_excl(all, count, excluded.data(), &rest);
        PMPI_Group_free(&all);
        return rest;
    }

    /// Rank 0 of the world on one side, and all others on the other.
    MPI_Comm own_side() {
        MPI_Comm side = MPI_COMM_NULL;
        mpi.comm_split(world, is_alone ? 0 : 1, rank, &side);
        return side;
    }

    bool const is_alone = rank == 0;
    int const leader = is_alone ? 1 : 0;
    MPI_Comm made = MPI_COMM_NULL;
};
INSTANTIATE_TEST_SUITE_P(by, creations, testing::Values(&by_function, &by_member, &by_object), form_name);

TEST_P(creations, dup_with_info) {
    mpi.comm_dup_with_info(world, MPI_INFO_NULL, &made);
    expect_made("comm_dup_with_info", made);
}

// The communicator is there when the request completes, and not before.
TEST_P(creations, idup) {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi.comm_idup(world, &made, &request);
    mpi.wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(of("comm_idup"), (totals{.calls = 1, .completions = 1}));
    know(made);
    send_around(made);
    mpi.comm_free(&made);
}

#if MPIPROF_INTERNAL_IDUP_WITH_INFO
TEST_P(creations, idup_with_info) {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi.comm_idup_with_info(world, MPI_INFO_NULL, &made, &request);
    mpi.wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(of("comm_idup_with_info"), (totals{.calls = 1, .completions = 1}));
    know(made);
    send_around(made);
    mpi.comm_free(&made);
}
#endif

TEST_P(creations, create_of_some_ranks) {
    auto group = world_without(size / 2);
    mpi.comm_create(world, group, &made);
    EXPECT_EQ(made == MPI_COMM_NULL, rank < size / 2);
    expect_made("comm_create", made);
    PMPI_Group_free(&group);
}

// Only those call it that are in the group.
TEST_P(creations, create_group) {
    auto group = world_without(size / 2);
    if (rank >= size / 2) {
        mpi.comm_create_group(world, group, 5, &made);
        expect_made("comm_create_group", made);
    }
    PMPI_Group_free(&group);
}

TEST_P(creations, split_type) {
    mpi.comm_split_type(world, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &made);
    expect_made("comm_split_type", made);
}

TEST_P(creations, split_type_that_leaves_a_rank_out) {
    mpi.comm_split_type(world, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    EXPECT_EQ(made == MPI_COMM_NULL, rank == 0);
    expect_made("comm_split_type", made);
}

TEST_P(creations, cart_and_its_parts) {
    std::array<int, 2> const dims{size, 1};
    std::array<int, 2> const periods{1, 0};
    mpi.cart_create(world, 2, dims.data(), periods.data(), 0, &made);
    std::array<int, 2> const kept{1, 0};
    MPI_Comm part = MPI_COMM_NULL;
    mpi.cart_sub(made, kept.data(), &part);
    know(part);
    send_around(part);
    mpi.comm_free(&part);
    EXPECT_EQ(of("cart_create"), (totals{.calls = 1}));
    EXPECT_EQ(of("cart_sub"), (totals{.calls = 1}));
    mpi.comm_free(&made);
}

TEST_P(creations, cart_that_leaves_ranks_out) {
    int const dims[] = {1};
    int const periods[] = {0};
    mpi.cart_create(world, 1, dims, periods, 0, &made);
    EXPECT_EQ(made == MPI_COMM_NULL, rank != 0);
    expect_made("cart_create", made);
}

// A ring.
TEST_P(creations, graph) {
    std::vector<int> ends;
    std::vector<int> edges;
    for (int i = 0; i < size; ++i) {
        edges.push_back((i + 1) % size);
        ends.push_back(i + 1);
    }
    mpi.graph_create(world, size, ends.data(), edges.data(), 0, &made);
    expect_made("graph_create", made);
}

TEST_P(creations, dist_graph) {
    int const degree = 1;
    int const to = next();
    mpi.dist_graph_create(world, 1, &rank, &degree, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    expect_made("dist_graph_create", made);
}

TEST_P(creations, dist_graph_adjacent) {
    int const from = previous();
    int const to = next();
    mpi.dist_graph_create_adjacent(world, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &made);
    expect_made("dist_graph_create_adjacent", made);
}

TEST_P(creations, intercommunicator_and_its_merger) {
    if (size < 2) GTEST_SKIP() << "there are no two groups";
    auto side = own_side();
    mpi.intercomm_create(side, 0, world, leader, 7, &made);
    EXPECT_EQ(of("intercomm_create"), (totals{.calls = 1}));
    know(made);
    int value = rank;
    if (is_alone) mpi.send(&value, 1, MPI_INT, size - 2, 1, made);
    if (rank == size - 1) mpi.recv(&value, 1, MPI_INT, 0, 1, made, MPI_STATUS_IGNORE);
    MPI_Comm all = MPI_COMM_NULL;
    mpi.intercomm_merge(made, is_alone ? 1 : 0, &all);
    EXPECT_EQ(rank_in(all), is_alone ? size - 1 : rank - 1);
    mpi.comm_free(&made);
    mpi.comm_free(&side);
    know(all);
    send_around(all);
    mpi.comm_free(&all);
    EXPECT_EQ(of("intercomm_merge"), (totals{.calls = 1}));
}

TEST_P(creations, disconnected_and_named) {
    mpi.comm_dup(world, &made);
    mpi.comm_set_name(made, "halo");
    mpi.comm_disconnect(&made);
    EXPECT_EQ(made, MPI_COMM_NULL);
    EXPECT_EQ(of("comm_set_name"), (totals{.calls = 1}));
    EXPECT_EQ(of("comm_disconnect"), (totals{.calls = 1}));
}

#if MPIPROF_INTERNAL_SESSIONS
TEST_P(creations, from_groups_alone) {
    auto group = world_without(0);
    mpi.comm_create_from_group(group, "mpiprof.tests", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
    expect_made("comm_create_from_group", made);
    PMPI_Group_free(&group);
}

TEST_P(creations, between_groups_alone) {
    if (size < 2) GTEST_SKIP() << "there are no two groups";
    auto others = world_without(1);
    int const first = 0;
    MPI_Group all = world_without(0);
    MPI_Group alone = MPI_GROUP_NULL;
    PMPI_Group_incl(all, 1, &first, &alone);
    mpi.intercomm_create_from_groups(is_alone ? alone : others, 0, is_alone ? others : alone, 0,
                                     "mpiprof.tests.between", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
    EXPECT_EQ(of("intercomm_create_from_groups"), (totals{.calls = 1}));
    EXPECT_NE(made, MPI_COMM_NULL);
    mpi.comm_free(&made);
    for (auto* each : {&all, &alone, &others}) PMPI_Group_free(each);
}
#endif

}  // namespace
}  // namespace oracle
