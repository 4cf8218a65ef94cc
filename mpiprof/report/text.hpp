// The report as text.
#pragma once

#include <mpiprof/report/call_table.hpp>
#include <mpiprof/report/communicator_table.hpp>
#include <mpiprof/report/in_progress.hpp>
#include <mpiprof/report/notes.hpp>
#include <mpiprof/report/places.hpp>
#include <mpiprof/report/request_tables.hpp>
#include <mpiprof/report/writer.hpp>

#include <string>

namespace mpiprof::inline v1::report {

namespace detail {

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

[[gnu::cold]] inline std::string table_of_operations(results::profile const& run) {
    call_table text{"operation", run};
    for (auto* const each : run.operations.sorted(&by_time<results::operation_row>)) {
        auto const& row = *static_cast<results::operation_row const*>(each);
        text.add(printable(row.operation), row.statistics);
    }
    return text.text();
}

[[gnu::cold]] inline std::string table_of_call_sites(results::profile const& run) {
    call_table text{"call site", run};
    places const places{run};
    for (auto* const each : run.call_sites.sorted(&by_time<results::call_site_row>)) {
        auto const& row = *static_cast<results::call_site_row const*>(each);
        text.add(places.name(row.file, row.line) + ' ' + printable(row.operation), row.statistics);
    }
    return text.text();
}

/// A part of the report, set off by an empty line, if there is anything in it.
[[gnu::cold]] inline void write_part(writer& to, std::string const& part) {
    if (!part.empty()) to << "\n" << part;
}

}  // namespace detail

/// The report of a run: what it was, where the time went by operation, by call site and by communicator, what
/// became of the requests, where ranks hang or died, and what to keep in mind. Times are summed over the
/// ranks; "run %" is their share of all ranks' run time; "imb %" is (max - mean) / max of the ranks' times,
/// and "rank" the one with the largest.
[[gnu::cold]] inline std::string to_text(results::profile const& run) {
    std::string text;
    writer to{text};
    detail::write_head(to, run);
    if (run.operations.empty()) {
        to << "\nNo calls were recorded.\n";
    } else {
        detail::write_part(to, detail::table_of_operations(run));
        detail::write_part(to, detail::table_of_call_sites(run));
        detail::write_part(to, communicator_table{run}.text());
    }
    detail::write_part(to, table_of_requests(run));
    detail::write_part(to, table_of_outstanding(run));
    detail::write_part(to, calls_in_progress(run));
    detail::write_part(to, notes(run));
    return text;
}

}  // namespace mpiprof::inline v1::report
