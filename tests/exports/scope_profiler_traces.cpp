// scope_profiler_traces NAME FOLDER: writes the files of a trace that tests export.
#include "tests/traces/trace_builder.hpp"

#include <cstdio>
#include <map>
#include <string>

namespace {

using mpiprof::call_site;
using mpiprof::operation;
using test_support::trace_builder;

mpiprof::call a_call(operation what, std::int64_t begin, std::int64_t end, std::int64_t bytes,
                     call_site site) {
    mpiprof::call made;
    made.operation = what;
    made.begin = begin;
    made.end = end;
    made.sent = bytes;
    made.communicator = mpiprof::world_communicator;
    made.site = site;
    return made;
}

/// Phases whose names look like paths, or are no UTF-8, and one that only rank 1 of 3 has.
trace_builder names() {
    trace_builder run{3};
    std::int64_t time = 0;
    for (std::string const name : {"a/b", "x/../y", ".", "..", "", "\xc3\xa4\xff\"\\\n"}) {
        run.rank(0).thread().phase_begin(name, time + 1).phase_end(name, time + 3);
        time += 10;
    }
    run.rank(1).thread().phase_begin("io", 5).phase_end("io", 9);
    run.rank(2).thread();
    return run;
}

/// 3000 broadcasts of 1 MiB, and a send of more than 4 GiB with the largest tag.
trace_builder large() {
    trace_builder run{1};
    auto& main = run.rank(0).thread();
    for (std::int64_t time = 0; time < 30000; time += 10) {
        auto call = a_call(operation::bcast, time, time + 1, 1 << 20, call_site{"large.cpp", 3});
        call.root = 0;
        main.call(call);
    }
    auto call = a_call(operation::send, 40000, 40001, 5'000'000'000, call_site{"large.cpp", 4});
    call.peer = 0;
    call.tag = 2147483647;
    main.call(call);
    return run;
}

/// One region of two places, one of one place, two without a line.
trace_builder places() {
    trace_builder run{1};
    auto& main = run.rank(0).thread();
    main.call(a_call(operation::send, 1, 2, 8, call_site{"a.cpp", 3}));
    main.call(a_call(operation::send, 3, 4, 8, call_site{"b.cpp", 3}));
    main.call(a_call(operation::ssend, 5, 6, 8, call_site{"a.cpp", 5}));
    main.call(a_call(operation::ssend, 7, 8, 8, call_site{"a.cpp", 5}));
    main.call(a_call(operation::bsend, 9, 10, 8, call_site{"program+0x12", 0}));
    main.call(a_call(operation::rsend, 11, 12, 8, call_site{"solve.cpp:12 < main.cpp:40", 0}));
    return run;
}

/// Ranks of two machines, whose own clocks are far apart and were compared.
trace_builder machines() {
    trace_builder run{2};
    auto& far = run.rank(1).facts;
    far.monotonic_start = 900'000'000'000;
    far.boot = "another boot";
    far.host = "far";
    // By rank 0's CLOCK_MONOTONIC it started 50 ns later.
    far.samples = {{far.start, 5'000'000'050, 7}, {far.start + 1000, 5'000'001'050, 7}};
    run.rank(0).facts.samples = {{1'000'000, 5'000'000'000, 0}, {1'001'000, 5'000'001'000, 0}};
    run.rank(0).thread().call(a_call(operation::barrier, 100, 200, 0, {}));
    run.rank(1).thread().call(a_call(operation::barrier, 60, 150, 0, {}));
    return run;
}

/// A rank that recorded nothing.
trace_builder nothing() {
    trace_builder run{1};
    run.rank(0);
    return run;
}

}  // namespace

int main(int argc, char** argv) {
    std::map<std::string, trace_builder (*)()> const traces{
        {"large", large},     {"machines", machines}, {"names", names},
        {"nothing", nothing}, {"places", places},     {"small", test_support::small_program}};
    if (argc != 3 || !traces.contains(argv[1])) return 1;
    for (auto const& path : traces.at(argv[1])().write(argv[2])) std::puts(path.c_str());
    return 0;
}
