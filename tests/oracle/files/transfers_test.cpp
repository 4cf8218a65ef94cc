// Reads and writes that are over when they return.
#include "tests/oracle/files/file_test.hpp"
#include "tests/oracle/layouts.hpp"

namespace oracle {
namespace {

class transfers : public file_test {
  protected:
    MPI_Status* const ignore = MPI_STATUS_IGNORE;
};
ORACLE_HANDLE_FORMS(transfers);

TEST_P(transfers, at_a_place) {
    layouts const all;
    for (auto const& [type, count, nbytes] : all.all()) {
        mpi.file_write_at(file, place(), in.data(), count, type, ignore);
        expect_last("file_write_at", nbytes, 0);
        mpi.file_read_at(file, place(), out.data(), count, type, ignore);
        expect_last("file_read_at", 0, nbytes);
    }
}

TEST_P(transfers, at_a_place_all_together) {
    layouts const all;
    for (auto const& [type, count, nbytes] : all.all()) {
        mpi.file_write_at_all(file, place(), in.data(), count, type, ignore);
        expect_last("file_write_at_all", nbytes, 0);
        mpi.file_read_at_all(file, place(), out.data(), count, type, ignore);
        expect_last("file_read_at_all", 0, nbytes);
    }
}

TEST_P(transfers, at_the_pointer) {
    layouts const all;
    for (auto const& [type, count, nbytes] : all.all()) {
        mpi.file_seek(file, place(), MPI_SEEK_SET);
        mpi.file_write(file, in.data(), count, type, ignore);
        expect_last("file_write", nbytes, 0);
        mpi.file_seek(file, place(), MPI_SEEK_SET);
        mpi.file_read(file, out.data(), count, type, ignore);
        expect_last("file_read", 0, nbytes);
    }
    EXPECT_EQ(of("file_seek").calls, of("file_write").calls + of("file_read").calls);
}

TEST_P(transfers, at_the_pointer_all_together) {
    mpi.file_seek(file, place(), MPI_SEEK_SET);
    mpi.file_write_all(file, in.data(), 5 + rank, MPI_INT, ignore);
    expect_last("file_write_all", 4 * (5 + rank), 0);
    mpi.file_seek(file, place(), MPI_SEEK_SET);
    mpi.file_read_all(file, out.data(), 5 + rank, MPI_INT, ignore);
    expect_last("file_read_all", 0, 4 * (5 + rank));
}

// Each rank's part is somewhere, and all of them are in a row.
TEST_P(transfers, at_the_shared_pointer) {
    mpi.file_seek_shared(file, 0, MPI_SEEK_SET);
    mpi.file_write_shared(file, in.data(), 3, MPI_INT, ignore);
    expect_last("file_write_shared", 12, 0);
    meet(world);
    mpi.file_seek_shared(file, 0, MPI_SEEK_SET);
    mpi.file_read_shared(file, out.data(), 3, MPI_INT, ignore);
    expect_last("file_read_shared", 0, 12);
    meet(world);
}

TEST_P(transfers, in_the_order_of_ranks) {
    mpi.file_seek_shared(file, 0, MPI_SEEK_SET);
    mpi.file_write_ordered(file, in.data(), 1 + rank, MPI_INT, ignore);
    expect_last("file_write_ordered", 4 * (1 + rank), 0);
    mpi.file_seek_shared(file, 0, MPI_SEEK_SET);
    mpi.file_read_ordered(file, out.data(), 1 + rank, MPI_INT, ignore);
    expect_last("file_read_ordered", 0, 4 * (1 + rank));
}

// The last ints of the file are fewer than were asked for. (Of collective ones the libraries say that all was
// there.)
TEST_P(transfers, a_read_counts_what_was_there) {
    fill(10);
    mpi.file_read_at(file, 0, out.data(), 100, MPI_INT, ignore);
    expect_last("file_read_at", 0, 40);
    MPI_Status status;
    mpi.file_read_at(file, 24, out.data(), 100, MPI_INT, &status);
    expect_last("file_read_at", 0, 16);
    mpi.file_read_at(file, 40, out.data(), 100, MPI_INT, &status);
    expect_last("file_read_at", 0, 0);
    mpi.file_seek(file, -8, MPI_SEEK_END);
    mpi.file_read(file, out.data(), 100, MPI_INT, ignore);
    expect_last("file_read", 0, 8);
}

// Of each six ints of the file, the view shows the first three.
TEST_P(transfers, through_a_view_count_what_is_shown) {
    datatype const shown{ints(3)};
    MPI_Datatype every_other = MPI_DATATYPE_NULL;
    PMPI_Type_create_resized(shown, 0, 24, &every_other);
    datatype const view{every_other};
    mpi.file_set_view(file, place(), MPI_INT, view, "native", MPI_INFO_NULL);
    mpi.file_write(file, in.data(), 9, MPI_INT, ignore);
    expect_last("file_write", 36, 0);
    mpi.file_read_at(file, 0, out.data(), 6, MPI_INT, ignore);
    expect_last("file_read_at", 0, 24);
    EXPECT_EQ(of("file_set_view"), (totals{.calls = 1}));
}

TEST_P(transfers, a_failed_one_moves_nothing) {
    MPI_File closed = file;
    PMPI_File_close(&closed);
    PMPI_File_open(world, path.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                   MPI_INFO_NULL, &file);
    EXPECT_NE(mpi.file_read_at(file, 0, out.data(), 3, MPI_INT, ignore), MPI_SUCCESS);
    EXPECT_TRUE(last("file_read_at").failed);
    expect_last("file_read_at", 0, 0);
    EXPECT_NE(mpi.file_write_at(file, 0, in.data(), -1, MPI_INT, ignore), MPI_SUCCESS);
    EXPECT_TRUE(last("file_write_at").failed);
    expect_last("file_write_at", 0, 0);
}

/// Collectives of two halves: a write counts where it begins, a read where it ends.
class split_transfers : public transfers {};
ORACLE_HANDLE_FORMS(split_transfers);

TEST_P(split_transfers, at_a_place) {
    mpi.file_write_at_all_begin(file, place(), in.data(), 5 + rank, MPI_INT);
    expect_last("file_write_at_all_begin", 4 * (5 + rank), 0);
    mpi.file_write_at_all_end(file, in.data(), ignore);
    expect_last("file_write_at_all_end", 0, 0);
    mpi.file_read_at_all_begin(file, place(), out.data(), 5 + rank, MPI_INT);
    expect_last("file_read_at_all_begin", 0, 0);
    mpi.file_read_at_all_end(file, out.data(), ignore);
    expect_last("file_read_at_all_end", 0, 4 * (5 + rank));
}

TEST_P(split_transfers, at_the_pointer) {
    mpi.file_seek(file, place(), MPI_SEEK_SET);
    mpi.file_write_all_begin(file, in.data(), 5 + rank, MPI_INT);
    expect_last("file_write_all_begin", 4 * (5 + rank), 0);
    mpi.file_write_all_end(file, in.data(), ignore);
    expect_last("file_write_all_end", 0, 0);
    mpi.file_seek(file, place(), MPI_SEEK_SET);
    mpi.file_read_all_begin(file, out.data(), 5 + rank, MPI_INT);
    expect_last("file_read_all_begin", 0, 0);
    mpi.file_read_all_end(file, out.data(), ignore);
    expect_last("file_read_all_end", 0, 4 * (5 + rank));
}

TEST_P(split_transfers, in_the_order_of_ranks) {
    mpi.file_seek_shared(file, 0, MPI_SEEK_SET);
    mpi.file_write_ordered_begin(file, in.data(), 1 + rank, MPI_INT);
    expect_last("file_write_ordered_begin", 4 * (1 + rank), 0);
    mpi.file_write_ordered_end(file, in.data(), ignore);
    expect_last("file_write_ordered_end", 0, 0);
    mpi.file_seek_shared(file, 0, MPI_SEEK_SET);
    mpi.file_read_ordered_begin(file, out.data(), 1 + rank, MPI_INT);
    expect_last("file_read_ordered_begin", 0, 0);
    mpi.file_read_ordered_end(file, out.data(), ignore);
    expect_last("file_read_ordered_end", 0, 4 * (1 + rank));
}

}  // namespace
}  // namespace oracle
