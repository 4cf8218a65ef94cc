// The one timeline of a run, onto which the clocks of its ranks are put.
#pragma once

#include <mpiprof/run/trace_head.hpp>
#include <mpiprof/traces/trace.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace mpiprof::inline v1::traces {

/// Sum and difference of times. Those of a damaged file may be anything; they go round where they have no
/// room.
constexpr std::int64_t sum(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t difference(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// How one clock runs by another: a straight line.
struct clock_line {
    /// A moment by both, in ticks and in nanoseconds.
    std::int64_t ticks = 0;
    std::int64_t nanoseconds = 0;
    /// Nanoseconds per tick.
    double rate = 1;

    /// The time at these ticks. Whatever a damaged file says, it is no more than a hundred years away.
    std::int64_t at(std::int64_t other) const noexcept;
};

/// The clocks of the ranks of a run.
class timeline {
  public:
    /// Of the ranks whose heads these are, in order of their numbers. What is not known goes to `notes`.
    timeline(std::vector<trace_head const*> const& heads, std::vector<std::string>& notes);

    /// The time on the timeline of a rank's ticks (its place in the heads). Never before 0.
    std::int64_t time(std::size_t rank, std::int64_t ticks) const noexcept;
    clock_knowledge known(std::size_t rank) const noexcept { return clocks_[rank].known; }
    /// As rank::clock_error.
    std::int64_t error(std::size_t rank) const noexcept { return clocks_[rank].error; }

  private:
    struct rank_clock {
        /// By CLOCK_MONOTONIC of rank 0, or of the rank that stands in for it.
        clock_line line;
        clock_knowledge known = clock_knowledge::same;
        std::int64_t error = 0;
    };

    void place(std::vector<trace_head const*> const& heads, std::size_t reference, std::size_t rank);

    std::vector<rank_clock> clocks_;
    std::int64_t zero_ = 0;
};

}  // namespace mpiprof::inline v1::traces
