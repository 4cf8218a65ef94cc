// The regions of a rank, as scope-profiler's files have them.
#pragma once

#include <mpiprof/core/region_name.hpp>
#include <mpiprof/exports/format.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mpiprof::inline v1::exports {

/// One stay in a region, in nanoseconds.
struct region_event {
    std::int64_t start = 0;
    std::int64_t end = 0;
    /// Number of the stay in its rank, in order of starts in each thread, and of the one around it, -1 for
    /// none.
    std::int64_t call = 0;
    std::int64_t parent = -1;
    /// Place of the thread in its rank.
    std::int64_t thread = 0;
    /// How many calls it stands for.
    std::int64_t repeats = 1;

    std::int64_t duration() const noexcept { return end - start; }
};

/// A place in the source.
struct source_place {
    /// "" and -1 where it is not known.
    std::string file;
    std::int64_t line = -1;

    bool operator==(source_place const&) const = default;
};

/// The stays of a rank in one region.
struct region_row {
    /// Of a call that of core/region_name.hpp, of a phase its own. In valid UTF-8, as all texts here.
    std::string name;
    std::vector<std::string> tags;
    /// Of all its calls; unknown where they have different ones.
    source_place source;
    /// In order of their starts.
    std::vector<region_event> events;
    /// Time in the region and in no other one inside of it.
    std::int64_t exclusive = 0;
};

/// Does any of its stays stand for several calls?
bool has_repeats(region_row const& region) noexcept;

/// {"repeats": N} for each stay that stands for several calls, {} for the others.
nlohmann::json event_metadata(region_row const& region);

/// What scope-profiler tags such a region with.
std::vector<std::string> tags_of(region_metadata const& region);

/// The regions of a rank (its place in the run's trace), in the order in which they were first left. Times
/// are those of the trace's timeline plus `origin`. Repeated calls are one stay, as long as the time inside
/// of them. A call's and a phase's region are one if their names are the same.
std::vector<region_row> regions_of(run const& from, std::size_t rank, std::int64_t origin);

}  // namespace mpiprof::inline v1::exports
