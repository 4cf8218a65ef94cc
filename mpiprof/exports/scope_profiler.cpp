#include <mpiprof/exports/format.hpp>
#include <mpiprof/exports/replace_file.hpp>
#include <mpiprof/exports/scope_profiler_metadata.hpp>
#include <mpiprof/exports/scope_profiler_regions.hpp>
#include <mpiprof/exports/scope_profiler_sums.hpp>

#include <fmt/format.h>
#include <ostream>

namespace mpiprof::inline v1::exports {

namespace {

using nlohmann::ordered_json;

/// The document but for its regions, which are written one by one.
ordered_json head_of(ordered_json metadata, std::int64_t ranks, bool has_events) {
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
ordered_json threads_of(traces::trace const& from) {
    auto threads = ordered_json::object();
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
ordered_json column(std::vector<region_event> const& events, Value value) {
    auto values = ordered_json::array();
    for (auto const& event : events) values.push_back(value(event));
    return values;
}

ordered_json row_of(region_row const& region, std::int64_t rank) {
    ordered_json row{{"name", region.name}, {"rank", rank}};
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

ordered_json row_of(region_sums const& region, std::int64_t rank) {
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

/// Writes a document: its head, and then its regions, a row on a line of its own.
class document_writer {
  public:
    document_writer(std::ostream& out, ordered_json const& head) : out_{out} {
        auto text = head.dump();
        text.pop_back();
        out_ << text << ",\"regions\":[";
    }

    void add(ordered_json const& row) {
        out_ << (first_ ? "\n" : ",\n") << row.dump();
        first_ = false;
    }

    void close() { out_ << "\n]}\n"; }

  private:
    std::ostream& out_;
    bool first_ = true;
};

void write_events(run const& from, std::ostream& out) {
    auto const& trace = *from.trace;
    auto head = head_of(run_metadata(trace), rank_count(trace), true);
    head["threads"] = threads_of(trace);
    document_writer document{out, head};
    for (std::size_t rank = 0; rank < trace.ranks().size(); ++rank) {
        for (auto const& region : regions_of(from, rank, monotonic_origin(trace))) {
            document.add(row_of(region, trace.ranks()[rank].number));
        }
    }
    document.close();
}

void write_sums(results::profile const& from, std::ostream& out) {
    auto metadata = run_metadata(from);
    auto const ranks = metadata["mpi_size"].get<std::int64_t>();
    document_writer document{out, head_of(std::move(metadata), ranks, false)};
    for (auto const& region : region_sums_of(from)) document.add(row_of(region, rank_of_sums(from)));
    document.close();
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
