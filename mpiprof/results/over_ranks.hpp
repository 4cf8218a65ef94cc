// A number that each rank has one of.
#pragma once

#include <mpiprof/results/fields.hpp>

#include <cstdint>

namespace mpiprof::inline v1::results {

/// Sum and extremes over the ranks that have the number, with the rank of the largest (the lowest such rank).
struct over_ranks {
    std::int64_t ranks = 0;
    std::int64_t sum = 0;
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::int64_t rank_of_most = -1;

    static constexpr over_ranks of(std::int64_t value, std::int64_t rank) noexcept {
        return {1, value, value, value, rank};
    }

    constexpr double mean() const noexcept {
        return ranks == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(ranks);
    }

    /// (most - mean) / most: 0 when all ranks have the same, towards 1 when one rank has it all.
    constexpr double imbalance() const noexcept {
        return most <= 0 ? 0.0 : (static_cast<double>(most) - mean()) / static_cast<double>(most);
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("ranks", ranks);
        field("sum", sum);
        field("least", least);
        field("most", most);
        field("rank_of_most", rank_of_most);
    }
};

/// Takes the numbers of other ranks in.
[[gnu::cold, gnu::noinline]] inline void merge(over_ranks& into, over_ranks const& from) noexcept {
    if (from.ranks == 0) return;
    if (into.ranks == 0) {
        into = from;
        return;
    }
    into.ranks += from.ranks;
    into.sum += from.sum;
    if (from.least < into.least) into.least = from.least;
    if (from.most > into.most || (from.most == into.most && from.rank_of_most < into.rank_of_most)) {
        into.most = from.most;
        into.rank_of_most = from.rank_of_most;
    }
}

}  // namespace mpiprof::inline v1::results
