// The requests that were never completed, as rows of a profile.
#pragma once

#include <mpiprof/results/merge.hpp>
#include <mpiprof/run/process.hpp>

#include <cstddef>

namespace mpiprof::inline v1::detail {

/// Collects the requests of one rank. However many there are, their rows stay few.
class outstanding_collector {
  public:
    /// More rows than this no longer tell peers and tags apart.
    static constexpr std::size_t most_rows = 1000;

    outstanding_collector(results::rows<results::outstanding_row>& into, std::int64_t rank)
        : into_{into},
          rank_{rank} {}

    [[gnu::cold]] void add(completion const& posted) {
        auto& row = into_.append();
        row.operation = name(posted.operation);
        row.communicator = posted.communicator;
        if (!by_site_) {
            row.peer = posted.peer;
            row.tag = posted.tag;
        }
        row.file = posted.site.file();
        row.line = posted.site.line();
        row.requests = results::over_ranks::of(1, rank_);
        if (into_.size() >= limit_) shrink();
    }

    /// Puts rows of one key together.
    [[gnu::cold]] void finish() {
        into_.combine(&order, [](void* into, void const* from) {
            auto& row = *static_cast<results::outstanding_row*>(into);
            auto const more = static_cast<results::outstanding_row const*>(from)->requests.sum;
            row.requests = results::over_ranks::of(row.requests.sum + more, row.requests.rank_of_most);
        });
    }

  private:
    [[gnu::cold]] static int order(void const* a, void const* b) {
        using row = results::outstanding_row;
        return row::order(*static_cast<row const*>(a), *static_cast<row const*>(b));
    }

    [[gnu::cold]] void shrink() {
        finish();
        if (into_.size() > most_rows) {
            by_site_ = true;
            for (auto& row : into_) row.peer = row.tag = not_applicable;
            finish();
        }
        limit_ = 2 * (into_.size() > most_rows ? into_.size() : most_rows);
    }

    results::rows<results::outstanding_row>& into_;
    std::int64_t rank_;
    bool by_site_ = false;
    std::size_t limit_ = 2 * most_rows;
};

/// Adds the process's outstanding requests to the profile of its rank.
[[gnu::cold]] inline void add_outstanding(results::profile& run, std::int64_t rank) {
    auto const visit_all = process::instance().hooks.visit_outstanding;
    if (visit_all == nullptr) return;
    outstanding_collector collector{run.outstanding, rank};
    visit_all(
        [](completion const& posted, void* to) { static_cast<outstanding_collector*>(to)->add(posted); },
        &collector);
    collector.finish();
}

}  // namespace mpiprof::inline v1::detail
