// A program of sessions alone, without MPI_Init and without MPI_COMM_WORLD.
#include "tests/raw/recorder.hpp"

namespace {

#if MPIPROF_INTERNAL_SESSIONS

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

TEST(sessions, T6_calls_on_a_communicator_of_a_process_set) {
    recorder const records;
    MPI_Session session = MPI_SESSION_NULL;
    ASSERT_EQ(cases::calls::session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session), MPI_SUCCESS);
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm made = MPI_COMM_NULL;
    ASSERT_EQ(cases::calls::comm_create_from_group(group, "cases", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made),
              MPI_SUCCESS);
    PMPI_Group_free(&group);
    auto comm = recorded(made);
    ASSERT_EQ(comm.size(), 2);
    int value = comm.rank();
    if (comm.rank() == 0) EXPECT_EQ(comm.send(&value, 1, MPI_INT, 1, 3), MPI_SUCCESS);
    else EXPECT_EQ(comm.recv(&value, 1, MPI_INT, 0, 3, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(value, 0);
    auto const call = records.call(comm.rank() == 0 ? operation::send : operation::recv);
    EXPECT_EQ(call.sent + call.received, 4);
    EXPECT_EQ(call.peer, 1 - comm.rank());
    EXPECT_EQ(call.communicator, comm.identity());
    EXPECT_NE(call.communicator, mpiprof::unknown_communicator);
    EXPECT_NE(call.communicator, mpiprof::world_communicator);
    EXPECT_EQ(comm.free(), MPI_SUCCESS);
    EXPECT_EQ(cases::calls::session_finalize(&session), MPI_SUCCESS);
}

#else

TEST(sessions, T6_calls_on_a_communicator_of_a_process_set) { GTEST_SKIP() << "the library has no sessions"; }

#endif

}  // namespace
