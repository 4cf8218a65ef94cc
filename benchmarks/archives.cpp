// archives [FLAGS OF GOOGLE BENCHMARK]: times archives that Boost.MPI makes, and counting them.
#include "archive_cases.hpp"
#include "google_benchmark.hpp"

#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int const status = benchmarks::run_by_google_benchmark(benchmarks::archive_cases(), argc, argv);
    MPI_Finalize();
    return status;
}
