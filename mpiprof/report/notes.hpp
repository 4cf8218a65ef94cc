// What a report leaves out, or should not be trusted for.
#pragma once

#include <mpiprof/report/format.hpp>
#include <mpiprof/report/writer.hpp>
#include <mpiprof/results/profile.hpp>

#include <string>

namespace mpiprof::inline v1::report {

/// A line for each such thing; "" where there is none.
[[gnu::cold]] inline std::string notes(results::profile const& run) {
    std::string text;
    writer to{text};
    std::int64_t failed = run.overflow.failed;
    std::int64_t unknown = run.overflow.unknown;
    for (auto const& row : run.operations) {
        failed += row.statistics.failed;
        unknown += row.statistics.unknown;
    }
    std::int64_t outstanding = 0;
    for (auto const& row : run.outstanding) outstanding += row.requests.sum;
    if (!run.filters.empty()) to << "Filters: " << printable(run.filters) << ".\n";
    if (!run.left_out.empty()) {
        to << "Left out: " << counted(results::size(run.left_out), "rank") << " of " << run.world_size << " ("
           << ranks(run.left_out) << "), as the filters say.\n";
    }
    auto expected = run.ranks;
    results::merge(expected, run.left_out);
    if (auto const missing = results::missing(expected, run.world_size); !missing.empty()) {
        to << "Missing: " << counted(results::size(missing), "rank") << " of " << run.world_size << " ("
           << ranks(missing) << ").\n";
    }
    if (!run.running.empty()) {
        to << "Running: " << counted(results::size(run.running), "rank") << " (" << ranks(run.running)
           << ") still ran when this was taken; above is what they had recorded by then.\n";
    }
    auto const dead = results::without(run.unfinished, run.running);
    if (!dead.empty()) {
        to << "Unfinished: " << counted(results::size(dead), "rank") << " (" << ranks(dead)
           << ") did not reach the end; what they had recorded is above.\n";
    }
    if (run.unbalanced.begins > 0)
        to << "Phases: " << counted(run.unbalanced.begins, "begin") << " without an end.\n";
    if (run.unbalanced.ends > 0)
        to << "Phases: " << counted(run.unbalanced.ends, "end") << " without a begin, ignored.\n";
    if (failed > 0) to << "Failed: " << counted(failed, "call") << ", counted and timed, without bytes.\n";
    if (outstanding > 0) to << "Never completed: " << counted(outstanding, "request") << ", listed above.\n";
    if (unknown > 0) {
        to << "?: the bytes of " << counted(unknown, "record") << " are unknown and not in the sums.\n";
    }
    if (run.overflow.calls + run.overflow.completions > 0) {
        to << "Overflow: " << counted(run.overflow.calls, "call") << " (" << duration(run.overflow.time.sum)
           << ", " << run.overflow.sent << " B sent, " << run.overflow.received
           << " B received) found no row of their own and stand in no table.\n";
    }
    if (run.lost > 0) to << "Lost: " << counted(run.lost, "record") << " for lack of memory.\n";
    return text;
}

}  // namespace mpiprof::inline v1::report
