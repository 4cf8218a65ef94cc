// main of the GoogleTest programs that run under MPI.
#include "tests/support/run_mpi_tests.hpp"

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int const failed = run_mpi_tests(argc, argv);
    MPI_Finalize();
    return failed;
}
