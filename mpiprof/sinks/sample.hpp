// Sum, extremes and spread of a sample of times.
#pragma once

#include <mpiprof/sinks/counter.hpp>

namespace mpiprof::inline v1::sinks {

/// A sum of 128 bits; one writer. A reader may miss a carry that is on its way.
class wide_counter {
  public:
    __extension__ using number = unsigned __int128;

    [[gnu::always_inline]] void add(number value) noexcept {
        auto const sum = number{high_.own()} << 64 | low_.own();
        auto const next = sum + value;
        low_.set(static_cast<std::uint64_t>(next));
        high_.set(static_cast<std::uint64_t>(next >> 64));
    }

    number get() const noexcept { return number{high_.get()} << 64 | low_.get(); }

  private:
    basic_counter<std::uint64_t> low_;
    basic_counter<std::uint64_t> high_;
};

/// A sample of times in ticks, none of them negative; one writer. Its size is kept elsewhere.
class sample {
  public:
    [[gnu::always_inline]] void add(std::int64_t ticks) noexcept {
        if (ticks > most_.own()) most_.set(ticks);
        if (ticks < least_.own()) least_.set(ticks);
        sum_.add(ticks);
        // In integers: faster than in floating point, and exact for a small spread around a large mean.
        auto const length = static_cast<std::uint64_t>(ticks);
        squares_.add(wide_counter::number{length} * length);
    }

    std::int64_t sum() const noexcept { return sum_.get(); }
    /// INT64_MAX when empty.
    std::int64_t least() const noexcept { return least_.get(); }
    /// -1 when empty.
    std::int64_t most() const noexcept { return most_.get(); }

    /// Sum of the squared distances to the mean of `count` times, in squared ticks.
    double deviation(std::int64_t count) const noexcept {
        if (count <= 0) return 0;
        using number = wide_counter::number;
        auto const size = static_cast<number>(count);
        auto const sum = static_cast<number>(sum_.get());
        // The square of the sum may need more than 128 bits; the mean and what the division leaves do not.
        auto const mean = sum / size;
        auto const rest = sum % size;
        auto const about_mean = squares_.get() - mean * (sum + rest);
        auto const correction =
            static_cast<double>(rest) * static_cast<double>(rest) / static_cast<double>(size);
        auto const deviation = static_cast<double>(static_cast<signed_number>(about_mean)) - correction;
        return deviation > 0 ? deviation : 0;
    }

  private:
    __extension__ using signed_number = __int128;

    counter sum_;
    counter least_{INT64_MAX};
    counter most_{-1};
    wide_counter squares_;
};

}  // namespace mpiprof::inline v1::sinks
