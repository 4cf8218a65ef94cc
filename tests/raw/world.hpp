// What many cases need of MPI itself; it is asked through PMPI, and so in no record.
#pragma once

#include <cstdlib>
#include <gtest/gtest.h>
#include <mpi.h>
#include <string>

namespace cases {

inline int world_rank() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

inline int world_size() {
    int size = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// MPICH makes a new code for each error; the class is what is the same for the same error.
inline int error_class(int code) {
    int result = MPI_SUCCESS;
    PMPI_Error_class(code, &result);
    return result;
}

/// While it lives, errors are returned. MPI raises those without a communicator on one of these two.
class errors_return {
  public:
    errors_return() {
        PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &world_);
        PMPI_Comm_get_errhandler(MPI_COMM_SELF, &self_);
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    }

    errors_return(errors_return const&) = delete;
    errors_return& operator=(errors_return const&) = delete;

    ~errors_return() {
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, world_);
        PMPI_Comm_set_errhandler(MPI_COMM_SELF, self_);
        PMPI_Errhandler_free(&world_);
        PMPI_Errhandler_free(&self_);
    }

  private:
    MPI_Errhandler world_ = MPI_ERRHANDLER_NULL;
    MPI_Errhandler self_ = MPI_ERRHANDLER_NULL;
};

/// A committed datatype, freed at the end.
class committed {
  public:
    explicit committed(MPI_Datatype made) : type_{made} { PMPI_Type_commit(&type_); }

    committed(committed const&) = delete;
    committed& operator=(committed const&) = delete;

    ~committed() { PMPI_Type_free(&type_); }

    operator MPI_Datatype() const { return type_; }

  private:
    MPI_Datatype type_;
};

/// `count` elements of `type` in a row, to be committed.
inline MPI_Datatype contiguous(int count, MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_contiguous(count, type, &made);
    return made;
}

/// A file in the test's own directory, which mpi_test removes.
inline std::string in_test_directory(std::string const& name) {
    char const* const directory = std::getenv("MPI_TEST_DIR");
    return (directory == nullptr ? "." : directory) + ('/' + name);
}

}  // namespace cases

/// Skips the test in a world of another size.
#define CASES_NEED_RANKS(COUNT)                                                                              \
    if (cases::world_size() != COUNT) GTEST_SKIP() << "for " #COUNT " ranks"
