// Windows: how they are made, and over which communicator.
#include "tests/oracle/one_sided/window_test.hpp"
#include "tests/oracle/records.hpp"

#include <mpiprof/raw.hpp>

namespace oracle {
namespace {

class windows : public profiled_test {
  protected:
    void SetUp() override {
        profiled_test::SetUp();
        messages_get_lost();
    }

    /// The communicator of the latest record.
    static mpiprof::communicator_id latest_communicator() { return recorded().calls.back().communicator; }

    static mpiprof::communicator_id identity_of(MPI_Comm comm) {
        return mpiprof::profile<instrumentation>(comm).identity();
    }

    /// Uses the window, frees it, and expects all to be recorded on `comm`.
    void use(MPI_Comm comm) {
        auto const id = identity_of(comm);
        EXPECT_EQ(latest_communicator(), id);
        mpi.win_fence(0, window);
        EXPECT_EQ(latest_communicator(), id);
        mpi.put(in.data(), 1, MPI_INT, rank_in(comm), 0, 1, MPI_INT, window);
        EXPECT_EQ(latest_communicator(), id);
        mpi.win_fence(0, window);
        mpi.win_free(&window);
        EXPECT_EQ(window, MPI_WIN_NULL);
        EXPECT_EQ(latest_communicator(), id);
    }

    static constexpr MPI_Aint nbytes = 4096;
    std::vector<char> memory = std::vector<char>(nbytes);
    MPI_Win window = MPI_WIN_NULL;
};
ORACLE_HANDLE_FORMS(windows);

TEST_P(windows, create) {
    mpi.win_create(memory.data(), nbytes, 4, MPI_INFO_NULL, world, &window);
    use(world);
    EXPECT_EQ(of("win_create"), (totals{.calls = of("win_free").calls}));
}

TEST_P(windows, allocate) {
    void* place = nullptr;
    mpi.win_allocate(nbytes, 4, MPI_INFO_NULL, world, &place, &window);
    use(world);
}

TEST_P(windows, allocate_shared) {
    void* place = nullptr;
    mpi.win_allocate_shared(nbytes, 4, MPI_INFO_NULL, world, &place, &window);
    use(world);
}

TEST_P(windows, dynamic) {
    mpi.win_create_dynamic(MPI_INFO_NULL, world, &window);
    mpi.win_attach(window, memory.data(), nbytes);
    EXPECT_EQ(latest_communicator(), mpiprof::world_communicator);
    MPI_Aint place = 0;
    PMPI_Get_address(memory.data(), &place);
    mpi.win_lock(MPI_LOCK_SHARED, rank, 0, window);
    mpi.put(in.data(), 3, MPI_INT, rank, place, 3, MPI_INT, window);
    EXPECT_EQ(last("put").sent, 12);
    mpi.win_unlock(rank, window);
    mpi.win_detach(window, memory.data());
    EXPECT_EQ(latest_communicator(), mpiprof::world_communicator);
    mpi.win_free(&window);
    for (char const* operation : {"win_create_dynamic", "win_attach", "win_detach", "win_free"}) {
        EXPECT_EQ(of(operation), (totals{.calls = 1})) << operation;
    }
}

TEST_P(windows, named) {
    mpi.win_create_dynamic(MPI_INFO_NULL, world, &window);
    mpi.win_set_name(window, "halo");
    char name[MPI_MAX_OBJECT_NAME] = {};
    int length = 0;
    PMPI_Win_get_name(window, name, &length);
    EXPECT_STREQ(name, "halo");
    EXPECT_EQ(of("win_set_name"), (totals{.calls = 1}));
    mpi.win_free(&window);
}

// Handles come back, too.
TEST_P(windows, belong_to_the_communicator_that_they_were_made_over) {
    MPI_Comm copy = MPI_COMM_NULL;
    mpi.comm_dup(world, &copy);
    for (int i = 0; i < 3; ++i) {
        for (MPI_Comm const comm : {world, copy, MPI_COMM_SELF}) {
            mpi.win_create(memory.data(), nbytes, 4, MPI_INFO_NULL, comm, &window);
            use(comm);
        }
    }
    mpi.comm_free(&copy);
}

TEST_P(windows, outlive_their_communicators) {
    MPI_Comm copy = MPI_COMM_NULL;
    mpi.comm_dup(world, &copy);
    auto const id = identity_of(copy);
    mpi.win_create(memory.data(), nbytes, 4, MPI_INFO_NULL, copy, &window);
    mpi.comm_free(&copy);
    mpi.win_fence(0, window);
    EXPECT_EQ(latest_communicator(), id);
    mpi.win_free(&window);
    EXPECT_EQ(latest_communicator(), id);
}

TEST_P(windows, that_mpiprof_did_not_see_made_have_no_communicator) {
    PMPI_Win_create(memory.data(), nbytes, 4, MPI_INFO_NULL, world, &window);
    mpi.win_fence(0, window);
    EXPECT_EQ(latest_communicator(), mpiprof::unknown_communicator);
    mpi.put(in.data(), 1, MPI_INT, rank, 0, 1, MPI_INT, window);
    EXPECT_EQ(latest_communicator(), mpiprof::unknown_communicator);
    mpi.win_fence(0, window);
    mpi.win_free(&window);
}

TEST_P(windows, a_failed_call_is_flagged) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(world, &handler);
    PMPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    EXPECT_NE(mpi.win_free(&window), MPI_SUCCESS);
    EXPECT_TRUE(last("win_free").failed);
    PMPI_Comm_set_errhandler(world, handler);
    PMPI_Errhandler_free(&handler);
}

}  // namespace
}  // namespace oracle
