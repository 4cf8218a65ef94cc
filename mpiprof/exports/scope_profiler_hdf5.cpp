#include <mpiprof/exports/format.hpp>
#include <mpiprof/exports/hdf5_column.hpp>
#include <mpiprof/exports/replace_file.hpp>
#include <mpiprof/exports/scope_profiler_metadata.hpp>
#include <mpiprof/exports/scope_profiler_regions.hpp>
#include <mpiprof/exports/scope_profiler_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace mpiprof::inline v1::exports {

namespace {

/// Values in a chunk of a dataset: of rows of a table, and of events.
constexpr hsize_t row_chunk = 1024;
constexpr hsize_t event_chunk = 16384;

/// As scope-profiler stores them for each region of a rank, so that readers need not read the events.
struct summary_statistics {
    std::int64_t total = 0;
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t start_minimum = 0;
    std::int64_t end_maximum = 0;
    std::uint64_t gpu_count = 0;
    std::int64_t gpu_total = 0;
    double mean = 0;
    /// Sum of the squared distances to the mean.
    double m2 = 0;
};

hdf5_handle hdf5_type(summary_statistics const*) {
    using its = summary_statistics;
    hdf5_handle type{H5Tcreate(H5T_COMPOUND, sizeof(its)), H5Tclose};
    auto const insert = [&](char const* name, std::size_t offset, hid_t of) {
        hdf5_check(H5Tinsert(type.get(), name, offset, of));
    };
    insert("total", offsetof(its, total), H5T_NATIVE_INT64);
    insert("minimum", offsetof(its, minimum), H5T_NATIVE_INT64);
    insert("maximum", offsetof(its, maximum), H5T_NATIVE_INT64);
    insert("first", offsetof(its, first), H5T_NATIVE_INT64);
    insert("last", offsetof(its, last), H5T_NATIVE_INT64);
    insert("start_minimum", offsetof(its, start_minimum), H5T_NATIVE_INT64);
    insert("end_maximum", offsetof(its, end_maximum), H5T_NATIVE_INT64);
    insert("gpu_count", offsetof(its, gpu_count), H5T_NATIVE_UINT64);
    insert("gpu_total", offsetof(its, gpu_total), H5T_NATIVE_INT64);
    insert("mean", offsetof(its, mean), H5T_NATIVE_DOUBLE);
    insert("m2", offsetof(its, m2), H5T_NATIVE_DOUBLE);
    return type;
}

summary_statistics summary_of(std::vector<region_event> const& events) {
    summary_statistics sums{.minimum = events.front().duration(),
                            .first = events.front().duration(),
                            .last = events.back().duration(),
                            .start_minimum = events.front().start};
    double count = 0;
    for (auto const& event : events) {
        auto const duration = event.duration();
        sums.total += duration;
        sums.minimum = std::min(sums.minimum, duration);
        sums.maximum = std::max(sums.maximum, duration);
        sums.end_maximum = std::max(sums.end_maximum, event.end);
        // Welford's way.
        auto const distance = static_cast<double>(duration) - sums.mean;
        sums.mean += distance / ++count;
        sums.m2 += distance * (static_cast<double>(duration) - sums.mean);
    }
    return sums;
}

/// What all files have: the schema, metadata, and the names of regions.
class file_base {
  public:
    file_base(hdf5_handle const& file, char const* layout, nlohmann::ordered_json const& metadata)
        : regions_{hdf5_group(file, "region_table")},
          names_{regions_, "names", row_chunk},
          index_{hdf5_group(file, "rank_region_index")},
          region_ids_{index_, "region_ids", row_chunk},
          ranks_{index_, "ranks", row_chunk} {
        set_hdf5_attribute(file, "scope_profiler_schema", std::int64_t{3});
        set_hdf5_attribute(file, "storage_layout", layout);
        auto const group = hdf5_group(file, "metadata");
        for (auto const& [name, value] : metadata.items()) {
            if (value.is_string())
                set_hdf5_attribute(group, name.c_str(), value.get_ref<std::string const&>().c_str());
            else set_hdf5_attribute(group, name.c_str(), value.get<std::int64_t>());
        }
    }

  protected:
    hdf5_handle const& index() const noexcept { return index_; }

