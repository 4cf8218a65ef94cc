// ending plain|profiled ROWS: prints how many nanoseconds MPI_Finalize takes on rank 0; profiled, with so
// many kinds of calls to merge over the ranks and to write.
#include <mpiprof/raw.hpp>

#include <chrono>
#include <iostream>
#include <optional>
#include <string>

int main(int argc, char** argv) {
    std::string const mode = argc == 3 ? argv[1] : "";
    if (mode != "plain" && mode != "profiled") {
        std::cerr << "usage: ending plain|profiled ROWS\n";
        return 2;
    }
    auto const rows = static_cast<std::uint32_t>(std::stoul(argv[2]));
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    std::optional<mpiprof::profiler<>> profiler;
    if (mode == "profiled") profiler.emplace();
    for (std::uint32_t row = 1; row <= rows; ++row) {
        if (profiler)
            mpiprof::profile(MPI_COMM_WORLD, *profiler).barrier(mpiprof::call_site{"ending.cpp", row});
        else MPI_Barrier(MPI_COMM_WORLD);
    }

    auto const begin = std::chrono::steady_clock::now();
    MPI_Finalize();
    auto const taken = std::chrono::steady_clock::now() - begin;
    if (rank == 0)
        std::cout << std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count() << std::endl;
}
