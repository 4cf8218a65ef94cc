// ping_pong [FLAGS OF GOOGLE BENCHMARK]: times messages between 2 ranks, of which rank 0 measures.
#include "google_benchmark.hpp"
#include "ping_pong_cases.hpp"

#include <iostream>
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = 0;
    if (size != 2) {
        if (rank == 0) std::cerr << "ping_pong: run it on 2 ranks\n";
        status = 2;
    } else if (rank == 0) {
        status = benchmarks::run_by_google_benchmark(benchmarks::ping_pong_cases(), argc, argv);
        benchmarks::stop_serving();
    } else {
        benchmarks::serve();
    }
    MPI_Finalize();
    return status;
}
