#include <mpiprof/exports/format.hpp>
#include <mpiprof/exports/json_list.hpp>
#include <mpiprof/exports/replace_file.hpp>
#include <mpiprof/exports/scope_profiler_metadata.hpp>
#include <mpiprof/exports/scope_profiler_regions.hpp>
#include <mpiprof/exports/scope_profiler_sums.hpp>

#include <fmt/format.h>
#include <ostream>

namespace mpiprof::inline v1::exports {

namespace {

/// The document but for its regions, which are written one by one.
json_object head_of(json_object metadata, std::int64_t ranks, bool has_events) {
    return {
        {"format", "scope-profiler-profile"},
        {"format_version", 1},
        {"time_unit", "nanoseconds"},
        {"exporter", "mpiprof"},
        {"num_ranks", ranks},
        {"event_data_available", has_events},
        {"metadata", std::move(metadata)},
    };
}

/// The threads of all ranks, by the ranks' numbers. -1 is unknown.
json_object threads_of(traces::trace const& from) {
    auto threads = json_object::object();
    for (auto const& thread : thread_rows(from)) {
        threads[fmt::format("{}", thread.rank)].push_back({{"index", thread.index},
                                                           {"name", thread.name},
                                                           {"ident", thread.id},
                                                           {"native_id", thread.id},
                                                           {"daemon", false},
                                                           {"start_ns", thread.start},
                                                           {"end_ns", -1},
                                                           {"cpu_ns", -1}});
    }
    return threads;
}

template <class Value>
json_object column(std::vector<region_event> const& events, Value value) {
    auto values = json_object::array();
    for (auto const& event : events) values.push_back(value(event));
    return values;
}

json_object row_of(region_row const& region, std::int64_t rank) {
    json_object row{{"name", region.name}, {"rank", rank}};
    if (!region.source.file.empty()) row["source_file"] = region.source.file;
    if (region.source.line >= 0) row["source_lineno"] = region.source.line;
    if (!region.tags.empty()) row["tags"] = region.tags;
    auto const& events = region.events;
    row["start_times_ns"] = column(events, [](auto const& event) { return event.start; });
    row["end_times_ns"] = column(events, [](auto const& event) { return event.end; });
    row["call_ids"] = column(events, [](auto const& event) { return event.call; });
    row["parent_ids"] = column(events, [](auto const& event) { return event.parent; });
    row["thread_ids"] = column(events, [](auto const& event) { return event.thread; });
    if (has_repeats(region)) row["event_metadata"] = event_metadata(region);
    row["exclusive_total_ns"] = region.exclusive;
    return row;
}

json_object row_of(region_sums const& region, std::int64_t rank) {
    return {
        {"name", region.name},
        {"rank", rank},
        {"tags", region.tags},
        {"aggregate",
         {{"count", region.count},
          {"total", region.total},
          {"minimum", region.minimum},
          {"maximum", region.maximum},
          {"exclusive", region.exclusive}}},
    };
}

/// Writes the document of this head, of which `add_regions(list)` adds the regions to the list.
template <class AddRegions>
void write_document(std::ostream& out, json_object const& head, AddRegions add_regions) {
    auto text = head.dump();
    text.pop_back();
    out << text << ",\"regions\":[";
    json_list regions{out};
    add_regions(regions);
    out << "\n]}\n";
}

void write_events(run const& from, std::ostream& out) {
    auto const& trace = *from.trace;
    auto head = head_of(run_metadata(trace), rank_count(trace), true);
    head["threads"] = threads_of(trace);
    write_document(out, head, [&](json_list& list) {
        for (std::size_t rank = 0; rank < trace.ranks().size(); ++rank) {
            for (auto const& region : regions_of(from, rank, monotonic_origin(trace))) {
                list.add(row_of(region, trace.ranks()[rank].number));
            }
        }
    });
}

void write_sums(results::profile const& from, std::ostream& out) {
    auto metadata = run_metadata(from);
    auto const ranks = metadata["mpi_size"].get<std::int64_t>();
    write_document(out, head_of(std::move(metadata), ranks, false), [&](json_list& list) {
        for (auto const& region : region_sums_of(from)) list.add(row_of(region, rank_of_sums(from)));
    });
}

void write_scope_profiler(run const& from, std::string const& path) {
    replace_text_file(path, [&](std::ostream& out) {
        if (from.trace != nullptr) write_events(from, out);
        else write_sums(*from.profile, out);
    });
}

}  // namespace

format const scope_profiler{
    "scope-profiler",
    "JSON of scope-profiler, of the calls or, without a trace, of sums",
    needs::either,
    write_scope_profiler,
    true,
};

}  // namespace mpiprof::inline v1::exports
