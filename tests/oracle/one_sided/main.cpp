// main of the tests of one-sided communication: with several threads, Open MPI 4 has no windows of the user's
// memory.
#include "tests/support/run_mpi_tests.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int const failed = run_mpi_tests(argc, argv);
    MPI_Finalize();
    return failed;
}
