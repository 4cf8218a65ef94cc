// What is known of many calls of one kind.
#pragma once

#include <mpiprof/results/over_ranks.hpp>

#include <cstddef>
#include <vector>

namespace mpiprof::inline v1::results {

/// A sample of times in nanoseconds: sum, extremes and spread; all are 0 when it is empty.
struct times {
    std::int64_t sum = 0;
    std::int64_t least = 0;
    std::int64_t most = 0;
    /// Sum of the squared distances to the mean.
    double deviation = 0;

    [[gnu::cold]] void describe(field_visitor& field) {
        field("sum", sum);
        field("least", least);
        field("most", most);
        field("deviation", deviation);
    }
};

/// How many values there were by powers of two: element 0 counts zeros, element k the values from 2^(k-1) to
/// 2^k - 1, and element 39 all larger ones. Zeros at the end are left out.
using histogram = std::vector<std::int64_t>;

/// Sums over calls, on one rank or many. Bytes that a request's completion brought count for the operation
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
    /// Bytes to and from files.
    std::int64_t written = 0;
    std::int64_t read = 0;
    times time;
    /// Of the calls' durations in nanoseconds, and of the messages' sizes in bytes.
    histogram durations;
    histogram sizes;
    /// Each rank's time in these calls.
    over_ranks rank_time;

    double mean_time() const noexcept {
        return calls == 0 ? 0.0 : static_cast<double>(time.sum) / static_cast<double>(calls);
    }

    [[gnu::cold]] void describe(field_visitor& field) {
        field("calls", calls);
        field("failed", failed);
        field("incomplete", incomplete);
        field("estimated", estimated);
        field("unknown", unknown);
        field("completions", completions);
        field("sent", sent);
        field("received", received);
        field("overhead", overhead);
        field("written", written);
        field("read", read);
        field("time", time);
        field("durations", durations);
        field("sizes", sizes);
        field("rank_time", rank_time);
    }
};

/// Standard deviation of a sample of `count` times. Not std::sqrt: <cmath> takes long to compile.
inline double spread(times const& sample, std::int64_t count) noexcept {
    return count == 0 ? 0.0 : __builtin_sqrt(sample.deviation / static_cast<double>(count));
}

/// Adds a sample of `from_count` times to one of `count`; the deviations by Chan, Golub and LeVeque, which
/// keeps a small spread around a large mean.
[[gnu::cold, gnu::noinline]] inline void merge(times& into, std::int64_t count, times const& from,
                                               std::int64_t from_count) noexcept {
    if (from_count == 0) return;
    if (count > 0) {
        auto const size = static_cast<double>(count);
        auto const from_size = static_cast<double>(from_count);
        auto const distance =
            static_cast<double>(from.sum) / from_size - static_cast<double>(into.sum) / size;
        into.deviation += distance * distance * (size * from_size / (size + from_size));
    }
    into.deviation += from.deviation;
    into.sum += from.sum;
    if (count == 0 || from.least < into.least) into.least = from.least;
    if (count == 0 || from.most > into.most) into.most = from.most;
}

/// Adds the counts of another histogram.
[[gnu::cold, gnu::noinline]] inline void merge(histogram& into, histogram const& from) {
    if (into.size() < from.size()) into.resize(from.size());
    for (std::size_t bucket = 0; bucket < from.size(); ++bucket) into[bucket] += from[bucket];
}

/// Adds the sums of further calls, all but `rank_time`: this is how rows of one rank are put together.
[[gnu::cold, gnu::noinline]] inline void add_calls(statistics& into, statistics const& from) {
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
    into.written += from.written;
    into.read += from.read;
    merge(into.durations, from.durations);
    merge(into.sizes, from.sizes);
}

/// Takes the calls of other ranks in.
[[gnu::cold, gnu::noinline]] inline void merge(statistics& into, statistics const& from) {
    add_calls(into, from);
    merge(into.rank_time, from.rank_time);
}

}  // namespace mpiprof::inline v1::results
