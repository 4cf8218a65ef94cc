// Communication between two groups: rank 0 of the world on one side, all others on the other.
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/profiled_test.hpp"

namespace oracle {
namespace {

class between_groups : public profiled_test {
  protected:
    static constexpr int garbage = -77;

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

    void expect_last(char const* operation, long long sent, long long received) {
        EXPECT_EQ(last(operation).sent, sent) << operation;
        EXPECT_EQ(last(operation).received, received) << operation;
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
    mpi.barrier(inter);
    EXPECT_EQ(of("barrier"), (totals{.calls = 1}));
}

TEST_P(between_groups, bcast_goes_from_the_root_to_the_other_side) {
    for_each_root([&](int root, bool party) {
        mpi.bcast(in.data(), 3, MPI_INT, root, inter);
        expect_last("bcast", root == MPI_ROOT ? 12 : 0, party ? 12 : 0);
        EXPECT_EQ(last("bcast").root, recorded_root(root));
    });
}

TEST_P(between_groups, reduce_goes_from_the_other_side_to_the_root) {
    for_each_root([&](int root, bool party) {
        mpi.reduce(in.data(), out.data(), 3, MPI_INT, MPI_SUM, root, inter);
        expect_last("reduce", party ? 12 : 0, root == MPI_ROOT ? 12 : 0);
        EXPECT_EQ(last("reduce").root, recorded_root(root));
    });
}

TEST_P(between_groups, gather_goes_from_the_other_side_to_the_root) {
    for_each_root([&](int root, bool party) {
        bool const is_root = root == MPI_ROOT;
        mpi.gather(in.data(), party ? 3 : garbage, party ? MPI_INT : MPI_DATATYPE_NULL, out.data(),
                   is_root ? 3 : garbage, is_root ? MPI_INT : MPI_DATATYPE_NULL, root, inter);
        expect_last("gather", party ? 12 : 0, is_root ? 12 * remote_size : 0);
        EXPECT_EQ(last("gather").root, recorded_root(root));
    });
}

TEST_P(between_groups, scatter_goes_from_the_root_to_the_other_side) {
    for_each_root([&](int root, bool party) {
        bool const is_root = root == MPI_ROOT;
        mpi.scatter(in.data(), is_root ? 3 : garbage, is_root ? MPI_INT : MPI_DATATYPE_NULL, out.data(),
                    party ? 3 : garbage, party ? MPI_INT : MPI_DATATYPE_NULL, root, inter);
        expect_last("scatter", is_root ? 12 * remote_size : 0, party ? 12 : 0);
        EXPECT_EQ(last("scatter").root, recorded_root(root));
    });
}

TEST_P(between_groups, allreduce_goes_both_ways) {
    mpi.allreduce(in.data(), out.data(), 3, MPI_INT, MPI_SUM, inter);
    expect_last("allreduce", 12, 12);
}

// The two sides send parts of unlike lengths.
TEST_P(between_groups, allgather_receives_the_parts_of_the_other_side) {
    int const mine = is_alone ? 2 : 5;
    int const theirs = is_alone ? 5 : 2;
    mpi.allgather(in.data(), mine, MPI_INT, out.data(), theirs, MPI_INT, inter);
    expect_last("allgather", 4 * mine, 4 * theirs * remote_size);
}

TEST_P(between_groups, allgather_of_one_side_only) {
    mpi.allgather(in.data(), is_alone ? 0 : 5, MPI_INT, out.data(), is_alone ? 5 : 0, MPI_INT, inter);
    expect_last("allgather", is_alone ? 0 : 20, is_alone ? 20 * remote_size : 0);
}

TEST_P(between_groups, alltoall_goes_both_ways) {
    int const mine = is_alone ? 2 : 5;
    int const theirs = is_alone ? 5 : 2;
    mpi.alltoall(in.data(), mine, MPI_INT, out.data(), theirs, MPI_INT, inter);
    expect_last("alltoall", 4 * mine * remote_size, 4 * theirs * remote_size);
}

TEST_P(between_groups, duplicate_of_one_is_one) {
    MPI_Comm copy = MPI_COMM_NULL;
    mpi.comm_dup(inter, &copy);
    mpi.allgather(in.data(), 2, MPI_INT, out.data(), 2, MPI_INT, copy);
    expect_last("allgather", 8, 8 * remote_size);
    mpi.comm_free(&copy);
    EXPECT_EQ(of("comm_dup"), (totals{.calls = 1}));
    EXPECT_EQ(of("comm_free"), (totals{.calls = 1}));
}

}  // namespace
}  // namespace oracle
