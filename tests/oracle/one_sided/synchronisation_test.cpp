// What synchronises accesses to windows moves nothing; what names a rank has it as peer.
#include "tests/oracle/one_sided/window_test.hpp"

namespace oracle {
namespace {

class synchronisation : public window_test {
  protected:
    /// A group of one rank of the world.
    MPI_Group only(int which) {
        MPI_Group all = MPI_GROUP_NULL;
        MPI_Group one = MPI_GROUP_NULL;
        PMPI_Comm_group(world, &all);
        PMPI_Group_incl(all, 1, &which, &one);
        PMPI_Group_free(&all);
        return one;
    }

    void put(int target) { mpi.put(in.data(), 2, MPI_INT, target, 0, 2, MPI_INT, window); }

    /// So many calls of an operation, which moved nothing.
    void expect_calls(char const* operation, long long calls) {
        EXPECT_EQ(of(operation), (totals{.calls = calls})) << operation;
    }

    void expect_peer(char const* operation, int peer) { EXPECT_EQ(last(operation).peer, peer) << operation; }
};
ORACLE_HANDLE_FORMS(synchronisation);

TEST_P(synchronisation, fence) {
    mpi.win_fence(MPI_MODE_NOPRECEDE, window);
    put(next());
    mpi.win_fence(MPI_MODE_NOSUCCEED, window);
    expect_calls("win_fence", 2);
    expect_peer("win_fence", not_applicable);
    EXPECT_EQ(memory[0], previous());
    EXPECT_EQ(of("put").sent, 8);
}

// Each rank puts to the next.
TEST_P(synchronisation, post_start_complete_wait) {
    auto origin = only(previous());
    auto target = only(next());
    mpi.win_post(origin, 0, window);
    mpi.win_start(target, 0, window);
    put(next());
    mpi.win_complete(window);
    mpi.win_wait(window);
    for (char const* operation : {"win_post", "win_start", "win_complete", "win_wait"})
        expect_calls(operation, 1);
    EXPECT_EQ(memory[0], previous());
    PMPI_Group_free(&origin);
    PMPI_Group_free(&target);
}

// A test that finds the epoch open is a call that was not done.
TEST_P(synchronisation, test_until_the_epoch_is_over) {
    auto origin = only(previous());
    auto target = only(next());
    mpi.win_post(origin, 0, window);
    int done = 1;
    mpi.win_test(window, &done);
    EXPECT_EQ(done, 0);
    EXPECT_TRUE(last("win_test").incomplete);
    meet(world);
    mpi.win_start(target, 0, window);
    put(next());
    mpi.win_complete(window);
    until([&] {
        mpi.win_test(window, &done);
        return done != 0;
    });
    EXPECT_FALSE(last("win_test").incomplete);
    EXPECT_EQ(of("win_test").sent, 0);
    PMPI_Group_free(&origin);
    PMPI_Group_free(&target);
}

TEST_P(synchronisation, lock_and_unlock_of_one_rank) {
    mpi.win_lock(MPI_LOCK_EXCLUSIVE, next(), 0, window);
    put(next());
    mpi.win_unlock(next(), window);
    expect_calls("win_lock", 1);
    expect_calls("win_unlock", 1);
    expect_peer("win_lock", next());
    expect_peer("win_unlock", next());
}

TEST_P(synchronisation, lock_of_all_ranks_and_flushes) {
    mpi.win_lock_all(0, window);
    put(next());
    mpi.win_flush(next(), window);
    mpi.win_flush_local(previous(), window);
    mpi.win_flush_all(window);
    mpi.win_flush_local_all(window);
    mpi.win_sync(window);
    mpi.win_unlock_all(window);
    for (char const* operation : {"win_lock_all", "win_flush", "win_flush_local", "win_flush_all",
                                  "win_flush_local_all", "win_sync", "win_unlock_all"}) {
        expect_calls(operation, 1);
    }
    expect_peer("win_flush", next());
    expect_peer("win_flush_local", previous());
    expect_peer("win_flush_all", not_applicable);
}

}  // namespace
}  // namespace oracle
