// A set of ranks.
#pragma once

#include <mpiprof/core/config.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mpiprof::inline v1::results {

/// Ranks first to last.
struct rank_range {
    std::int64_t first = 0;
    std::int64_t last = 0;

    bool operator==(rank_range const&) const = default;

    template <class Self, class Field>
    static constexpr void describe(Self& self, Field&& field) {
        field("first", self.first);
        field("last", self.last);
    }
};

/// Ranks as sorted ranges that do not touch; one range for a whole job.
using rank_set = std::vector<rank_range>;

/// Number of ranks in the set.
inline std::int64_t size(rank_set const& set) noexcept {
    std::int64_t sum = 0;
    for (auto const& range : set) sum += range.last - range.first + 1;
    return sum;
}

/// Do the sets have a rank in common?
inline bool overlap(rank_set const& a, rank_set const& b) noexcept {
    return std::any_of(a.begin(), a.end(), [&](rank_range const& x) {
        return std::any_of(b.begin(), b.end(),
                           [&](rank_range const& y) { return x.first <= y.last && y.first <= x.last; });
    });
}

/// Takes the ranks of another set in.
inline void merge(rank_set& into, rank_set const& from) {
    into.insert(into.end(), from.begin(), from.end());
    std::sort(into.begin(), into.end(),
              [](rank_range const& x, rank_range const& y) { return x.first < y.first; });
    rank_set joined;
    for (auto const& range : into) {
        if (!joined.empty() && range.first <= joined.back().last + 1) {
            joined.back().last = std::max(joined.back().last, range.last);
        } else {
            joined.push_back(range);
        }
    }
    into = std::move(joined);
}

/// The ranks from 0 to size - 1 that the set lacks.
inline rank_set missing(rank_set const& set, std::int64_t world_size) {
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
