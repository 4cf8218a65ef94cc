#include <mpiprof/exports/scope_profiler_metadata.hpp>

#include <mpiprof/exports/valid_text.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace mpiprof::inline v1::exports {

namespace {

/// The last part of a path.
std::string name_in(std::string const& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

nlohmann::ordered_json run_metadata(traces::trace const& from) {
    nlohmann::ordered_json metadata{{"source", "mpiprof"}, {"mpi_size", rank_count(from)}};
    if (from.ranks().empty()) return metadata;

    auto const& first = from.ranks().front();
    auto const origin = monotonic_origin(from);
    std::set<std::string> hosts;
    std::int64_t begin = first.begin;
    std::int64_t end = first.end;
    std::int64_t error = 0;
    std::int64_t dropped = 0;
    for (auto const& rank : from.ranks()) {
        hosts.insert(rank.host);
        begin = std::min(begin, rank.begin);
        end = std::max(end, rank.end);
        error = error < 0 || rank.clock_error < 0 ? -1 : std::max(error, rank.clock_error);
        dropped += rank.dropped;
    }
    metadata["label"] = valid_text(name_in(first.program));
    metadata["command"] = valid_text(first.command);
    metadata["timestamp"] = valid_text(first.start_time);
    metadata["hostname"] = valid_text(first.host);
    metadata["num_nodes"] = hosts.size();
    metadata["start_time_ns"] = begin + origin;
    metadata["finalize_time_ns"] = end + origin;
    metadata["clock_error_ns"] = error;
    metadata["dropped_records"] = dropped;
    return metadata;
}

nlohmann::ordered_json run_metadata(results::profile const& from) {
    auto const ranks = size(from.ranks);
    auto const program = valid_text(name_in(from.program));
    return {
        {"source", "mpiprof"},
        {"mpi_size", ranks == 1 ? from.world_size : 1},
        {"label", ranks == 1 ? program : fmt::format("{}, sums of {} ranks", program, ranks)},
        {"command", valid_text(from.command)},
        {"timestamp", valid_text(from.start)},
        {"hostname", from.hosts.empty() ? "" : valid_text(from.hosts.front().name)},
        {"num_nodes", from.hosts.size()},
    };
}

std::vector<thread_row> thread_rows(traces::trace const& from) {
    std::vector<thread_row> rows;
    for (auto const& rank : from.ranks()) {
        std::int64_t index = 0;
        for (auto const& thread : rank.threads) {
            rows.push_back({rank.number, index++, thread.id, valid_text(thread.name),
                            rank.begin + monotonic_origin(from)});
        }
    }
    return rows;
}

std::int64_t monotonic_origin(traces::trace const& from) noexcept {
    return from.ranks().empty() ? 0 : from.ranks().front().to_monotonic;
}

std::int64_t rank_count(traces::trace const& from) noexcept {
    auto const beyond_last = from.ranks().empty() ? 0 : from.ranks().back().number + 1;
    return std::max(from.world_size(), beyond_last);
}

}  // namespace mpiprof::inline v1::exports
