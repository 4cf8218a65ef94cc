// calls [FLAGS OF GOOGLE BENCHMARK]: times calls on MPI_COMM_SELF.
#include "boost_mpi_cases.hpp"
#include "c_api_cases.hpp"
#include "google_benchmark.hpp"

#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto cases = benchmarks::c_api_cases();
    for (auto& one : benchmarks::boost_mpi_cases()) cases.push_back(std::move(one));
    int const status = benchmarks::run_by_google_benchmark(cases, argc, argv);
    MPI_Finalize();
    return status;
}