    /// Adds rows to the index: one for each of the regions, of that rank.
    template <class Regions>
    void add_rows(Regions const& regions, std::int64_t rank) {
        std::vector<std::uint32_t> ids;
        std::vector<char const*> new_names;
        for (auto const& region : regions) {
            auto const id = static_cast<std::uint32_t>(known_.size());
            auto const [place, is_new] = known_.try_emplace(region.name, id);
            if (is_new) new_names.push_back(place->first.c_str());
            ids.push_back(place->second);
        }
        names_.append(new_names);
        region_ids_.append(ids);
        ranks_.append(std::vector(ids.size(), static_cast<std::uint32_t>(rank)));
    }

  private:
    hdf5_handle regions_;
    hdf5_column<char const*> names_;
    hdf5_handle index_;
    hdf5_column<std::uint32_t> region_ids_;
    hdf5_column<std::uint32_t> ranks_;
    std::map<std::string, std::uint32_t> known_;
};

/// The values of a column.
template <class Row, class Value>
auto values_of(std::vector<Row> const& rows, Value value) {
    std::vector<decltype(value(rows.front()))> values;
    values.reserve(rows.size());
    for (auto const& row : rows) values.push_back(value(row));
    return values;
}

/// All events, by rank and region.
class columnar_file : file_base {
  public:
    columnar_file(hdf5_handle const& file, nlohmann::ordered_json const& metadata)
        : file_base{file, "columnar", metadata},
          events_{hdf5_group(file, "events")} {}

    void add(std::vector<region_row> const& regions, std::int64_t rank) {
        add_rows(regions, rank);
        lines_.append(values_of(regions, [](auto const& row) { return row.source.line; }));
        files_.append(values_of(regions, [](auto const& row) { return row.source.file.c_str(); }));
        texts_.append(std::vector<char const*>(regions.size(), ""));
        exclusive_.append(values_of(regions, [](auto const& row) { return row.exclusive; }));
        summaries_.append(values_of(regions, [](auto const& row) { return summary_of(row.events); }));
        add_json(tags_, regions, [](auto const& row) { return nlohmann::json(row.tags); });
        add_json(metadata_, regions, [](auto const& row) {
            return has_repeats(row) ? event_metadata(row) : nlohmann::json::array();
        });
        add_events(regions);
    }

  private:
    template <class Value>
    static void add_json(hdf5_column<char const*>& column, std::vector<region_row> const& regions,
                         Value value) {
        auto const texts = values_of(regions, [&](auto const& row) { return value(row).dump(); });
        column.append(values_of(texts, [](auto const& text) { return text.c_str(); }));
    }

    /// The stays of all regions, one region after the other.
    void add_events(std::vector<region_row> const& regions) {
        auto offset = starts_.size();
        offsets_.append(values_of(
            regions, [&](auto const& row) { return std::exchange(offset, offset + row.events.size()); }));
        counts_.append(values_of(regions, [](auto const& row) { return row.events.size(); }));
        starts_.append(start_deltas(regions));
        durations_.append(values_of_events(regions, [](auto const& event) { return event.duration(); }));
        calls_.append(values_of_events(regions, [](auto const& event) { return event.call; }));
        parents_.append(values_of_events(regions, [](auto const& event) { return event.parent; }));
        threads_.append(values_of_events(regions, [](auto const& event) { return event.thread; }));
    }

    /// The first start of each region, and then from each to the next.
    static std::vector<std::int64_t> start_deltas(std::vector<region_row> const& regions) {
        std::vector<std::int64_t> deltas;
        for (auto const& region : regions) {
            std::int64_t before = 0;
            for (auto const& event : region.events) {
                deltas.push_back(event.start - std::exchange(before, event.start));
            }
        }
        return deltas;
    }

    template <class Value>
    static std::vector<std::int64_t> values_of_events(std::vector<region_row> const& regions, Value value) {
        std::vector<std::int64_t> values;
        for (auto const& region : regions) {
            for (auto const& event : region.events) values.push_back(value(event));
        }
        return values;
    }

