// What the tests of MPI-IO have in common: one file of all ranks, empty at first.
#pragma once

#include "tests/oracle/profiled_test.hpp"

#include <cstdlib>
#include <string>

namespace oracle {

/// Can the library read past the end of a file where that is not over at once? With Open MPI 4.1 it never
/// ends.
#ifdef OMPI_MAJOR_VERSION
inline constexpr bool ends_short_reads = false;
#else
inline constexpr bool ends_short_reads = true;
#endif

/// A file in the test's own directory, which mpi_test removes.
inline std::string in_test_directory(std::string const& name) {
    char const* const directory = std::getenv("MPI_TEST_DIR");
    return (directory == nullptr ? "." : directory) + ('/' + name);
}

class file_test : public profiled_test {
  protected:
    void SetUp() override {
        profiled_test::SetUp();
        PMPI_File_open(world, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                       MPI_INFO_NULL, &file);
    }

    void TearDown() override {
        PMPI_File_close(&file);
        profiled_test::TearDown();
    }

    /// Fills the file: `count` ints.
    void fill(int count) {
        if (rank == 0) PMPI_File_write_at(file, 0, in.data(), count, MPI_INT, MPI_STATUS_IGNORE);
        PMPI_File_sync(file);
        meet(world);
        PMPI_File_sync(file);
    }

    /// This rank's place in a file of which each has as much.
    MPI_Offset place() const { return MPI_Offset{rank} * 4096; }

    void expect_last(char const* operation, long long written, long long read) {
        auto const made = last(operation);
        EXPECT_EQ(made.written, written) << operation;
        EXPECT_EQ(made.read, read) << operation;
        EXPECT_EQ(made.sent, 0) << operation;
        EXPECT_EQ(made.received, 0) << operation;
    }

    std::string const path = in_test_directory("file");
    MPI_File file = MPI_FILE_NULL;
};

}  // namespace oracle
