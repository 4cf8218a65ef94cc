// instructions CALLS: under callgrind, one dump of counts for each case after CALLS and one after twice as
// many, named "<case>#1" and "<case>#2": their difference is free of what comes once a loop or a dump.
// Without valgrind it just makes the calls.
#include "boost_mpi_cases.hpp"
#include "c_api_cases.hpp"

#include <iostream>
#include <mpi.h>
#include <valgrind/callgrind.h>

namespace {

void count(benchmarks::benchmark_case const& one, std::int64_t calls) {
    // Whatever happens once happens here, also once a pair of tag and size.
    one.run(1000);
    CALLGRIND_ZERO_STATS;
    for (int times = 1; times <= 2; ++times) {
        one.run(times * calls);
        // The macro keeps no temporary alive.
        auto const label = one.name + '#' + std::to_string(times);
        CALLGRIND_DUMP_STATS_AT(label.c_str());
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: instructions CALLS\n";
        return 2;
    }
    MPI_Init(&argc, &argv);
    auto const calls = std::stol(argv[1]);
    CALLGRIND_START_INSTRUMENTATION;
    for (auto const& one : benchmarks::c_api_cases()) count(one, calls);
    for (auto const& one : benchmarks::boost_mpi_cases()) count(one, calls);
    CALLGRIND_STOP_INSTRUMENTATION;
    MPI_Finalize();
}
