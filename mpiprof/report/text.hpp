// The report as text.
#pragma once

#include <mpiprof/report/format.hpp>
#include <mpiprof/report/table.hpp>
#include <mpiprof/results/merge.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace mpiprof::inline v1::report {

namespace detail {

/// Marks a byte count that leaves something unknown out.
inline std::string bytes(std::int64_t value, results::statistics const& statistics) {
    return std::to_string(value) + (statistics.unknown > 0 ? "?" : "");
}

inline std::vector<std::string> cells(std::string name, results::statistics const& statistics,
                                      double run_time) {
    return {std::move(name),
            std::to_string(statistics.calls),
            duration(statistics.time.sum),
            percentage(static_cast<double>(statistics.time.sum), run_time),
            duration(statistics.time.least),
            duration(statistics.mean_time()),
            duration(statistics.time.most),
            percentage(statistics.rank_time.imbalance(), 1),
            statistics.rank_time.ranks > 0 ? std::to_string(statistics.rank_time.rank_of_most) : "-",
            bytes(statistics.sent, statistics),
            bytes(statistics.received, statistics)};
}

/// A table of rows by time, the largest first; `name` gives a row's first cell.
template <class Row, class Name>
std::string table_of(char const* head, std::vector<Row> rows, double run_time, Name name) {
    std::stable_sort(rows.begin(), rows.end(), [](Row const& a, Row const& b) {
        return a.statistics.time.sum > b.statistics.time.sum;
    });
    table text{
        {head, "calls", "time", "run %", "min", "mean", "max", "imb %", "rank", "sent B", "received B"}};
    for (auto const& row : rows) text.add(cells(printable(name(row)), row.statistics, run_time));
    return text.text();
}

/// What all call sites' files have in front of them: the folders that they share.
inline std::string shared_folders(std::vector<results::call_site_row> const& rows) {
    std::string shared;
    bool first = true;
    for (auto const& row : rows) {
        auto const folder = row.file.substr(0, row.file.rfind('/') + 1);
        if (first) shared = folder;
        first = false;
        auto const length = std::mismatch(shared.begin(), shared.end(), folder.begin(), folder.end()).first;
        shared.erase(length, shared.end());
    }
    return shared.substr(0, shared.rfind('/') + 1);
}

inline std::string head(results::profile const& run) {
    auto const run_time = static_cast<double>(run.run_time.sum);
    auto text = "mpiprof report: " + printable(run.program) + ", " +
                counted(results::size(run.ranks), "rank") + " on " +
                counted(static_cast<std::int64_t>(run.hosts.size()), "host");
    if (!run.library.empty()) text += ", " + printable(run.library);
    text += "\nstart " + printable(run.start) + ", run time " + duration(run.run_time.most) + ", clock " +
            printable(run.clock) + ", bytes " + printable(run.bytes) + ", sink " + printable(run.sink) + '\n';
    text += "MPI takes " + percentage(static_cast<double>(run.mpi_time.sum), run_time) +
            " % of the run: " + duration(run.mpi_time.mean()) + " a rank";
    if (run.mpi_time.ranks > 1) {
        text += ", from " + duration(run.mpi_time.least) + " to " + duration(run.mpi_time.most) +
                " on rank " + std::to_string(run.mpi_time.rank_of_most);
    }
    return text + '\n';
}

/// What the numbers above leave out, or should not be trusted for.
inline std::string notes(results::profile const& run) {
    std::string text;
    std::int64_t failed = run.overflow.failed;
    std::int64_t unknown = run.overflow.unknown;
    for (auto const& row : run.operations) {
        failed += row.statistics.failed;
        unknown += row.statistics.unknown;
    }
    if (auto const missing = results::missing(run.ranks, run.world_size); !missing.empty()) {
        text += "Missing: " + counted(run.world_size - results::size(run.ranks), "rank") + " of " +
                std::to_string(run.world_size) + " (" + ranks(missing) + ").\n";
    }
    if (!run.unfinished.empty()) {
        text += "Unfinished: " + counted(results::size(run.unfinished), "rank") + " (" +
                ranks(run.unfinished) + ") did not reach the end; what they had recorded is above.\n";
    }
    if (failed > 0) text += "Failed: " + counted(failed, "call") + ", counted and timed, without bytes.\n";
    if (unknown > 0) {
        text += "?: the bytes of " + counted(unknown, "record") + " are unknown and not in the sums.\n";
    }
    if (run.overflow.calls + run.overflow.completions > 0) {
        text += "Overflow: " + counted(run.overflow.calls, "call") + " (" + duration(run.overflow.time.sum) +
                ", " + std::to_string(run.overflow.sent) + " B sent, " +
                std::to_string(run.overflow.received) +
                " B received) found no row of their own and stand in no table.\n";
    }
    if (run.lost > 0) text += "Lost: " + counted(run.lost, "record") + " for lack of memory.\n";
    return text.empty() ? text : '\n' + text;
}

}  // namespace detail

/// The report of a run: what it was, where the time went by operation and by call site, and what to keep in
/// mind. Times are summed over the ranks; "run %" is their share of all ranks' run time; "imb %" is (max -
/// mean) / max of the ranks' times, and "rank" the one with the largest.
inline std::string to_text(results::profile const& run) {
    auto text = detail::head(run);
    if (run.operations.empty()) return text + "\nNo calls were recorded.\n" + detail::notes(run);
    auto const run_time = static_cast<double>(run.run_time.sum);
    text += '\n' + detail::table_of("operation", run.operations, run_time,
                                    [](results::operation_row const& row) { return row.operation; });
    auto const folders = detail::shared_folders(run.call_sites).size();
    text += '\n' +
            detail::table_of("call site", run.call_sites, run_time, [&](results::call_site_row const& row) {
                auto const place =
                    row.file.empty() ? "unknown" : row.file.substr(folders) + ':' + std::to_string(row.line);
                return place + ' ' + row.operation;
            });
    return text + detail::notes(run);
}

}  // namespace mpiprof::inline v1::report
