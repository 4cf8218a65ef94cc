// Files: how they are opened and closed, and over which communicator.
#include "tests/oracle/files/file_test.hpp"
#include "tests/oracle/records.hpp"

#include <mpiprof/raw.hpp>

namespace oracle {
namespace {

class files : public profiled_test {
  protected:
    /// The communicator of the latest record.
    static mpiprof::communicator_id latest_communicator() { return recorded().calls.back().communicator; }

    static mpiprof::communicator_id identity_of(MPI_Comm comm) {
        return mpiprof::profile<instrumentation>(comm).identity();
    }
    static constexpr int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;

    void expect_calls(char const* operation, long long calls) {
        EXPECT_EQ(of(operation), (totals{.calls = calls})) << operation;
    }

    std::string const path = in_test_directory("files");
    MPI_File file = MPI_FILE_NULL;
};
ORACLE_HANDLE_FORMS(files);

TEST_P(files, from_open_to_delete) {
    mpi.file_open(world, path.c_str(), mode, MPI_INFO_NULL, &file);
    mpi.file_preallocate(file, 4096);
    mpi.file_set_size(file, 1024);
    mpi.file_set_atomicity(file, 1);
    mpi.file_sync(file);
    mpi.file_close(&file);
    EXPECT_EQ(file, MPI_FILE_NULL);
    meet(world);
    if (rank == 0) mpi.file_delete(path.c_str(), MPI_INFO_NULL);
    for (char const* operation : {"file_open", "file_preallocate", "file_set_size", "file_set_atomicity",
                                  "file_sync", "file_close"}) {
        expect_calls(operation, 1);
    }
    expect_calls("file_delete", rank == 0 ? 1 : 0);
}

// Handles come back, too.
TEST_P(files, belong_to_the_communicator_that_they_were_opened_over) {
    MPI_Comm copy = MPI_COMM_NULL;
    mpi.comm_dup(world, &copy);
    for (int i = 0; i < 2; ++i) {
        for (MPI_Comm const comm : {world, copy, MPI_COMM_SELF}) {
            auto const id = identity_of(comm);
            auto const own = path + (comm == MPI_COMM_SELF ? std::to_string(rank) : "");
            mpi.file_open(comm, own.c_str(), mode | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
            EXPECT_EQ(latest_communicator(), id);
            mpi.file_write_at(file, 64 * rank, in.data(), 1, MPI_INT, MPI_STATUS_IGNORE);
            EXPECT_EQ(latest_communicator(), id);
            mpi.file_sync(file);
            EXPECT_EQ(latest_communicator(), id);
            mpi.file_close(&file);
            EXPECT_EQ(latest_communicator(), id);
        }
    }
    mpi.comm_free(&copy);
}

TEST_P(files, that_mpiprof_did_not_see_opened_have_no_communicator) {
    PMPI_File_open(world, path.c_str(), mode | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    mpi.file_write_at(file, 64 * rank, in.data(), 1, MPI_INT, MPI_STATUS_IGNORE);
    EXPECT_EQ(latest_communicator(), mpiprof::unknown_communicator);
    EXPECT_EQ(last("file_write_at").written, 4);
    mpi.file_close(&file);
}

TEST_P(files, a_failed_open_is_flagged) {
    auto const nowhere = path + ".missing";
    EXPECT_NE(mpi.file_open(world, nowhere.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_SUCCESS);
    EXPECT_TRUE(last("file_open").failed);
    EXPECT_EQ(latest_communicator(), mpiprof::world_communicator);
    EXPECT_NE(mpi.file_delete(nowhere.c_str(), MPI_INFO_NULL), MPI_SUCCESS);
    EXPECT_TRUE(last("file_delete").failed);
}

}  // namespace
}  // namespace oracle
