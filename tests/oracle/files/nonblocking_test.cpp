// Reads and writes that go on: a write counts at the call, a read when its request completes.
#include "tests/oracle/files/file_test.hpp"
#include "tests/oracle/layouts.hpp"

#include <array>

namespace oracle {
namespace {

class nonblocking : public file_test {
  protected:
    /// Waits for the request of a write, which has counted.
    void expect_written(char const* operation, long long nbytes) {
        expect_last(operation, nbytes, 0);
        mpi.wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(request, MPI_REQUEST_NULL);
        EXPECT_EQ(last_completion().operation, operation);
        EXPECT_EQ(last_completion().read, 0) << operation;
    }

    /// Waits for the request of a read, which counts then.
    void expect_read(char const* operation, long long nbytes) {
        expect_last(operation, 0, 0);
        mpi.wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(request, MPI_REQUEST_NULL);
        EXPECT_EQ(last_completion().operation, operation);
        EXPECT_EQ(last_completion().read, nbytes) << operation;
        EXPECT_EQ(last_completion().received, 0) << operation;
    }

    MPI_Request request = MPI_REQUEST_NULL;
};
ORACLE_HANDLE_FORMS(nonblocking);

TEST_P(nonblocking, at_a_place) {
    layouts const all;
    for (auto const& [type, count, nbytes] : all.all()) {
        mpi.file_iwrite_at(file, place(), in.data(), count, type, &request);
        expect_written("file_iwrite_at", nbytes);
        mpi.file_iread_at(file, place(), out.data(), count, type, &request);
        expect_read("file_iread_at", nbytes);
    }
}

TEST_P(nonblocking, at_a_place_all_together) {
    mpi.file_iwrite_at_all(file, place(), in.data(), 5 + rank, MPI_INT, &request);
    expect_written("file_iwrite_at_all", 4 * (5 + rank));
    mpi.file_iread_at_all(file, place(), out.data(), 5 + rank, MPI_INT, &request);
    expect_read("file_iread_at_all", 4 * (5 + rank));
}

TEST_P(nonblocking, at_the_pointer) {
    mpi.file_seek(file, place(), MPI_SEEK_SET);
    mpi.file_iwrite(file, in.data(), 5 + rank, MPI_INT, &request);
    expect_written("file_iwrite", 4 * (5 + rank));
    mpi.file_seek(file, place(), MPI_SEEK_SET);
    mpi.file_iread(file, out.data(), 5 + rank, MPI_INT, &request);
    expect_read("file_iread", 4 * (5 + rank));
}

TEST_P(nonblocking, at_the_pointer_all_together) {
    mpi.file_seek(file, place(), MPI_SEEK_SET);
    mpi.file_iwrite_all(file, in.data(), 5 + rank, MPI_INT, &request);
    expect_written("file_iwrite_all", 4 * (5 + rank));
    mpi.file_seek(file, place(), MPI_SEEK_SET);
    mpi.file_iread_all(file, out.data(), 5 + rank, MPI_INT, &request);
    expect_read("file_iread_all", 4 * (5 + rank));
}

TEST_P(nonblocking, at_the_shared_pointer) {
    mpi.file_seek_shared(file, 0, MPI_SEEK_SET);
    mpi.file_iwrite_shared(file, in.data(), 3, MPI_INT, &request);
    expect_written("file_iwrite_shared", 12);
    meet(world);
    mpi.file_seek_shared(file, 0, MPI_SEEK_SET);
    mpi.file_iread_shared(file, out.data(), 3, MPI_INT, &request);
    expect_read("file_iread_shared", 12);
    meet(world);
}

TEST_P(nonblocking, a_read_counts_what_was_there) {
    if (!ends_short_reads) GTEST_SKIP() << "the library does not end such reads";
    fill(10);
    mpi.file_iread_at(file, 24, out.data(), 100, MPI_INT, &request);
    expect_read("file_iread_at", 16);
    mpi.file_iread_at(file, 40, out.data(), 100, MPI_INT, &request);
    expect_read("file_iread_at", 0);
}

TEST_P(nonblocking, they_complete_in_lists_and_tests_too) {
    fill(16);
    std::array<MPI_Request, 3> requests{};
    for (int i = 0; i < 3; ++i) {
        auto const each = static_cast<std::size_t>(i);
        mpi.file_iread_at(file, 0, out.data() + 64 * i, i + 1, MPI_INT, &requests[each]);
    }
    mpi.waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("file_iread_at").completions, 3);
    EXPECT_EQ(of("file_iread_at").read, 24);
    mpi.file_iread_at(file, 0, out.data(), 5, MPI_INT, &request);
    until([&] {
        int done = 0;
        mpi.test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    EXPECT_EQ(of("file_iread_at").read, 44);
}

}  // namespace
}  // namespace oracle
