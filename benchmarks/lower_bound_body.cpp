// Loops of calls without measuring and with each lower bound, and loops that pass the clock's reading on:
// lower_bound_test counts their instructions.
#include "lower_bound.hpp"

extern "C" {

int some_call(int);
int pass(std::int64_t);

#define LOOP(NAME, CALL)                                                                                     \
    int NAME(int n) {                                                                                        \
        int sum = 0;                                                                                         \
        for (int i = 0; i < n; ++i) sum += CALL;                                                             \
        return sum;                                                                                          \
    }

LOOP(passed, pass(i))
LOOP(passed_rdtsc, pass(benchmarks::rdtsc::now()))
LOOP(passed_clock_gettime, pass(benchmarks::clock_gettime::now()))

LOOP(plain, some_call(i))
LOOP(with_rdtsc, benchmarks::lower_bound<benchmarks::rdtsc>::measure([i] { return some_call(i); }))
LOOP(with_clock_gettime,
     benchmarks::lower_bound<benchmarks::clock_gettime>::measure([i] { return some_call(i); }))
}
