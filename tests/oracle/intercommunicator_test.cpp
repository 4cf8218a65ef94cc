// Communication between two groups: rank 0 of the world on one side, all others on the other.
#include "tests/oracle/collective_test.hpp"
#include "tests/oracle/uneven.hpp"

namespace oracle {
namespace {

class between_groups : public collective_test {
  protected:
    void SetUp() override {
        profiled_test::SetUp();
        if (size < 2) GTEST_SKIP() << "there are no two groups";
        PMPI_Comm_split(world, is_alone ? 0 : 1, rank, &group_);
        MPI_Intercomm_create(group_, 0, world, is_alone ? 1 : 0, 7, &inter);
        know(inter);
    }
    void TearDown() override {
        if (inter != MPI_COMM_NULL) {
            PMPI_Comm_free(&inter);
            PMPI_Comm_free(&group_);
        }
        profiled_test::TearDown();
    }

    /// Calls `scenario(root, sends)` with each side's every rank as root: `root` is this rank's argument, and
    /// `party` tells whether it is on the other side than the root.
    template <class Scenario>
    void for_each_root(Scenario scenario) {
        for (int root = 0; root < size; ++root) {
            bool const party = is_alone != (root == 0);
            if (party) scenario(root == 0 ? 0 : root - 1, party);
            else scenario(rank == root ? MPI_ROOT : MPI_PROC_NULL, party);
        }
    }

    static int recorded_root(int root) {
        if (root == MPI_ROOT) return root_here;
        return root == MPI_PROC_NULL ? null_process : root;
    }

    bool const is_alone = rank == 0;
    int const remote_size = is_alone ? size - 1 : 1;
    MPI_Comm inter = MPI_COMM_NULL;

