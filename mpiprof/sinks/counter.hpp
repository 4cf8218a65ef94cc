// A number that one thread writes and any thread may read.
#pragma once

#include <mpiprof/core/config.hpp>

#include <atomic>
#include <cstdint>

namespace mpiprof::inline v1::sinks {

/// A 64-bit counter with one writer: plain loads and stores to the processor, no data race to the language.
class counter {
  public:
    constexpr explicit counter(std::int64_t value = 0) noexcept : value_{value} {}

    std::int64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }
    void set(std::int64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }
    void add(std::int64_t value) noexcept { set(get() + value); }

  private:
    std::atomic<std::int64_t> value_;
};

/// Number, sum and extremes of a sample of times, in ticks; one writer.
struct sample {
    counter sum;
    counter least{INT64_MAX};
    counter most{INT64_MIN};

    void add(std::int64_t ticks) noexcept {
        // A clock that steps back must not make a time negative.
        if (ticks < 0) ticks = 0;
        sum.add(ticks);
        if (ticks < least.get()) least.set(ticks);
        if (ticks > most.get()) most.set(ticks);
    }
};

}  // namespace mpiprof::inline v1::sinks
