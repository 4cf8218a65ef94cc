// Runs cases by Google Benchmark, with its flags.
#pragma once

#include "cases.hpp"

#include <algorithm>
#include <benchmark/benchmark.h>

namespace benchmarks {

inline double fastest(std::vector<double> const& times) {
    return *std::min_element(times.begin(), times.end());
}

/// Each repetition of a case is one chunk of calls. Run with --benchmark_repetitions and
/// --benchmark_enable_random_interleaving, so that whatever slows the machine down meets all variants alike.
inline int run_by_google_benchmark(std::vector<benchmark_case> const& cases, int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    for (auto const& one : cases) {
        auto const run = [run = one.run](benchmark::State& state) {
            // The first call ever starts a recording, and the first ones of a chunk meet cold caches.
            run(10);
            while (state.KeepRunningBatch(state.max_iterations)) run(state.max_iterations);
        };
        benchmark::RegisterBenchmark(one.name.c_str(), run)
            ->UseRealTime()
            ->ComputeStatistics("fastest", &fastest);
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

}  // namespace benchmarks
