// Communicators made and freed through mpiprof.
#include "tests/oracle/profiled_test.hpp"

namespace oracle {
namespace {

class communicators : public profiled_test {
  protected:
    /// Each rank sends to the next, as many ints as its rank in the world and one.
    void send_around(MPI_Comm comm) {
        int const me = rank_in(comm);
        int const count = size_of(comm);
        mpi.sendrecv(in.data(), rank + 1, MPI_INT, (me + 1) % count, 1, out.data(), 10, MPI_INT,
                     (me + count - 1) % count, 1, comm, MPI_STATUS_IGNORE);
    }
};
ORACLE_ALL_FORMS(communicators);

TEST_P(communicators, duplicate_is_a_call_and_has_the_same_ranks) {
    MPI_Comm copy = MPI_COMM_NULL;
    mpi.comm_dup(world, &copy);
    know(copy);
    send_around(copy);
    EXPECT_EQ(last("sendrecv").peer, next());
    mpi.comm_free(&copy);
    EXPECT_EQ(copy, MPI_COMM_NULL);
    EXPECT_EQ(of("comm_dup"), (totals{.calls = 1}));
    EXPECT_EQ(of("comm_free"), (totals{.calls = 1}));
}

TEST_P(communicators, split_has_ranks_of_its_own) {
    MPI_Comm part = MPI_COMM_NULL;
    mpi.comm_split(world, rank % 2, -rank, &part);
    know(part);
    send_around(part);
    mpi.allgather(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, part);
    EXPECT_EQ(of("allgather").received, 4 * size_of(part));
    mpi.comm_free(&part);
    EXPECT_EQ(of("comm_split"), (totals{.calls = 1}));
}

TEST_P(communicators, split_that_leaves_a_rank_out_is_a_call_there_too) {
    MPI_Comm part = MPI_COMM_NULL;
    mpi.comm_split(world, rank == 0 ? MPI_UNDEFINED : 1, rank, &part);
    EXPECT_EQ(of("comm_split"), (totals{.calls = 1}));
    EXPECT_EQ(part == MPI_COMM_NULL, rank == 0);
    if (part == MPI_COMM_NULL) return;
    know(part);
    send_around(part);
    mpi.bcast(in.data(), 3, MPI_INT, 0, part);
    EXPECT_EQ(of("bcast").sent, rank == 1 ? 12 : 0);
    EXPECT_EQ(of("bcast").received, rank == 1 ? 0 : 12);
    mpi.comm_free(&part);
    EXPECT_EQ(of("comm_free"), (totals{.calls = 1}));
}

TEST_P(communicators, handle_that_comes_back_stands_for_the_new_communicator) {
    for (int key : {1, -1, 1}) {
        MPI_Comm part = MPI_COMM_NULL;
        mpi.comm_split(world, 0, key * rank, &part);
        know(part);
        send_around(part);
        mpi.comm_free(&part);
    }
    EXPECT_EQ(of("comm_free"), (totals{.calls = 3}));
}

}  // namespace
}  // namespace oracle
