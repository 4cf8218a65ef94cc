// main of the tests that start processes of this program.
#include "tests/oracle/communicators/child.hpp"
#include "tests/support/run_mpi_tests.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int const failed = oracle::was_child() ? 0 : run_mpi_tests(argc, argv);
    MPI_Finalize();
    return failed;
}
