// memory CALLS VARIANT…: prints for each operation in each of these variants, after a warm-up, by how many
// bytes the heap and the resident set grew over so many calls.
#include "boost_mpi_cases.hpp"
#include "c_api_cases.hpp"

#include <fstream>
#include <iostream>
#include <malloc.h>
#include <mpi.h>
#include <span>
#include <unistd.h>

namespace {

struct memory {
    long heap;
    long resident;
};

memory in_use() {
    auto const heap = mallinfo2();
    long pages = 0;
    long resident = 0;
    std::ifstream{"/proc/self/statm"} >> pages >> resident;
    return {static_cast<long>(heap.uordblks + heap.hblkhd), resident * sysconf(_SC_PAGESIZE)};
}

void measure(benchmarks::benchmark_case const& one, std::int64_t calls) {
    one.run(calls / 10);
    // Once before, since reading /proc may make the heap grow the first time.
    in_use();
    auto const before = in_use();
    one.run(calls);
    auto const after = in_use();
    std::cout << one.name << ' ' << after.heap - before.heap << ' ' << after.resident - before.resident
              << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: memory CALLS VARIANT…\n";
        return 2;
    }
    MPI_Init(&argc, &argv);
    auto const calls = std::stol(argv[1]);
    auto cases = benchmarks::c_api_cases();
    for (auto& one : benchmarks::boost_mpi_cases()) cases.push_back(std::move(one));
    for (auto const& one : cases) {
        for (std::string const variant : std::span{argv + 2, argv + argc}) {
            if (one.name.ends_with('/' + variant)) measure(one, calls);
        }
    }
    MPI_Finalize();
}
