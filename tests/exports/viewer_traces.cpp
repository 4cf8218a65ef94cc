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

mpiprof::call a_call(operation what, int peer, std::int64_t begin, std::int64_t end) {
    mpiprof::call made;
    made.operation = what;
    made.begin = begin;
    made.end = end;
    made.communicator = mpiprof::world_communicator;
    made.peer = peer;
    made.tag = 7;
    return made;
}

/// Of a send to rank 1 that a start of several requests started.
mpiprof::completion a_started_send(std::int64_t posted, std::int64_t observed) {
    mpiprof::completion made;
    made.operation = operation::send_init;
    made.posted = posted;
    made.observed = observed;
    made.communicator = mpiprof::world_communicator;
    made.peer = 1;
    made.tag = 7;
    made.sent = 16;
    return made;
}

mpiprof::call a_start(std::int64_t begin, std::int64_t end) {
    mpiprof::call made;
    made.operation = operation::startall;
    made.begin = begin;
    made.end = end;
    made.sent = 16;
    return made;
}

/// Ranks 0 and 1 of three: persistent sends, started twice, an allreduce of all three, a receive from rank 2,
/// and a call site of an unmodified program whose file is not there.
trace_builder parts() {
    trace_builder run{3};
    auto reduce = a_call(operation::allreduce, mpiprof::not_applicable, 60, 70);
    reduce.tag = mpiprof::not_applicable;
    reduce.site = call_site{"/none/such/solver@0123456789abcdef+0x1234", 0};
    auto wait = a_call(operation::waitall, mpiprof::not_applicable, 30, 40);
    run.rank(0)
        .thread()
        .call(a_start(10, 12))
        .call(a_start(20, 23))
        .completion(a_started_send(9, 40))
        .completion(a_started_send(19, 40))
        .call(wait)
        .call(reduce);
    auto first = a_call(operation::recv, 0, 5, 25);
    auto second = a_call(operation::recv, 0, 26, 45);
    first.received = second.received = 16;
    run.rank(1).thread().call(first).call(second).call(reduce).call(a_call(operation::recv, 2, 80, 90));
    return run;
}

/// Four machines, whose clocks were compared twice, twice, once, and never.
trace_builder clocks() {
    trace_builder run{4};
    for (std::int64_t number = 0; number < 4; ++number) {
        auto& facts = run.rank(number).facts;
        facts.boot = facts.host = "node" + std::to_string(number);
        if (number == 3) continue;
        facts.samples = {{facts.start, facts.monotonic_start, 10 * number}};
        if (number == 2) continue;
        facts.samples.push_back({facts.start + 500, facts.monotonic_start + 500, 15 * number});
    }
    return run;
}

}  // namespace

int main(int argc, char** argv) {
    std::map<std::string, trace_builder (*)()> const traces{
        {"clocks", clocks}, {"names", names}, {"nothing", nothing},
        {"one", one},       {"parts", parts}, {"small", test_support::small_program}};
    if (argc != 3 || !traces.contains(argv[1])) return 1;
    for (auto const& path : traces.at(argv[1])().write(argv[2])) std::puts(path.c_str());
    return 0;
}
