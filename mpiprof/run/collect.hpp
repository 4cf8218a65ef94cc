// From a sink's rows to the model of a run, on one rank.
#pragma once

#include <mpiprof/results/merge.hpp>
#include <mpiprof/run/communicators.hpp>
#include <mpiprof/run/phase.hpp>
#include <mpiprof/sinks/summary.hpp>

#include <string>
#include <vector>

namespace mpiprof::inline v1 {

/// A sink that a profile can be made of. `collect(profile&, to_nanoseconds, phases)` adds the sink's rows,
/// one rank's.
template <class Sink>
inline constexpr bool has_results = false;

template <std::size_t Capacity>
inline constexpr bool has_results<sinks::basic_summary<Capacity>> = true;

namespace detail {

/// Rows of a summary as rows of a profile; `ToNanoseconds` turns ticks into nanoseconds.
template <class ToNanoseconds>
class row_collector {
  public:
    row_collector(results::profile& into, std::int64_t rank, ToNanoseconds to_nanoseconds)
        : into_{into},
          rank_{rank},
          to_nanoseconds_{to_nanoseconds},
          phases_{phase_registry::instance().entries()} {}

    void add(sinks::summary_key const& key, sinks::call_row const& row) {
        auto const statistics = statistics_of(row);
        std::string const operation = name(key.operation);
        into_.calls.push_back({operation, name(key.request), key.communicator, key.file, key.line,
                               phases_[key.phase].name, statistics});
        into_.operations.push_back({operation, statistics});
        into_.call_sites.push_back({operation, key.file, key.line, statistics});
        mpi_time_ += statistics.time.sum;
    }

    void add(sinks::summary_key const& key, sinks::completion_row const& row) {
        std::string const operation = name(key.operation);
        into_.completions.push_back({operation, key.communicator, key.file, key.line, phases_[key.phase].name,
                                     row.completions.get(), row.cancelled.get(), row.received.get(),
                                     row.taken_back.get(), row.unknown.get(), times_of(row.pending)});
        auto const statistics = statistics_of(row);
        into_.operations.push_back({operation, statistics});
        into_.call_sites.push_back({operation, key.file, key.line, statistics});
    }

    void add_overflow(sinks::call_row const& calls, sinks::completion_row const& completions) {
        add_calls(into_.overflow, statistics_of(calls));
        add_calls(into_.overflow, statistics_of(completions));
    }

    /// Puts rows of one key together, and notes them as this rank's.
    void finish() {
        combine_rows(into_.calls);
        combine_rows(into_.operations);
        combine_rows(into_.call_sites);
        results::combine(into_.completions);
        note_rank(into_.overflow);
        mpi_time_ += into_.overflow.time.sum;
        into_.mpi_time = results::over_ranks::of(mpi_time_, rank_);
        for (auto const& known : communicator_registry::instance().entries()) {
            into_.communicators.push_back({known.id, known.name, known.size, known.parent, known.guessed, 1});
        }
        for (auto const& phase : phases_) {
            if (phase.entered == 0) continue;
            into_.phases.push_back(
                {phase.name, phase.entered, phase.depth, results::over_ranks::of(phase.time, rank_)});
        }
        results::combine(into_.phases);
    }

  private:
    results::times times_of(sinks::sample const& sample) const {
        // An empty sample's extremes are not times.
        if (sample.most.get() < sample.least.get()) return {};
        return {to_nanoseconds_(sample.sum.get()), to_nanoseconds_(sample.least.get()),
                to_nanoseconds_(sample.most.get())};
    }

    results::statistics statistics_of(sinks::call_row const& row) const {
        results::statistics result;
        result.calls = row.calls.get();
        result.failed = row.failed.get();
        result.incomplete = row.incomplete.get();
        result.estimated = row.estimated.get();
        result.unknown = row.unknown.get();
        result.sent = row.sent.get();
        result.received = row.received.get();
        result.overhead = row.overhead.get();
        result.time = times_of(row.time);
        return result;
    }

    static results::statistics statistics_of(sinks::completion_row const& row) {
        results::statistics result;
        result.completions = row.completions.get();
        result.unknown = row.unknown.get();
        result.received = row.received.get();
        result.sent = -row.taken_back.get();
        return result;
    }

    void note_rank(results::statistics& statistics) const {
        if (statistics.calls > 0) statistics.rank_time = results::over_ranks::of(statistics.time.sum, rank_);
    }

    template <class Row>
    void combine_rows(std::vector<Row>& rows) const {
        results::combine(rows);
        for (auto& row : rows) note_rank(row.statistics);
    }

    results::profile& into_;
    std::int64_t rank_;
    ToNanoseconds to_nanoseconds_;
    std::vector<phase_registry::entry> phases_;
    std::int64_t mpi_time_ = 0;
};

}  // namespace detail

/// Adds a summary's rows to the profile of `rank`.
template <std::size_t Capacity, class ToNanoseconds>
void collect(results::profile& into, std::int64_t rank, sinks::basic_summary<Capacity> const& summary,
             ToNanoseconds to_nanoseconds) {
    detail::row_collector collector{into, rank, to_nanoseconds};
    auto const add = [&](auto const& key, auto const& row) { collector.add(key, row); };
    summary.for_each_call(add);
    summary.for_each_completion(add);
    summary.for_each_overflow(
        [&](auto const& calls, auto const& completions) { collector.add_overflow(calls, completions); });
    into.lost = summary.lost();
    collector.finish();
}

}  // namespace mpiprof::inline v1
