// How often values of each order of magnitude came.
#pragma once

#include <mpiprof/sinks/counter.hpp>

#include <bit>
#include <cstddef>

namespace mpiprof::inline v1::sinks {

/// Counts values by powers of two: bucket 0 holds 0, bucket k the values from 2^(k-1) to 2^k - 1, and the
/// last one all larger ones. One writer.
class histogram {
  public:
    /// The last bucket begins at 2^38: 256 GiB, or 275 s in nanoseconds.
    static constexpr std::size_t size = 40;

    /// The bucket of a value, which is not negative.
    [[gnu::always_inline]] static constexpr std::size_t bucket_of(std::int64_t value) noexcept {
        // The bit below keeps 0 apart without a branch.
        auto const bits = static_cast<std::uint64_t>(value) * 2 + 1;
        auto const highest = static_cast<unsigned>(63 ^ std::countl_zero(bits));
        return highest < size ? highest : size - 1;
    }

    [[gnu::always_inline]] void add(std::int64_t value) noexcept { counts_[bucket_of(value)].add(1); }

    std::int64_t operator[](std::size_t bucket) const noexcept { return counts_[bucket].get(); }

    /// Values in all buckets.
    std::int64_t total() const noexcept {
        std::int64_t sum = 0;
        for (auto const& each : counts_) sum += each.get();
        return sum;
    }

  private:
    counter counts_[size];
};

}  // namespace mpiprof::inline v1::sinks