    hdf5_column<std::uint64_t> offsets_{index(), "event_offsets", row_chunk};
    hdf5_column<std::uint64_t> counts_{index(), "event_counts", row_chunk};
    hdf5_column<std::int64_t> lines_{index(), "source_lines", row_chunk};
    hdf5_column<char const*> files_{index(), "source_files", row_chunk};
    hdf5_column<char const*> texts_{index(), "source_texts", row_chunk};
    hdf5_column<char const*> tags_{index(), "tags", row_chunk};
    hdf5_column<char const*> metadata_{index(), "event_metadata", row_chunk};
    hdf5_column<std::int64_t> exclusive_{index(), "exclusive_totals", row_chunk};
    hdf5_column<summary_statistics> summaries_{index(), "summary_statistics", row_chunk};
    hdf5_handle events_;
    hdf5_column<std::int64_t> starts_{events_, "start_deltas", event_chunk};
    hdf5_column<std::int64_t> durations_{events_, "durations", event_chunk};
    hdf5_column<std::int64_t> calls_{events_, "call_ids", event_chunk};
    hdf5_column<std::int64_t> parents_{events_, "parent_ids", event_chunk};
    hdf5_column<std::int64_t> threads_{events_, "thread_ids", event_chunk};
};

/// Sums alone.
class aggregate_file : file_base {
  public:
    aggregate_file(hdf5_handle const& file, nlohmann::ordered_json const& metadata)
        : file_base{file, "aggregate", metadata} {}

    void add(std::vector<region_sums> const& regions, std::int64_t rank) {
        add_rows(regions, rank);
        counts_.append(
            values_of(regions, [](auto const& row) { return static_cast<std::uint64_t>(row.count); }));
        totals_.append(values_of(regions, [](auto const& row) { return row.total; }));
        minimums_.append(values_of(regions, [](auto const& row) { return row.minimum; }));
        maximums_.append(values_of(regions, [](auto const& row) { return row.maximum; }));
        exclusives_.append(values_of(regions, [](auto const& row) { return row.exclusive; }));
    }

  private:
    hdf5_column<std::uint64_t> counts_{index(), "aggregate_counts", row_chunk};
    hdf5_column<std::int64_t> totals_{index(), "aggregate_totals", row_chunk};
    hdf5_column<std::int64_t> minimums_{index(), "aggregate_minimums", row_chunk};
    hdf5_column<std::int64_t> maximums_{index(), "aggregate_maximums", row_chunk};
    hdf5_column<std::int64_t> exclusives_{index(), "aggregate_exclusives", row_chunk};
};

/// The threads of all ranks. -1 is unknown.
void write_threads(hdf5_handle const& file, traces::trace const& from) {
    auto const threads = thread_rows(from);
    auto const group = hdf5_group(file, "thread_table");
    auto const add = [&](char const* name, auto value) {
        auto const values = values_of(threads, value);
        using type = typename decltype(values)::value_type;
        hdf5_column<type>{group, name, row_chunk}.append(values);
    };
    add("ranks", [](auto const& thread) { return static_cast<std::uint32_t>(thread.rank); });
    add("index", [](auto const& thread) { return thread.index; });
    add("ident", [](auto const& thread) { return thread.id; });
    add("native_id", [](auto const& thread) { return thread.id; });
    add("daemon", [](auto const&) { return std::int8_t{0}; });
    add("start_ns", [](auto const& thread) { return thread.start; });
    add("end_ns", [](auto const&) { return std::int64_t{-1}; });
    add("cpu_ns", [](auto const&) { return std::int64_t{-1}; });
    add("name", [](auto const& thread) { return thread.name.c_str(); });
}

void write_events(run const& from, hdf5_handle const& file) {
    auto const& trace = *from.trace;
    auto const origin = monotonic_origin(trace);
    write_threads(file, trace);
    columnar_file out{file, run_metadata(trace)};
    for (std::size_t rank = 0; rank < trace.ranks().size(); ++rank) {
        out.add(regions_of(from, rank, origin), trace.ranks()[rank].number);
    }
}

void write_sums(results::profile const& from, hdf5_handle const& file) {
    aggregate_file{file, run_metadata(from)}.add(region_sums_of(from), rank_of_sums(from));
}

void write_hdf5(run const& from, std::string const& path) {
    hdf5_quiet const quiet;
    replace_file(path, [&](std::string const& beside) {
        hdf5_handle const file{H5Fcreate(beside.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
        if (from.trace != nullptr) write_events(from, file);
        else write_sums(*from.profile, file);
        hdf5_check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL));
    });
}

}  // namespace

format const scope_profiler_hdf5{
    "scope-profiler-hdf5",
    "HDF5 of scope-profiler, of the calls or, without a trace, of sums",
    needs::either,
    write_hdf5,
};

}  // namespace mpiprof::inline v1::exports
