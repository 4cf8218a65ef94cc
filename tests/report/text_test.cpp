// The text report: what a person reads of a profile.
#include <mpiprof/report/text.hpp>

#include <gtest/gtest.h>

namespace {

using namespace mpiprof;
using mpiprof::report::duration;
using mpiprof::report::to_text;

results::statistics calls_of(std::int64_t number, std::int64_t time, std::int64_t sent) {
    results::statistics made;
    made.calls = number;
    made.sent = sent;
    made.time = {time, 1, time};
    made.rank_time = results::over_ranks::of(time, 1);
    return made;
}

results::profile a_run() {
    results::profile run;
    run.program = "heat";
    run.start = "2026-11-30T14:25:24Z";
    run.library = "Open MPI v4.1.4";
    run.clock = "steady";
    run.world_size = 2;
    run.ranks = {{0, 1}};
    run.hosts = {{"node1", 2}};
    run.run_time = {2, 4'000'000'000, 2'000'000'000, 2'000'000'000, 0};
    run.mpi_time = {2, 1'000'000'000, 400'000'000, 600'000'000, 1};
    run.operations = {{"allreduce", calls_of(10, 200'000'000, 3'145'728'000)},
                      {"send", calls_of(4, 800'000'000, 8)}};
    run.call_sites = {
        {"allreduce", "/home/user/heat/solver.cpp", 214, calls_of(10, 200'000'000, 3'145'728'000)},
        {"send", "/home/user/heat/io/write.cpp", 7, calls_of(4, 800'000'000, 8)}};
    return run;
}

/// The line that begins with `text`, with runs of spaces as one.
std::string line(std::string const& report, std::string const& text) {
    auto const first = report.find('\n' + text) + 1;
    if (first == 0) return "no line begins with " + text;
    std::string squeezed;
    for (auto const character : report.substr(first, report.find('\n', first) - first)) {
        if (character != ' ' || squeezed.back() != ' ') squeezed += character;
    }
    return squeezed;
}

TEST(text_report, says_in_its_head_what_ran_and_how_much_of_it_was_mpi) {
    auto const text = to_text(a_run());
    EXPECT_EQ(text.substr(0, text.find('\n')), "mpiprof report: heat, 2 ranks on 1 host, Open MPI v4.1.4");
    EXPECT_NE(text.find("start 2026-11-30T14:25:24Z, run time 2.00 s, clock steady"), std::string::npos);
    EXPECT_NE(text.find("MPI takes 25.0 % of the run: 500.0 ms a rank, from 400.0 ms to 600.0 ms on rank 1"),
              std::string::npos);
}

TEST(text_report, has_a_row_for_each_operation_and_call_site_the_longest_first) {
    auto const text = to_text(a_run());
    EXPECT_EQ(line(text, "send "), "send 4 800.0 ms 20.0 1 ns 200.0 ms 800.0 ms 0.0 1 8 0");
    EXPECT_EQ(line(text, "allreduce "),
              "allreduce 10 200.0 ms 5.0 1 ns 20.00 ms 200.0 ms 0.0 1 3145728000 0");
    EXPECT_LT(text.find("\nsend "), text.find("\nallreduce "));
    EXPECT_EQ(line(text, "solver.cpp:214").substr(0, 27), "solver.cpp:214 allreduce 10");
    EXPECT_EQ(line(text, "io/write.cpp:7").substr(0, 21), "io/write.cpp:7 send 4");
}

TEST(text_report, of_nothing_has_no_nan) {
    for (auto run : {results::profile{}, a_run()}) {
        run.operations.clear();
        run.run_time = run.mpi_time = {};
        auto const text = to_text(run);
        EXPECT_NE(text.find("No calls were recorded."), std::string::npos);
        EXPECT_NE(text.find("MPI takes 0.0 % of the run"), std::string::npos);
        EXPECT_EQ(text.find("nan"), std::string::npos);
        EXPECT_EQ(text.find("inf"), std::string::npos);
    }
}

TEST(text_report, says_what_it_leaves_out) {
    auto run = a_run();
    run.world_size = 8;
    run.ranks = {{0, 1}, {4, 4}};
    run.operations[0].statistics.failed = 2;
    run.operations[1].statistics.unknown = 3;
    run.overflow = calls_of(5, 100, 1);
    run.lost = 6;
    auto const text = to_text(run);
    EXPECT_EQ(line(text, "Missing:"), "Missing: 5 ranks of 8 (2-3, 5-7).");
    EXPECT_EQ(line(text, "Failed:"), "Failed: 2 calls, counted and timed, without bytes.");
    EXPECT_EQ(line(text, "?:"), "?: the bytes of 3 records are unknown and not in the sums.");
    EXPECT_EQ(line(text, "send ").substr(line(text, "send ").size() - 6), " 8? 0?");
    EXPECT_EQ(line(text, "Overflow: 5 calls").substr(0, 17), "Overflow: 5 calls");
    EXPECT_EQ(line(text, "Lost:"), "Lost: 6 records for lack of memory.");
}

TEST(text_report, gives_the_terminal_nothing_to_act_on) {
    auto run = a_run();
    run.program = "red\x1b[31m";
    run.call_sites[0].file = "/home/user/heat/bell\a.cpp";
    auto const text = to_text(run);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\a'), std::string::npos);
}

TEST(text_report, takes_an_unknown_call_site) {
    auto run = a_run();
    run.call_sites = {{"waitall", "", 0, calls_of(1, 5, 0)}};
    EXPECT_EQ(line(to_text(run), "unknown").substr(0, 17), "unknown waitall 1");
}

TEST(duration, has_three_or_four_digits_and_a_unit) {
    EXPECT_EQ(duration(std::int64_t{0}), "0 ns");
    EXPECT_EQ(duration(std::int64_t{999}), "999 ns");
    EXPECT_EQ(duration(999.96), "1.00 us");
    EXPECT_EQ(duration(std::int64_t{1000}), "1.00 us");
    EXPECT_EQ(duration(std::int64_t{12'345}), "12.35 us");
    EXPECT_EQ(duration(std::int64_t{123'456'000}), "123.5 ms");
    EXPECT_EQ(duration(std::int64_t{7'200'000'000'000}), "7200.0 s");
}

TEST(decimal, is_rounded_and_padded) {
    EXPECT_EQ(report::decimal(0.05, 1), "0.1");
    EXPECT_EQ(report::decimal(3.007, 2), "3.01");
    EXPECT_EQ(report::decimal(3.007, 3), "3.007");
    EXPECT_EQ(report::decimal(-1.5, 1), "-1.5");
    EXPECT_EQ(report::decimal(99.96, 1), "100.0");
    EXPECT_EQ(report::decimal(2.5, 0), "3");
}

}  // namespace
