// A set of ranks.
#pragma once

#include <mpiprof/results/rows.hpp>

#include <cstdint>
#include <utility>

namespace mpiprof::inline v1::results {

/// Ranks first to last.
struct rank_range {
    std::int64_t first = 0;
    std::int64_t last = 0;

    bool operator==(rank_range const&) const = default;

    [[gnu::cold]] void describe(field_visitor& field) {
        field("first", first);
        field("last", last);
    }
};

/// Ranks as sorted ranges that do not touch; one range for a whole job.
using rank_set = rows<rank_range>;

[[gnu::cold]] inline bool operator==(rank_set const& a, rank_set const& b) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t place = 0; place < a.size(); ++place) {
        if (a[place] != b[place]) return false;
    }
    return true;
}

/// Number of ranks in the set.
[[gnu::cold]] inline std::int64_t size(rank_set const& set) noexcept {
    std::int64_t sum = 0;
    for (auto const& range : set) sum += range.last - range.first + 1;
    return sum;
}

/// Do the sets have a rank in common?
[[gnu::cold]] inline bool overlap(rank_set const& a, rank_set const& b) noexcept {
    for (auto const& x : a) {
        for (auto const& y : b) {
            if (x.first <= y.last && y.first <= x.last) return true;
        }
    }
    return false;
}

/// Takes the ranks of another set in.
[[gnu::cold]] inline void merge(rank_set& into, rank_set const& from) {
    rank_set joined;
    auto range = into.begin();
    auto other = from.begin();
    while (range != into.end() || other != from.end()) {
        bool const own = other == from.end() || (range != into.end() && range->first < other->first);
        auto const next = own ? *range++ : *other++;
        if (!joined.empty() && next.first <= joined.back().last + 1) {
            if (joined.back().last < next.last) joined.back().last = next.last;
        } else {
            joined.push_back(next);
        }
    }
    into = std::move(joined);
}

/// The ranks of the set that are not in another one.
[[gnu::cold]] inline rank_set without(rank_set const& set, rank_set const& other) {
    rank_set rest;
    for (auto range : set) {
        for (auto const& gone : other) {
            if (gone.last < range.first || range.last < gone.first) continue;
            if (range.first < gone.first) rest.push_back({range.first, gone.first - 1});
            range.first = gone.last + 1;
        }
        if (range.first <= range.last) rest.push_back(range);
    }
    return rest;
}

/// The ranks from 0 to size - 1 that the set lacks.
[[gnu::cold]] inline rank_set missing(rank_set const& set, std::int64_t world_size) {
    rank_set gaps;
    std::int64_t next = 0;
    for (auto const& range : set) {
        if (range.first > next) gaps.push_back({next, range.first - 1});
        next = range.last + 1;
    }
    if (next < world_size) gaps.push_back({next, world_size - 1});
    return gaps;
}

}  // namespace mpiprof::inline v1::results
