// Each operation in each variant: plain, with the lower bounds, off, paused, and with each instrumentation.
#pragma once

#include "instrumentations.hpp"
#include "lower_bound.hpp"

#include <mpiprof/run/profiler.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace benchmarks {

/// One operation in one variant.
struct benchmark_case {
    /// "barrier/tsc/payload/summary"
    std::string name;
    /// Does the operation so many times.
    void (*run)(std::int64_t times);
};

/// Without any measuring.
struct unmeasured {
    template <class Call>
    [[gnu::always_inline]] static auto measure(Call call) {
        return call();
    }
};

/// An operation has `name`; `by_hand<Measure>()`, which does it with `Measure::measure` around each call;
/// and `through(comm)`, which does it through a profiled communicator that `profiled<I>()` gives.
template <class Operation, class Measure>
[[gnu::noinline]] void run_by_hand(std::int64_t times) {
    Operation operation;
    for (std::int64_t i = 0; i < times; ++i) operation.template by_hand<Measure>();
}

template <class Operation, class Instrumentation>
[[gnu::noinline]] void run_through_mpiprof(std::int64_t times) {
    Operation operation;
    auto const comm = Operation::template profiled<Instrumentation>();
    for (std::int64_t i = 0; i < times; ++i) operation.through(comm);
}

template <class Operation>
void run_paused(std::int64_t times) {
    mpiprof::profiler<paused> const profiler;
    profiler.pause();
    run_through_mpiprof<Operation, paused>(times);
}

template <class Operation>
void add_cases(std::vector<benchmark_case>& cases) {
    auto const add = [&](std::string const& variant, auto run) {
        cases.push_back({std::string{Operation::name} + '/' + variant, run});
    };
    add("plain", &run_by_hand<Operation, unmeasured>);
    type_list<rdtsc, clock_gettime>::for_each([&]<class Clock> {
        add(std::string{"bound_"} + Clock::name, &run_by_hand<Operation, lower_bound<Clock>>);
    });
    add("off", &run_through_mpiprof<Operation, mpiprof::off>);
    add("paused", &run_paused<Operation>);
    for_each_combination<timings, bytes, sinks>([&]<class Timing, class Bytes, class Sink> {
        add(std::string{Timing::name} + '/' + Bytes::name + '/' + Sink::name,
            &run_through_mpiprof<Operation, mpiprof::instrumentation<Timing, Bytes, Sink>>);
    });
}

template <class... Operations>
std::vector<benchmark_case> cases_of() {
    std::vector<benchmark_case> cases;
    (add_cases<Operations>(cases), ...);
    return cases;
}

}  // namespace benchmarks
