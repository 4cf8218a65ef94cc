// Sum, extremes and spread of a sample of times.
#pragma once

#include <mpiprof/sinks/counter.hpp>

namespace mpiprof::inline v1::sinks {

/// A sample of times in ticks, none of them negative; one writer. Its size is kept elsewhere.
class sample {
  public:
    /// The squares are those of the distances to the first time, since those of the times themselves would
    /// lose a small spread around a large mean.
    [[gnu::always_inline]] void add(std::int64_t ticks) noexcept {
        if (auto const most = most_.own(); ticks > most) {
            if (most < 0) [[unlikely]]
                first_.set(ticks);
            most_.set(ticks);
        }
        if (ticks < least_.own()) least_.set(ticks);
        sum_.add(ticks);
        auto const distance = static_cast<double>(ticks - first_.own());
        squares_.add(distance * distance);
    }

    std::int64_t sum() const noexcept { return sum_.get(); }
    /// INT64_MAX when empty.
    std::int64_t least() const noexcept { return least_.get(); }
    /// -1 when empty.
    std::int64_t most() const noexcept { return most_.get(); }

    /// Sum of the squared distances to the mean of `count` times, in squared ticks.
    double deviation(std::int64_t count) const noexcept {
        if (count <= 0) return 0;
        auto const size = static_cast<double>(count);
        // Subtracted as integers: exact, whatever the size of the times.
        auto const distances = static_cast<double>(sum_.get() - first_.get() * count);
        auto const deviation = squares_.get() - distances * distances / size;
        return deviation > 0 ? deviation : 0;
    }

  private:
    counter sum_;
    counter least_{INT64_MAX};
    counter most_{-1};
    counter first_;
    basic_counter<double> squares_;
};

}  // namespace mpiprof::inline v1::sinks
