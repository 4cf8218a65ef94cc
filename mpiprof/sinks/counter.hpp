// A number that one thread writes and any thread may read.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>

namespace mpiprof::inline v1::sinks {

namespace detail {

template <class Number>
[[gnu::always_inline]] inline Number load(Number const& from) noexcept {
    Number value;
    __atomic_load(&from, &value, __ATOMIC_RELAXED);
    return value;
}

#if defined(__x86_64__) && !defined(__clang__)
// g++ makes three and five instructions of a relaxed load, an addition and a relaxed store.
[[gnu::always_inline]] inline void add(std::int64_t& to, std::int64_t value) noexcept {
    asm("{addq %1, %0|add %0, %1}" : "+m"(to) : "er"(value) : "cc");
}
[[gnu::always_inline]] inline void add(double& to, double value) noexcept {
    asm("{addsd %0, %1|addsd %1, %0}\n\t{movsd %1, %0|movsd %0, %1}" : "+m"(to), "+x"(value));
}
#else
template <class Number>
[[gnu::always_inline]] inline void add(Number& to, Number value) noexcept {
    value += load(to);
    __atomic_store(&to, &value, __ATOMIC_RELAXED);
}
#endif

}  // namespace detail

/// A number with one writer: plain loads and stores to the processor, no data race to the language.
template <class Number>
class basic_counter {
  public:
    constexpr basic_counter() noexcept = default;
    constexpr explicit basic_counter(Number value) noexcept : value_{value} {}

    [[gnu::always_inline]] Number get() const noexcept { return detail::load(value_); }
    /// For the writer, whom nobody's writing can disturb.
    [[gnu::always_inline]] Number own() const noexcept { return value_; }
    [[gnu::always_inline]] void set(Number value) noexcept {
        __atomic_store(&value_, &value, __ATOMIC_RELAXED);
    }
    [[gnu::always_inline]] void add(Number value) noexcept { detail::add(value_, value); }

  private:
    alignas(8) Number value_ = 0;
};

/// A 64-bit counter.
using counter = basic_counter<std::int64_t>;

}  // namespace mpiprof::inline v1::sinks
