// Where the ranks are that have not reached the end.
#pragma once

#include <mpiprof/report/format.hpp>
#include <mpiprof/report/places.hpp>
#include <mpiprof/report/writer.hpp>
#include <mpiprof/results/merge.hpp>
#include <mpiprof/results/profile.hpp>

#include <string>

namespace mpiprof::inline v1::report {

namespace detail {

/// By place, the living before the dead; 0 for rows that one line tells of.
[[gnu::cold]] inline int by_call_in_progress(void const* a, void const* b) {
    auto const& row = *static_cast<results::in_progress_row const*>(a);
    auto const& other = *static_cast<results::in_progress_row const*>(b);
    return results::key_order{}
        .then(std::int64_t{row.duration < 0}, std::int64_t{other.duration < 0})
        .then(row.file, other.file)
        .then(row.line, other.line)
        .then(row.operation, other.operation)
        .value();
}

/// Ranks that are in one call, or were when they died.
class ranks_in_call {
  public:
    explicit ranks_in_call(results::in_progress_row const& call) : call_{&call}, time_{time_of(call)} {}

    bool has(results::in_progress_row const& row) const { return by_call_in_progress(call_, &row) == 0; }

    void add(results::in_progress_row const& row) {
        results::merge(ranks_, {{row.rank, row.rank}});
        auto const time = time_of(row);
        // "At most" and "or more" are to be true of all of them.
        if (row.duration < 0 ? time < time_ : time > time_) time_ = time;
    }

    void write(writer& to, places const& places) const {
        bool const one = results::size(ranks_) == 1;
        bool const dead = call_->duration < 0;
        to << (one ? "Rank " : "Ranks ") << ranks(ranks_)
           << (dead  ? one ? " was" : " were"
               : one ? " is"
                     : " are")
           << " in " << printable(call_->operation);
        if (!call_->file.empty()) to << " at " << places.name(call_->file, call_->line);
        if (dead) to << ", called " << duration(time_) << " or more after the start.\n";
        else to << ", for at most " << duration(time_) << ".\n";
    }

  private:
    static std::int64_t time_of(results::in_progress_row const& row) {
        return row.duration < 0 ? row.since : row.duration;
    }

    results::in_progress_row const* call_;
    results::rank_set ranks_;
    std::int64_t time_;
};

}  // namespace detail

/// A line for each call that ranks were in when their shards were read, or when they died, as far as that is
/// known. A call is known to have begun after the end of the one before it, and not when. "" where there are
/// none.
[[gnu::cold]] inline std::string calls_in_progress(results::profile const& run) {
    std::string text;
    writer to{text};
    places const places{run};
    auto const rows = run.in_progress.sorted(&detail::by_call_in_progress);
    for (std::size_t first = 0; first < rows.size();) {
        auto const at = [&](std::size_t row) -> auto& {
            return *static_cast<results::in_progress_row const*>(rows[row]);
        };
        detail::ranks_in_call here{at(first)};
        while (first < rows.size() && here.has(at(first))) here.add(at(first++));
        here.write(to, places);
    }
    return text;
}

}  // namespace mpiprof::inline v1::report
