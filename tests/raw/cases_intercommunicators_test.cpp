// Intercommunicators: peers are of the remote group, and only the root moves data in the group of the root.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

/// The world's ranks below `first_right` on the left, the others on the right.
class two_sides {
  public:
    explicit two_sides(int first_right) {
        bool const left = cases::world_rank() < first_right;
        PMPI_Comm_split(MPI_COMM_WORLD, left ? 0 : 1, 0, &local_);
        PMPI_Intercomm_create(local_, 0, MPI_COMM_WORLD, left ? first_right : 0, 12, &between_);
    }

    two_sides(two_sides const&) = delete;
    two_sides& operator=(two_sides const&) = delete;

    ~two_sides() {
        PMPI_Comm_free(&between_);
        PMPI_Comm_free(&local_);
    }

    MPI_Comm between() const { return between_; }

  private:
    MPI_Comm local_ = MPI_COMM_NULL;
    MPI_Comm between_ = MPI_COMM_NULL;
};

TEST(intercommunicators, IC1_peers_are_of_the_remote_group) {
    CASES_NEED_RANKS(4);
    recorder const records;
    two_sides const sides{1};
    auto const between = recorded(sides.between());
    int value = 7;
    if (cases::world_rank() == 0) {
        between.send(&value, 1, MPI_INT, 2, 0);
        auto const send = records.call(operation::send);
        EXPECT_EQ(send.peer, 2);
        EXPECT_EQ(send.sent, 4);
    } else if (cases::world_rank() == 3) {
        between.recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_STATUS_IGNORE);
        auto const recv = records.call(operation::recv);
        EXPECT_EQ(recv.peer, 0);
        EXPECT_EQ(recv.received, 4);
    }
}

TEST(intercommunicators, IC1_both_sides_have_one_identity) {
    CASES_NEED_RANKS(4);
    two_sides const sides{1};
    auto const between = recorded(sides.between());
    auto duplicate = between.dup();
    std::array<std::int64_t, 2> const mine{between.identity(), duplicate.identity()};
    std::array<std::array<std::int64_t, 2>, 4> all{};
    PMPI_Allgather(mine.data(), 2, MPI_INT64_T, all.data(), 2, MPI_INT64_T, MPI_COMM_WORLD);
    for (auto const& each : all) EXPECT_EQ(each, mine);
    EXPECT_NE(mine[0], mine[1]);
    duplicate.free();
}

TEST(intercommunicators, IC3_bcast_from_one_group_to_the_other) {
    CASES_NEED_RANKS(4);
    recorder const records;
    two_sides const sides{2};
    auto const between = recorded(sides.between());
    std::array<int, 5> buffer{};
    int const rank = cases::world_rank();
    bool const right = rank >= 2;
    if (rank == 0) buffer.fill(3);
    between.bcast(buffer.data(), 5, MPI_INT, right ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL);
    auto const bcast = records.call(operation::bcast);
    EXPECT_EQ(bcast.sent, rank == 0 ? 20 : 0);
    EXPECT_EQ(bcast.received, right ? 20 : 0);
    EXPECT_EQ(bcast.root, right ? 0 : rank == 0 ? mpiprof::intercommunicator_root : mpiprof::null_process);
    EXPECT_EQ(buffer.back(), right || rank == 0 ? 3 : 0);
}

TEST(intercommunicators, IC3_sums_are_over_the_remote_group) {
    CASES_NEED_RANKS(4);
    recorder const records;
    two_sides const sides{1};
    auto const between = recorded(sides.between());
    bool const left = cases::world_rank() == 0;
    std::array<int, 6> out{};
    std::array<int, 6> in{};
    between.allgather(out.data(), left ? 1 : 2, MPI_INT, in.data(), left ? 2 : 1, MPI_INT);
    auto const allgather = records.call(operation::allgather);
    EXPECT_EQ(allgather.sent, left ? 4 : 8);
    EXPECT_EQ(allgather.received, left ? 24 : 4);
    between.gather(out.data(), 2, MPI_INT, in.data(), 2, MPI_INT, left ? MPI_ROOT : 0);
    auto const gather = records.call(operation::gather);
    EXPECT_EQ(gather.sent, left ? 0 : 8);
    EXPECT_EQ(gather.received, left ? 24 : 0);
}

}  // namespace
