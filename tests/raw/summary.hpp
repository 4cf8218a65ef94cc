// The default instrumentation, for cases about what a run's profile says.
#pragma once

#include "tests/raw/world.hpp"

#include <mpiprof/raw.hpp>
#include <string_view>

namespace cases {

/// The process's profiler of the default instrumentation. Collective: every rank calls it, or none.
inline mpiprof::profiler<> const& summary_profiler() {
    static mpiprof::profiler<> const profiler{{.output = in_test_directory("cases.json")}};
    return profiler;
}

/// Sums over the calls that were made in this phase.
inline mpiprof::results::statistics calls_in_phase(mpiprof::results::profile const& run,
                                                   std::string_view phase) {
    mpiprof::results::statistics sum;
    for (auto const& row : run.calls) {
        if (row.phase == phase) mpiprof::results::add_calls(sum, row.statistics);
    }
    return sum;
}

}  // namespace cases
