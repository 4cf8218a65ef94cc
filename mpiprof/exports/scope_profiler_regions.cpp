#include <mpiprof/exports/scope_profiler_regions.hpp>
#include <mpiprof/exports/site_text.hpp>
#include <mpiprof/exports/valid_text.hpp>
#include <mpiprof/traces/nesting.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>
#include <utility>

namespace mpiprof::inline v1::exports {

namespace {

/// Collects the regions of a rank, thread by thread.
class region_collector {
  public:
    region_collector(run const& from, std::size_t rank, std::int64_t origin)
        : from_{from},
          rank_{rank},
          origin_{origin} {}

    void add_thread(std::size_t thread) {
        thread_ = static_cast<std::int64_t>(thread);
        traces::for_each_nested(
            *from_.trace, rank_, thread, [this](traces::region const&) { enter(); },
            [this](traces::region const& left) { leave(left); });
    }

    std::vector<region_row> take() {
        for (auto& row : rows_) {
            std::ranges::sort(row.events, [](region_event const& a, region_event const& b) {
                return a.start != b.start ? a.start < b.start : a.call < b.call;
            });
        }
        return std::move(rows_);
    }

  private:
    struct open_region {
        std::int64_t call;
        /// Time in regions inside of it.
        std::int64_t inner = 0;
    };

    void enter() { open_.push_back({calls_++}); }

    void leave(traces::region const& left) {
        auto const mine = open_.back();
        open_.pop_back();
        bool const repeated = left.what.type == traces::event_type::repeated;
        auto const end = repeated ? std::min(left.end, left.begin + left.what.inside) : left.end;
        region_event const event{
            .start = left.begin + origin_,
            .end = end + origin_,
            .call = mine.call,
            .parent = open_.empty() ? -1 : open_.back().call,
            .thread = thread_,
            .repeats = left.what.repeats,
        };
        auto& row = row_of(left.what);
        row.events.push_back(event);
        row.exclusive += event.duration() - mine.inner;
        if (!open_.empty()) open_.back().inner += event.duration();
    }

    region_row& row_of(traces::event const& what) {
        if (what.type == traces::event_type::phase_begin) return row_named(valid_text(what.phase));
        auto const region = metadata_of(what.call);
        auto& row = row_named(format_region(region));
        auto const& source = source_of(what.call.site);
        if (row.events.empty()) {
            row.tags = tags_of(region);
            row.source = source;
        } else if (row.source != source) {
            row.source = {};
        }
        return row;
    }

    source_place const& source_of(call_site const& site) {
        auto const [found, is_new] = sources_.try_emplace({site.file(), site.line()});
        if (is_new) found->second = read_place(valid_text(site_text(from_, site)));
        return found->second;
    }

    /// Of "solve.cpp:12 < main.cpp:40", a call and those around it, the call's own place.
    static source_place read_place(std::string_view text) {
        auto const [file, line] = split_place(text.substr(0, text.find(" < ")));
        return {std::string{file}, line > 0 ? std::int64_t{line} : -1};
    }

    region_row& row_named(std::string name) {
        auto const [found, is_new] = places_.try_emplace(std::move(name), rows_.size());
        if (is_new) rows_.emplace_back().name = found->first;
        return rows_[found->second];
    }

    run const& from_;
    std::size_t rank_;
    std::int64_t origin_;
    std::int64_t thread_ = 0;
    std::int64_t calls_ = 0;
    std::vector<open_region> open_;
    std::map<std::pair<std::string, std::uint32_t>, source_place> sources_;
    std::vector<region_row> rows_;
    std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

bool has_repeats(region_row const& region) noexcept {
    return std::ranges::any_of(region.events, [](region_event const& event) { return event.repeats != 1; });
}

nlohmann::json event_metadata(region_row const& region) {
    auto list = nlohmann::json::array();
    for (auto const& event : region.events) {
        auto& its = list.emplace_back(nlohmann::json::object());
        if (event.repeats != 1) its["repeats"] = event.repeats;
    }
    return list;
}

std::vector<std::string> tags_of(region_metadata const& region) {
    std::vector<std::string> tags{
        "mpi",
        fmt::format("mpi.kind:{}", name(region.kind)),
        fmt::format("mpi.operation:{}", name(region.operation)),
        fmt::format("mpi.bytes:{}", region.bytes),
        fmt::format("mpi.peer:{}", region.peer),
        fmt::format("mpi.root:{}", region.root),
        fmt::format("mpi.tag:{}", region.tag),
        fmt::format("mpi.communicator:{}", region.communicator),
    };
    if (region.request != operation::none) {
        tags.push_back(fmt::format("mpi.request:{}", name(region.request)));
    }
    return tags;
}

std::vector<region_row> regions_of(run const& from, std::size_t rank, std::int64_t origin) {
    region_collector regions{from, rank, origin};
    for (std::size_t thread = 0; thread < from.trace->ranks()[rank].threads.size(); ++thread) {
        regions.add_thread(thread);
    }
    return regions.take();
}

}  // namespace mpiprof::inline v1::exports
