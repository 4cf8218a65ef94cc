// viewer_traces NAME FOLDER: writes the files of a trace that tests export, and prints their paths.
#include "tests/traces/trace_builder.hpp"

#include <cstdio>
#include <map>
#include <string>

namespace {

using mpiprof::call_site;
using mpiprof::operation;
using test_support::trace_builder;

mpiprof::call a_barrier(std::int64_t begin, std::int64_t end, call_site site) {
    mpiprof::call made;
    made.operation = operation::barrier;
    made.begin = begin;
    made.end = end;
    made.communicator = mpiprof::world_communicator;
    made.site = site;
    return made;
}

/// One call of half a microsecond, 10 hours and 7 nanoseconds after the start.
trace_builder one() {
    trace_builder run{1};
    constexpr std::int64_t begin = 36'000'000'000'007;
    run.rank(0).thread().call(a_barrier(begin, begin + 500, call_site{"one.cpp", 1}));
    return run;
}

/// A rank that recorded nothing.
trace_builder nothing() {
    trace_builder run{1};
    run.rank(0);
    return run;
}

/// Names that look like JSON, end in a backslash, or are no UTF-8, and records that were lost.
trace_builder names() {
    trace_builder run{1};
    auto& rank = run.rank(0);
    rank.facts.host = "ho\"st";
    rank.facts.program = "\xff\xfeprogram";
    rank.facts.command = "./program \"\\\" \x07";
    rank.facts.overwritten = 3;
    rank.facts.keeps_newest = true;
    rank.communicator({0x55, 0, 1, -1, 0, 0, 0, 0}, "ends in \\");
    auto& thread = rank.thread("thr\"ead\xc3");
    thread.phase_begin("{\"k\": \"v\"}", 1).phase_begin("\xc3\xa4,\r\n\x01\xff", 2);
    auto call = a_barrier(3, 4, call_site{"di\"r/\xe2\x82.cpp", 9});
    call.communicator = 0x55;
    thread.call(call);
    thread.phase_end("\xc3\xa4,\r\n\x01\xff", 5).phase_end("{\"k\": \"v\"}", 6);
    return run;
}

}  // namespace

int main(int argc, char** argv) {
    std::map<std::string, trace_builder (*)()> const traces{
        {"names", names}, {"nothing", nothing}, {"one", one}, {"small", test_support::small_program}};
    if (argc != 3 || !traces.contains(argv[1])) return 1;
    for (auto const& path : traces.at(argv[1])().write(argv[2])) std::puts(path.c_str());
    return 0;
}
