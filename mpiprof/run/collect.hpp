// From a summary's rows to the model of a run, on one rank.
#pragma once

#include <mpiprof/results/merge.hpp>
#include <mpiprof/sinks/summary_view.hpp>

#include <string>

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
    [[gnu::cold]] void add(sinks::summary_view const& shard) {
        shard.for_each_call([&](auto const& row) { add_calls(shard, row); });
        shard.for_each_completion([&](auto const& row) { add_completions(shard, row); });
        shard.for_each_peer([&](auto const& row) { add_peer(row); });
        results::add_calls(into_.overflow, statistics_of(shard.other_calls()));
        results::add_calls(into_.overflow, statistics_of(shard.other_completions()));
        auto const& others = shard.other_peers();
        if ((others.sends.get() | others.receives.get()) != 0) add_peer(others);
    }

    /// Puts rows of one key together, and notes them as this rank's.
    [[gnu::cold]] void finish() {
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
    [[gnu::cold]] void add_calls(sinks::summary_view const& shard, sinks::call_row const& row) {
        auto& made = into_.calls.append();
        made.operation = name(row.key.operation());
        made.request = name(row.key.request());
        made.communicator = row.key.communicator();
        made.file = shard.file_of(row);
        made.line = row.key.line();
        made.phase = shard.phase_of(row);
        made.statistics = statistics_of(row);
        add_sums(made.operation, made.file, made.line, made.statistics);
    }

    [[gnu::cold]] void add_completions(sinks::summary_view const& shard, sinks::completion_row const& row) {
        auto const statistics = statistics_of(row);
        auto& made = into_.completions.append();
        made.operation = name(row.key.operation());
        made.communicator = row.key.communicator();
        made.file = shard.file_of(row);
        made.line = row.key.line();
        made.phase = shard.phase_of(row);
        made.completions = statistics.completions;
        made.cancelled = row.cancelled.get();
        made.received = statistics.received;
        made.read = statistics.read;
        made.taken_back = -statistics.sent;
        made.unknown = statistics.unknown;
        made.pending = times_of(row.pending, statistics.completions);
        made.waited = times_of(row.waited, statistics.completions);
        made.sizes = statistics.sizes;
        add_sums(made.operation, made.file, made.line, statistics);
    }

    /// Adds to the rows that sum over what a row of calls or completions tells apart.
    [[gnu::cold]] void add_sums(std::string const& operation, std::string const& file, std::int64_t line,
                                results::statistics const& statistics) {
        auto& all = into_.operations.append();
        all.operation = operation;
        all.statistics = statistics;
        auto& here = into_.call_sites.append();
        here.operation = operation;
        here.file = file;
        here.line = line;
        here.statistics = statistics;
    }

    [[gnu::cold]] void add_peer(sinks::peer_row const& row) {
        auto& made = into_.peers.append();
        made.rank = rank_;
        made.communicator = row.key.communicator;
        made.peer = row.key.peer;
        made.sends = row.sends.get();
        made.sent = row.sent.get();
        made.receives = row.receives.get();
        made.received = row.received.get();
    }

    std::int64_t nanoseconds(std::int64_t ticks) const {
        return rate_ == 1 ? ticks : static_cast<std::int64_t>(static_cast<double>(ticks) * rate_);
    }

    [[gnu::cold]] results::times times_of(sinks::sample const& sample, std::int64_t count) const {
        // An empty sample's extremes are not times.
        if (sample.most() < 0) return {};
        return {nanoseconds(sample.sum()), nanoseconds(sample.least()), nanoseconds(sample.most()),
                sample.deviation(count) * rate_ * rate_};
    }

    [[gnu::cold]] static results::histogram histogram_of(sinks::histogram const& from) {
        results::histogram counts;
        for (std::size_t bucket = 0; bucket < from.size; ++bucket) {
            if (from[bucket] == 0) continue;
            counts.resize(bucket + 1);
            counts[bucket] = from[bucket];
        }
        return counts;
    }

    [[gnu::cold]] results::statistics statistics_of(sinks::call_row const& row) const {
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
        result.written = row.written.get();
        result.read = row.read.get();
        result.time = times_of(row.time, result.calls);
        return result;
    }

    [[gnu::cold]] static results::statistics statistics_of(sinks::completion_row const& row) {
        results::statistics result;
        result.completions = row.completions.get();
        result.unknown = row.unknown.get();
        result.received = row.received.get();
        result.read = row.read.get();
        result.sent = -row.taken_back.get();
        result.sizes = histogram_of(row.sizes);
        return result;
    }

    [[gnu::cold]] void note_rank(results::statistics& statistics) const {
        if (statistics.calls > 0) statistics.rank_time = results::over_ranks::of(statistics.time.sum, rank_);
    }

    template <class Row>
    void combine_rows(results::rows<Row>& list) const {
        results::combine(list);
        for (auto& row : list) note_rank(row.statistics);
    }

    results::profile& into_;
    std::int64_t rank_;
    double rate_;
};

}  // namespace mpiprof::inline v1::detail