  private:
    MPI_Comm group_ = MPI_COMM_NULL;
};
ORACLE_ALL_FORMS(between_groups);

TEST_P(between_groups, messages_name_ranks_of_the_other_side) {
    if (is_alone) {
        for (int peer = 0; peer < remote_size; ++peer) {
            mpi.send(in.data(), 3 + peer, MPI_INT, peer, 1, inter);
            EXPECT_EQ(last("send").peer, peer);
        }
        for (int i = 0; i < remote_size; ++i) {
            mpi.recv(out.data(), 10, MPI_INT, MPI_ANY_SOURCE, 2, inter, MPI_STATUS_IGNORE);
        }
        EXPECT_EQ(of("recv").received, 4 * remote_size);
    } else {
        mpi.recv(out.data(), 10, MPI_INT, 0, 1, inter, MPI_STATUS_IGNORE);
        EXPECT_EQ(of("recv").received, 4 * (3 + rank - 1));
        MPI_Request request = MPI_REQUEST_NULL;
        mpi.isend(in.data(), 1, MPI_INT, 0, 2, inter, &request);
        mpi.wait(&request, MPI_STATUS_IGNORE);
    }
}

TEST_P(between_groups, exchange_names_ranks_of_the_other_side) {
    int const peer = is_alone ? remote_size - 1 : 0;
    if (is_alone || rank == size - 1) {
        mpi.sendrecv(in.data(), 1 + rank, MPI_INT, peer, 1, out.data(), 10, MPI_INT, MPI_ANY_SOURCE, 1, inter,
                     MPI_STATUS_IGNORE);
        EXPECT_EQ(of("sendrecv").sent, 4 * (1 + rank));
        EXPECT_EQ(of("sendrecv").received, 4 * (is_alone ? size : 1));
    }
}

TEST_P(between_groups, barrier_moves_nothing) {
    ORACLE_EVERY_WAY(barrier, inter);
    EXPECT_EQ(of("barrier"), (totals{.calls = 1}));
}

TEST_P(between_groups, bcast_goes_from_the_root_to_the_other_side) {
    for_each_root([&](int root, bool party) {
        ORACLE_EVERY_WAY(bcast, in.data(), 3, MPI_INT, root, inter);
        expect_moved("bcast", root == MPI_ROOT ? 12 : 0, party ? 12 : 0);
        EXPECT_EQ(last("bcast").root, recorded_root(root));
    });
}

TEST_P(between_groups, reduce_goes_from_the_other_side_to_the_root) {
    for_each_root([&](int root, bool party) {
        ORACLE_EVERY_WAY(reduce, in.data(), out.data(), 3, MPI_INT, MPI_SUM, root, inter);
        expect_moved("reduce", party ? 12 : 0, root == MPI_ROOT ? 12 : 0);
        EXPECT_EQ(last("reduce").root, recorded_root(root));
    });
}

TEST_P(between_groups, gather_goes_from_the_other_side_to_the_root) {
    for_each_root([&](int root, bool party) {
        bool const is_root = root == MPI_ROOT;
        ORACLE_EVERY_WAY(gather, in.data(), party ? 3 : garbage, party ? MPI_INT : MPI_DATATYPE_NULL,
                         out.data(), is_root ? 3 : garbage, is_root ? MPI_INT : MPI_DATATYPE_NULL, root,
                         inter);
        expect_moved("gather", party ? 12 : 0, is_root ? 12 * remote_size : 0);
        EXPECT_EQ(last("gather").root, recorded_root(root));
    });
}

TEST_P(between_groups, scatter_goes_from_the_root_to_the_other_side) {
    for_each_root([&](int root, bool party) {
        bool const is_root = root == MPI_ROOT;
        ORACLE_EVERY_WAY(scatter, in.data(), is_root ? 3 : garbage, is_root ? MPI_INT : MPI_DATATYPE_NULL,
                         out.data(), party ? 3 : garbage, party ? MPI_INT : MPI_DATATYPE_NULL, root, inter);
        expect_moved("scatter", is_root ? 12 * remote_size : 0, party ? 12 : 0);
        EXPECT_EQ(last("scatter").root, recorded_root(root));
    });
}

TEST_P(between_groups, allreduce_goes_both_ways) {
    ORACLE_EVERY_WAY(allreduce, in.data(), out.data(), 3, MPI_INT, MPI_SUM, inter);
    expect_moved("allreduce", 12, 12);
}

// The two sides send parts of unlike lengths.
TEST_P(between_groups, allgather_receives_the_parts_of_the_other_side) {
    int const mine = is_alone ? 2 : 5;
    int const theirs = is_alone ? 5 : 2;
    ORACLE_EVERY_WAY(allgather, in.data(), mine, MPI_INT, out.data(), theirs, MPI_INT, inter);
    expect_moved("allgather", 4 * mine, 4 * theirs * remote_size);
}

TEST_P(between_groups, allgather_of_one_side_only) {
    ORACLE_EVERY_WAY(allgather, in.data(), is_alone ? 0 : 5, MPI_INT, out.data(), is_alone ? 5 : 0, MPI_INT,
                     inter);
    expect_moved("allgather", is_alone ? 0 : 20, is_alone ? 20 * remote_size : 0);
}

TEST_P(between_groups, alltoall_goes_both_ways) {
    int const mine = is_alone ? 2 : 5;
    int const theirs = is_alone ? 5 : 2;
    ORACLE_EVERY_WAY(alltoall, in.data(), mine, MPI_INT, out.data(), theirs, MPI_INT, inter);
    expect_moved("alltoall", 4 * mine * remote_size, 4 * theirs * remote_size);
}

TEST_P(between_groups, gather_and_scatter_of_uneven_parts) {
    auto const part_of = [](int place) { return 2 + place; };
    uneven_parts const parts{remote_size, part_of};
    for_each_root([&](int root, bool party) {
        bool const is_root = root == MPI_ROOT;
        int const mine = party ? part_of(rank_in(inter)) : garbage;
        auto const type = party ? MPI_INT : MPI_DATATYPE_NULL;
        auto const roots_type = is_root ? MPI_INT : MPI_DATATYPE_NULL;
        ORACLE_EVERY_WAY(gatherv, in.data(), mine, type, out.data(), parts.counts.data(), parts.places.data(),
                         roots_type, root, inter);
        expect_moved("gatherv", party ? 4 * mine : 0, is_root ? 4 * parts.sum : 0);
        ORACLE_EVERY_WAY(scatterv, in.data(), parts.counts.data(), parts.places.data(), roots_type,
                         out.data(), mine, type, root, inter);
        expect_moved("scatterv", is_root ? 4 * parts.sum : 0, party ? 4 * mine : 0);
    });
}

TEST_P(between_groups, allgather_of_uneven_parts_of_the_other_side) {
    int const mine = is_alone ? 1 : 1 + rank;
    uneven_parts const theirs{remote_size, [this](int place) { return is_alone ? 2 + place : 1; }};
    ORACLE_EVERY_WAY(allgatherv, in.data(), mine, MPI_INT, out.data(), theirs.counts.data(),
                     theirs.places.data(), MPI_INT, inter);
    expect_moved("allgatherv", 4 * mine, 4 * theirs.sum);
}

TEST_P(between_groups, alltoall_of_uneven_parts) {
    // To the lone rank go more than come from it.
    uneven_parts const to_all{remote_size, [this](int place) { return is_alone ? 1 + place : 10 + rank; }};
    uneven_parts const from_all{remote_size, [this](int place) { return is_alone ? 10 + 1 + place : rank; }};
    ORACLE_EVERY_WAY(alltoallv, in.data(), to_all.counts.data(), to_all.places.data(), MPI_INT, out.data(),
                     from_all.counts.data(), from_all.places.data(), MPI_INT, inter);
    expect_moved("alltoallv", 4 * to_all.sum, 4 * from_all.sum);
    ORACLE_EVERY_WAY(alltoallw, in.data(), to_all.counts.data(), to_all.byte_places.data(),
                     to_all.types.data(), out.data(), from_all.counts.data(), from_all.byte_places.data(),
                     from_all.types.data(), inter);
    expect_moved("alltoallw", 4 * to_all.sum, 4 * from_all.sum);
}

// What a side sends is shared out on the other: as many on both.
TEST_P(between_groups, reduce_scatter_counts_the_parts_of_the_own_side) {
    int const local_size = size_of(inter);
    auto const total = 2ll * size * (size - 1);
    uneven_parts const own{local_size,
                           [&](int place) { return is_alone ? static_cast<int>(total) : 4 * (place + 1); }};
    ASSERT_EQ(own.sum, total);
    ORACLE_EVERY_WAY(reduce_scatter, in.data(), out.data(), own.counts.data(), MPI_INT, MPI_SUM, inter);
    expect_moved("reduce_scatter", 4 * total, is_alone ? 4 * total : 16 * rank);
    int const part = is_alone ? size - 1 : 1;
    ORACLE_EVERY_WAY(reduce_scatter_block, in.data(), out.data(), part, MPI_INT, MPI_SUM, inter);
    expect_moved("reduce_scatter_block", 4 * (size - 1), 4 * part);
}

TEST_P(between_groups, duplicate_of_one_is_one) {
    MPI_Comm copy = MPI_COMM_NULL;
    mpi.comm_dup(inter, &copy);
    ORACLE_EVERY_WAY(allgather, in.data(), 2, MPI_INT, out.data(), 2, MPI_INT, copy);
    expect_moved("allgather", 8, 8 * remote_size);
    mpi.comm_free(&copy);
    EXPECT_EQ(of("comm_dup"), (totals{.calls = 1}));
    EXPECT_EQ(of("comm_free"), (totals{.calls = 1}));
}

}  // namespace
}  // namespace oracle
