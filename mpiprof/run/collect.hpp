// From a summary's rows to the model of a run, on one rank.
#pragma once

#include <mpiprof/results/merge.hpp>
#include <mpiprof/sinks/summary_view.hpp>

#include <string>
#include <vector>

namespace mpiprof::inline v1::detail {

/// A sink that a profile can be made of.
template <class Sink>
concept summary_sink = requires(Sink const& value) {
    value.for_each_shard([](sinks::summary_view const&) {});
    value.lost();
};

/// Rows of one rank's shards as rows of a profile; `nanoseconds_per_tick` is the clock's rate.
class row_collector {
  public:
    row_collector(results::profile& into, std::int64_t rank, double nanoseconds_per_tick)
        : into_{into},
          rank_{rank},
          rate_{nanoseconds_per_tick} {}

    /// Adds the rows of one shard.
    void add(sinks::summary_view const& shard) {
        shard.for_each_call([&](auto const& row) { add_calls(shard, row); });
        shard.for_each_completion([&](auto const& row) { add_completions(shard, row); });
        shard.for_each_peer([&](auto const& row) { add_peer(row); });
        results::add_calls(into_.overflow, statistics_of(shard.other_calls()));
        results::add_calls(into_.overflow, statistics_of(shard.other_completions()));
        auto const& others = shard.other_peers();
        if (others.sends.get() + others.receives.get() > 0) add_peer(others);
    }

    /// Puts rows of one key together, and notes them as this rank's.
    void finish() {
        combine_rows(into_.calls);
        combine_rows(into_.operations);
        combine_rows(into_.call_sites);
        results::combine(into_.completions);
        results::combine(into_.peers);
        note_rank(into_.overflow);
        auto mpi_time = into_.overflow.time.sum;
        for (auto const& row : into_.operations) mpi_time += row.statistics.time.sum;
        into_.mpi_time = results::over_ranks::of(mpi_time, rank_);
    }

  private:
    void add_calls(sinks::summary_view const& shard, sinks::call_row const& row) {
        auto const statistics = statistics_of(row);
        std::string const operation = name(row.key.operation());
        std::string const file = shard.file_of(row);
        into_.calls.push_back({operation, name(row.key.request()), row.key.communicator(), file,
                               row.key.line(), shard.phase_of(row), statistics});
        into_.operations.push_back({operation, statistics});
        into_.call_sites.push_back({operation, file, row.key.line(), statistics});
    }

    void add_completions(sinks::summary_view const& shard, sinks::completion_row const& row) {
        auto const statistics = statistics_of(row);
        std::string const operation = name(row.key.operation());
        std::string const file = shard.file_of(row);
        into_.completions.push_back({operation, row.key.communicator(), file, row.key.line(),
                                     shard.phase_of(row), row.completions.get(), row.cancelled.get(),
                                     row.received.get(), row.taken_back.get(), row.unknown.get(),
                                     times_of(row.pending, row.completions.get()), statistics.sizes});
        into_.operations.push_back({operation, statistics});
        into_.call_sites.push_back({operation, file, row.key.line(), statistics});
    }

    void add_peer(sinks::peer_row const& row) {
        into_.peers.push_back({rank_, row.key.communicator, row.key.peer, row.sends.get(), row.sent.get(),
                               row.receives.get(), row.received.get()});
    }

    std::int64_t nanoseconds(std::int64_t ticks) const {
        return rate_ == 1 ? ticks : static_cast<std::int64_t>(static_cast<double>(ticks) * rate_);
    }

    results::times times_of(sinks::sample const& sample, std::int64_t count) const {
        // An empty sample's extremes are not times.
        if (sample.most() < 0) return {};
        return {nanoseconds(sample.sum()), nanoseconds(sample.least()), nanoseconds(sample.most()),
                sample.deviation(count) * rate_ * rate_};
    }

    static results::histogram histogram_of(sinks::histogram const& from) {
        results::histogram counts;
        for (std::size_t bucket = 0; bucket < from.size; ++bucket) {
            if (from[bucket] == 0) continue;
            counts.resize(bucket + 1);
            counts[bucket] = from[bucket];
        }
        return counts;
    }

    results::statistics statistics_of(sinks::call_row const& row) const {
        results::statistics result;
        result.durations = histogram_of(row.durations);
        // From the copy, so that the two agree while the row's thread goes on.
        for (auto const count : result.durations) result.calls += count;
        result.sizes = histogram_of(row.sizes);
        result.failed = row.failed.get();
        result.incomplete = row.incomplete.get();
        result.estimated = row.estimated.get();
        result.unknown = row.unknown.get();
        result.sent = row.sent.get();
        result.received = row.received.get();
        result.overhead = row.overhead.get();
        result.time = times_of(row.time, result.calls);
        return result;
    }

    static results::statistics statistics_of(sinks::completion_row const& row) {
        results::statistics result;
        result.completions = row.completions.get();
        result.unknown = row.unknown.get();
        result.received = row.received.get();
        result.sent = -row.taken_back.get();
        result.sizes = histogram_of(row.sizes);
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
    double rate_;
};

}  // namespace mpiprof::inline v1::detail
