// What is known of many calls of one kind.
#pragma once

#include <mpiprof/results/over_ranks.hpp>

namespace mpiprof::inline v1::results {

/// A sample of times in nanoseconds: sum and extremes; the extremes are 0 when it is empty.
struct times {
    std::int64_t sum = 0;
    std::int64_t least = 0;
    std::int64_t most = 0;

    template <class Self, class Field>
    static constexpr void describe(Self& self, Field&& field) {
        field("sum", self.sum);
        field("least", self.least);
        field("most", self.most);
    }
};

/// Sums over calls, on one rank or many. Bytes received by a request's completion count for the operation
/// that made the request; unknown byte counts are counted in `unknown` and add to no sum.
struct statistics {
    std::int64_t calls = 0;
    std::int64_t failed = 0;
    std::int64_t incomplete = 0;
    std::int64_t estimated = 0;
    std::int64_t unknown = 0;
    std::int64_t completions = 0;
    std::int64_t sent = 0;
    std::int64_t received = 0;
    std::int64_t overhead = 0;
    times time;
    /// Each rank's time in these calls.
    over_ranks rank_time;

    double mean_time() const noexcept {
        return calls == 0 ? 0.0 : static_cast<double>(time.sum) / static_cast<double>(calls);
    }

    template <class Self, class Field>
    static constexpr void describe(Self& self, Field&& field) {
        field("calls", self.calls);
        field("failed", self.failed);
        field("incomplete", self.incomplete);
        field("estimated", self.estimated);
        field("unknown", self.unknown);
        field("completions", self.completions);
        field("sent", self.sent);
        field("received", self.received);
        field("overhead", self.overhead);
        field("time", self.time);
        field("rank_time", self.rank_time);
    }
};

/// Adds a sample of `more_count` times to one of `count`.
constexpr void merge(times& into, std::int64_t count, times const& from, std::int64_t from_count) noexcept {
    if (from_count == 0) return;
    into.sum += from.sum;
    if (count == 0 || from.least < into.least) into.least = from.least;
    if (count == 0 || from.most > into.most) into.most = from.most;
}

/// Adds the sums of further calls, all but `rank_time`: this is how rows of one rank are put together.
constexpr void add_calls(statistics& into, statistics const& from) noexcept {
    merge(into.time, into.calls, from.time, from.calls);
    into.calls += from.calls;
    into.failed += from.failed;
    into.incomplete += from.incomplete;
    into.estimated += from.estimated;
    into.unknown += from.unknown;
    into.completions += from.completions;
    into.sent += from.sent;
    into.received += from.received;
    into.overhead += from.overhead;
}

/// Takes the calls of other ranks in.
constexpr void merge(statistics& into, statistics const& from) noexcept {
    add_calls(into, from);
    merge(into.rank_time, from.rank_time);
}

}  // namespace mpiprof::inline v1::results
