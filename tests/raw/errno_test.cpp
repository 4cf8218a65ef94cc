// The first call that is recorded leaves errno as MPI left it.
#include <mpiprof/raw.hpp>

#include <gtest/gtest.h>

#include <cerrno>

namespace {

TEST(errno_of_the_program, is_kept_by_the_first_wrapped_calls) {
    errno = 0;
    PMPI_Barrier(MPI_COMM_SELF);
    ASSERT_EQ(errno, 0) << "MPI alone changes it";

    auto const& recording = mpiprof::recording_of<mpiprof::default_instrumentation>;
    ASSERT_TRUE(recording.shards_path().empty());
    EXPECT_EQ(mpiprof::raw::barrier(MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(errno, 0);
    EXPECT_FALSE(recording.shards_path().empty()) << "it was not the first call";

    errno = ENOTTY;
    EXPECT_EQ(mpiprof::raw::barrier(MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(errno, ENOTTY);
}

}  // namespace
