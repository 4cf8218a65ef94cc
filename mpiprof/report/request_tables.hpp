// What became of the requests that the program made.
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/report/communicator_names.hpp>
#include <mpiprof/report/format.hpp>
#include <mpiprof/report/places.hpp>
#include <mpiprof/report/table.hpp>
#include <mpiprof/results/merge.hpp>

#include <string>

namespace mpiprof::inline v1::report {

namespace detail {

/// The completed requests of each operation: of these rows only `operation`, `completions`, `cancelled` and
/// the times are filled in. The receive side of a sendrecv is no request.
[[gnu::cold]] inline results::rows<results::completion_row> sums_by_operation(results::profile const& run) {
    results::rows<results::completion_row> sums;
    for (auto const& row : run.completions) {
        if (row.operation == name(operation::sendrecv) || row.operation == name(operation::sendrecv_replace))
            continue;
        auto& sum = sums.append();
        sum.operation = row.operation;
        sum.completions = row.completions;
        sum.cancelled = row.cancelled;
        sum.pending = row.pending;
        sum.waited = row.waited;
    }
    results::combine(sums);
    return sums;
}

[[gnu::cold]] inline int by_pending_time(void const* a, void const* b) noexcept {
    auto const time = static_cast<results::completion_row const*>(a)->pending.sum;
    auto const other = static_cast<results::completion_row const*>(b)->pending.sum;
    return time > other ? -1 : time < other ? 1 : 0;
}

/// The largest number first; rows of one number as they stand, which is by place.
[[gnu::cold]] inline int by_number(void const* a, void const* b) noexcept {
    auto const number = static_cast<results::outstanding_row const*>(a)->requests.sum;
    auto const other = static_cast<results::outstanding_row const*>(b)->requests.sum;
    return number > other ? -1 : number < other ? 1 : 0;
}

/// A peer or a tag.
[[gnu::cold]] inline std::string envelope_text(std::int64_t value) {
    static_assert(any_source == any_tag);
    if (value == any_source) return "any";
    if (value == null_process) return "null";
    return value < 0 ? "-" : std::to_string(value);
}

}  // namespace detail

/// The requests that completed, by the operation that made them: how long they were pending from posting to
/// observed completion, the share of that spent in waits and tests for them, and all of the rest, which is an
/// upper bound of what could have overlapped with work. "" where there are none.
[[gnu::cold]] inline std::string table_of_requests(results::profile const& run) {
    auto const sums = detail::sums_by_operation(run);
    if (sums.empty()) return {};
    table text{6};
    for (auto const* const head :
         {"requests of", "completed", "cancelled", "mean pending", "waited %", "overlap, upper bound"}) {
        text.add(head);
    }
    for (auto* const each : sums.sorted(&detail::by_pending_time)) {
        auto const& sum = *static_cast<results::completion_row const*>(each);
        auto const pending = static_cast<double>(sum.pending.sum);
        auto const waited = static_cast<double>(sum.waited.sum);
        text.add(printable(sum.operation));
        text.add(std::to_string(sum.completions));
        text.add(std::to_string(sum.cancelled));
        text.add(duration(sum.completions > 0 ? pending / static_cast<double>(sum.completions) : 0.0));
        text.add(percentage(waited, pending));
        text.add(duration(pending > waited ? pending - waited : 0.0));
    }
    return text.text();
}

/// The requests that were never completed, the most first, with the number of ranks that have them and the
/// one that has the most. "" where there are none.
[[gnu::cold]] inline std::string table_of_outstanding(results::profile const& run) {
    if (run.outstanding.empty()) return {};
    constexpr std::size_t most_rows = 30;
    places const places{run};
    communicator_names const names{run};
    table text{7};
    for (auto const* const head :
         {"never completed", "peer", "tag", "communicator", "requests", "ranks", "rank"})
        text.add(head);
    std::size_t shown = 0;
    std::int64_t rest = 0;
    for (auto* const each : run.outstanding.sorted(&detail::by_number)) {
        auto const& row = *static_cast<results::outstanding_row const*>(each);
        if (++shown > most_rows) {
            rest += row.requests.sum;
            continue;
        }
        text.add(places.name(row.file, row.line) + ' ' + printable(row.operation));
        text.add(detail::envelope_text(row.peer));
        text.add(detail::envelope_text(row.tag));
        text.add(names.name(row.communicator));
        text.add(std::to_string(row.requests.sum));
        text.add(std::to_string(row.requests.ranks));
        text.add(std::to_string(row.requests.rank_of_most));
    }
    if (shown > most_rows) {
        for (auto const* const nothing : {"others", "-", "-", "-"}) text.add(nothing);
        text.add(std::to_string(rest));
        text.add("-");
        text.add("-");
    }
    return text.text();
}

}  // namespace mpiprof::inline v1::report
