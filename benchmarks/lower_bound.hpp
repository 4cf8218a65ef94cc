// The least that measuring a call can cost: two clock reads and an accumulate.
#pragma once

#include "clocks.hpp"

namespace benchmarks {

/// Written by hand, inlined, for one thread and one kind of call: what no profiler can undercut. The test
/// lower_bound_test asserts how many instructions it takes.
template <class Clock>
struct lower_bound {
    static inline constinit std::int64_t time = 0;
    static inline constinit std::int64_t calls = 0;

    template <class Call>
    [[gnu::always_inline]] static auto measure(Call call) {
        auto const begin = Clock::now();
        auto const result = call();
        time += Clock::now() - begin;
        ++calls;
        return result;
    }
};

}  // namespace benchmarks
