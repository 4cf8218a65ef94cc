// The report as text.
#pragma once

#include <mpiprof/report/format.hpp>
#include <mpiprof/report/table.hpp>
#include <mpiprof/report/writer.hpp>
#include <mpiprof/results/profile.hpp>

#include <iterator>
#include <string>

namespace mpiprof::inline v1::report {

namespace detail {

constexpr char const* heads[] = {"calls", "time",  "run %", "min",    "mean",
                                 "max",   "imb %", "rank",  "sent B", "received B"};

/// A table of calls; `head` is that of its first column.
[[gnu::cold]] inline table table_of_calls(char const* head) {
    table empty{1 + std::size(heads)};
    empty.add(head);
    for (auto const* const each : heads) empty.add(each);
    return empty;
}

/// Marks a byte count that leaves something unknown out.
[[gnu::cold]] inline std::string bytes(std::int64_t value, results::statistics const& statistics) {
    auto text = std::to_string(value);
    if (statistics.unknown > 0) text += '?';
    return text;
}

[[gnu::cold]] inline void add_row(table& to, std::string const& name, results::statistics const& statistics,
                                  double run_time) {
    to.add(printable(name));
    to.add(std::to_string(statistics.calls));
    to.add(duration(statistics.time.sum));
    to.add(percentage(static_cast<double>(statistics.time.sum), run_time));
    to.add(duration(statistics.time.least));
    to.add(duration(statistics.mean_time()));
    to.add(duration(statistics.time.most));
    to.add(percentage(statistics.rank_time.imbalance(), 1));
    to.add(statistics.rank_time.ranks > 0 ? std::to_string(statistics.rank_time.rank_of_most) : "-");
    to.add(bytes(statistics.sent, statistics));
    to.add(bytes(statistics.received, statistics));
}

/// The order of a table: by time, the largest first.
template <class Row>
int by_time(void const* a, void const* b) noexcept {
    auto const time = static_cast<Row const*>(a)->statistics.time.sum;
    auto const other = static_cast<Row const*>(b)->statistics.time.sum;
    return time > other ? -1 : time < other ? 1 : 0;
}

[[gnu::cold]] inline std::string table_of(results::rows<results::operation_row> const& rows,
                                          double run_time) {
    auto text = table_of_calls("operation");
    for (auto* const each : rows.sorted(&by_time<results::operation_row>)) {
        auto const& row = *static_cast<results::operation_row const*>(each);
        add_row(text, row.operation, row.statistics, run_time);
    }
    return text.text();
}

/// What all call sites' files have in front of them: the folders that they share.
[[gnu::cold]] inline std::string shared_folders(results::rows<results::call_site_row> const& rows) {
    std::string shared = rows.empty() ? "" : rows.front().file;
    for (auto const& row : rows) {
        std::size_t length = 0;
        auto const folder = row.file.rfind('/') + 1;
        while (length < shared.size() && length < folder && shared[length] == row.file[length]) ++length;
        shared.resize(length);
    }
    return shared.substr(0, shared.rfind('/') + 1);
}

[[gnu::cold]] inline std::string table_of(results::rows<results::call_site_row> const& rows,
                                          double run_time) {
    auto text = table_of_calls("call site");
    auto const folders = shared_folders(rows).size();
    for (auto* const each : rows.sorted(&by_time<results::call_site_row>)) {
        auto const& row = *static_cast<results::call_site_row const*>(each);
        std::string place;
        writer to{place};
        if (row.file.empty()) {
            to << "unknown";
        } else {
            to << row.file.substr(folders) << ":" << row.line;
        }
        to << " " << row.operation;
        add_row(text, place, row.statistics, run_time);
    }
    return text.text();
}

[[gnu::cold]] inline void write_head(writer& to, results::profile const& run) {
    auto const run_time = static_cast<double>(run.run_time.sum);
    to << "mpiprof report: " << printable(run.program) << ", " << counted(results::size(run.ranks), "rank")
       << " on " << counted(static_cast<std::int64_t>(run.hosts.size()), "host");
    if (!run.library.empty()) to << ", " << printable(run.library);
    to << "\nstart " << printable(run.start) << ", run time " << duration(run.run_time.most) << ", clock "
       << printable(run.clock) << ", bytes " << printable(run.bytes) << ", sink " << printable(run.sink)
       << "\nMPI takes " << percentage(static_cast<double>(run.mpi_time.sum), run_time)
       << " % of the run: " << duration(run.mpi_time.mean()) << " a rank";
    if (run.mpi_time.ranks > 1) {
        to << ", from " << duration(run.mpi_time.least) << " to " << duration(run.mpi_time.most)
           << " on rank " << run.mpi_time.rank_of_most;
    }
    to << "\n";
}

/// What the numbers above leave out, or should not be trusted for.
[[gnu::cold]] inline std::string notes(results::profile const& run) {
    std::string text;
    writer to{text};
    std::int64_t failed = run.overflow.failed;
    std::int64_t unknown = run.overflow.unknown;
    for (auto const& row : run.operations) {
        failed += row.statistics.failed;
        unknown += row.statistics.unknown;
    }
    if (auto const missing = results::missing(run.ranks, run.world_size); !missing.empty()) {
        to << "Missing: " << counted(run.world_size - results::size(run.ranks), "rank") << " of "
           << run.world_size << " (" << ranks(missing) << ").\n";
    }
    if (!run.unfinished.empty()) {
        to << "Unfinished: " << counted(results::size(run.unfinished), "rank") << " ("
           << ranks(run.unfinished) << ") did not reach the end; what they had recorded is above.\n";
    }
    if (failed > 0) to << "Failed: " << counted(failed, "call") << ", counted and timed, without bytes.\n";
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

}  // namespace detail

/// The report of a run: what it was, where the time went by operation and by call site, and what to keep in
/// mind. Times are summed over the ranks; "run %" is their share of all ranks' run time; "imb %" is (max -
/// mean) / max of the ranks' times, and "rank" the one with the largest.
[[gnu::cold]] inline std::string to_text(results::profile const& run) {
    std::string text;
    writer to{text};
    detail::write_head(to, run);
    if (run.operations.empty()) {
        to << "\nNo calls were recorded.\n";
    } else {
        auto const run_time = static_cast<double>(run.run_time.sum);
        to << "\n" << detail::table_of(run.operations, run_time);
        to << "\n" << detail::table_of(run.call_sites, run_time);
    }
    if (auto const notes = detail::notes(run); !notes.empty()) to << "\n" << notes;
    return text;
}

}  // namespace mpiprof::inline v1::report
