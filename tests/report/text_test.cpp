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

TEST(text_report, names_call_sites_without_a_line_as_they_are_and_shortens_each_of_several_frames) {
    auto run = a_run();
    auto const one = calls_of(1, 1000, 0);
    for (auto const* const file :
         {"/home/user/heat/solver.cpp:4 < /home/user/heat/main.cpp:9", "solve(int)+0x1c < /elsewhere/a.cpp:2",
          "libsolve.so+0x12f0", "(no module)", ""}) {
        run.call_sites.push_back({"barrier", file, 0, one});
    }
    auto const text = to_text(run);
    auto const has = [](std::string const& report, std::string const& row) {
        return line(report, row).starts_with(row + " 1 ");
    };
    // What has no folder leaves the others' shared one alone; /elsewhere does not.
    EXPECT_TRUE(has(text, "/home/user/heat/solver.cpp:4 < /home/user/heat/main.cpp:9 barrier"));
    run.call_sites[3].file = "solve(int)+0x1c < /home/user/heat/io/write.cpp:2";
    auto const shared = to_text(run);
    for (auto const* const row :
         {"solver.cpp:4 < main.cpp:9 barrier", "solve(int)+0x1c < io/write.cpp:2 barrier",
          "libsolve.so+0x12f0 barrier", "(no module) barrier", "unknown barrier"}) {
        EXPECT_TRUE(has(shared, row)) << row;
    }
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

TEST(text_report, has_bytes_of_files_only_where_there_are_any) {
    auto run = a_run();
    EXPECT_EQ(to_text(run).find("written B"), std::string::npos);
    run.operations[1].statistics.written = 70;
    run.operations[1].statistics.read = 9;
    EXPECT_EQ(line(to_text(run), "operation "), "operation calls time run % min mean max imb % rank sent B "
                                                "received B written B read B");
    EXPECT_EQ(line(to_text(run), "send "), "send 4 800.0 ms 20.0 1 ns 200.0 ms 800.0 ms 0.0 1 8 0 70 9");
}

results::call_row call_on(std::int64_t communicator, std::int64_t number, std::int64_t time,
                          std::int64_t sent) {
    return {"send", "", communicator, "a.cpp", 1, "", calls_of(number, time, sent)};
}

TEST(text_report, has_a_row_for_each_communicator_with_calls_under_a_name_that_is_never_empty) {
    auto run = a_run();
    run.communicators = {
        {0, "MPI_COMM_WORLD", 2, -1, false, 2}, {1, "", 1, -1, false, 2},      {77, "", 2, 0, false, 2},
        {88, "halo", 1, 77, false, 1},          {89, "halo", 1, 77, false, 1}, {99, "  ", -1, -1, true, 1}};
    run.calls = {call_on(0, 3, 400'000'000, 10), call_on(0, 1, 100'000'000, 5),
                 call_on(77, 2, 300'000'000, 6), call_on(88, 1, 40'000'000, 7),
                 call_on(89, 1, 30'000'000, 8),  call_on(99, 1, 20'000'000, 9),
                 call_on(-1, 5, 10'000'000, 0),  call_on(123, 1, 1'000'000, 1)};
    results::completion_row done;
    done.operation = "irecv";
    done.communicator = 77;
    done.completions = 3;
    done.received = 50;
    done.taken_back = 2;
    run.completions = {done};
    auto const text = to_text(run);
    EXPECT_EQ(line(text, "communicator "),
              "communicator size parent guessed calls time run % sent B received B");
    EXPECT_EQ(line(text, "MPI_COMM_WORLD "), "MPI_COMM_WORLD 2 - no 4 500.0 ms 12.5 15 0");
    EXPECT_EQ(line(text, "comm=77 "), "comm=77 2 MPI_COMM_WORLD no 2 300.0 ms 7.5 4 50");
    EXPECT_EQ(line(text, "halo (comm=88) "), "halo (comm=88) 1 comm=77 no 1 40.00 ms 1.0 7 0");
    EXPECT_EQ(line(text, "halo (comm=89) "), "halo (comm=89) 1 comm=77 no 1 30.00 ms 0.8 8 0");
    EXPECT_EQ(line(text, "comm=99 "), "comm=99 - - yes 1 20.00 ms 0.5 9 0");
    EXPECT_EQ(line(text, "comm=123 "), "comm=123 - - - 1 1.00 ms 0.0 1 0");
    EXPECT_EQ(line(text, "- "), "- - - - 5 10.00 ms 0.3 0 0");
    EXPECT_EQ(text.find("\nself"), std::string::npos);
    EXPECT_LT(text.find("\nMPI_COMM_WORLD"), text.find("\ncomm=77"));
}

TEST(text_report, sums_up_the_communicators_with_the_least_time) {
    auto run = a_run();
    for (std::int64_t id = 100; id < 140; ++id) run.calls.push_back(call_on(id, 1, 1000 - id, 2));
    auto const text = to_text(run);
    EXPECT_NE(text.find("\ncomm=129 "), std::string::npos);
    EXPECT_EQ(text.find("\ncomm=130 "), std::string::npos);
    std::int64_t time = 0;
    for (std::int64_t id = 130; id < 140; ++id) time += 1000 - id;
    EXPECT_EQ(line(text, "10 more "), "10 more - - - 10 " + duration(time) + " 0.0 20 0");
}

TEST(text_report, says_how_long_requests_were_pending_and_what_of_it_could_have_overlapped_at_most) {
    auto run = a_run();
    EXPECT_EQ(to_text(run).find("requests of"), std::string::npos);
    auto const requests = [](char const* operation, std::int64_t number, std::int64_t pending,
                             std::int64_t waited) {
        results::completion_row row;
        row.operation = operation;
        row.completions = number;
        row.pending.sum = pending;
        row.waited.sum = waited;
        return row;
    };
    run.completions = {requests("irecv", 3, 500'000, 400'000), requests("isend", 4, 800'000, 200'000),
                       requests("irecv", 1, 100'000, 80'000),
                       requests("sendrecv", 9, 10'000'000, 10'000'000)};
    run.completions[0].cancelled = 1;
    auto const text = to_text(run);
    EXPECT_EQ(line(text, "requests of "),
              "requests of completed cancelled mean pending waited % overlap, upper bound");
    EXPECT_EQ(line(text, "irecv "), "irecv 4 1 150.0 us 80.0 120.0 us");
    EXPECT_EQ(line(text, "isend "), "isend 4 0 200.0 us 25.0 600.0 us");
    EXPECT_EQ(line(text, "sendrecv "), "no line begins with sendrecv ");
    EXPECT_LT(text.find("\nisend"), text.find("\nirecv"));
}

TEST(text_report, lists_requests_that_were_never_completed) {
    auto run = a_run();
    EXPECT_EQ(to_text(run).find("never completed"), std::string::npos);
    run.communicators = {{5, "halo", 2, 0, false, 2}};
    run.outstanding = {
        {"irecv", 5, -2, 7, "/home/user/heat/solver.cpp", 9, {2, 6, 1, 5, 1}},
        {"isend", 0, -3, 8, "/elsewhere/a.cpp", 2, results::over_ranks::of(7, 0)},
        {"ibarrier", 0, -1, -1, "", 0, results::over_ranks::of(1, 1)},
        {"recv_init", 0, 1, -2, "/home/user/heat/solver.cpp", 3, results::over_ranks::of(1, 1)}};
    auto const text = to_text(run);
    EXPECT_EQ(line(text, "never completed "), "never completed peer tag communicator requests ranks rank");
    EXPECT_EQ(line(text, "solver.cpp:9 irecv "), "solver.cpp:9 irecv any 7 halo 6 2 1");
    EXPECT_EQ(line(text, "/elsewhere/a.cpp:2 isend "), "/elsewhere/a.cpp:2 isend null 8 world 7 1 0");
    EXPECT_EQ(line(text, "unknown ibarrier "), "unknown ibarrier - - world 1 1 1");
    EXPECT_EQ(line(text, "solver.cpp:3 recv_init "), "solver.cpp:3 recv_init 1 any world 1 1 1");
    EXPECT_EQ(line(text, "Never completed:"), "Never completed: 15 requests, listed above.");
    EXPECT_LT(text.find("\n/elsewhere/a.cpp:2"), text.find("\nsolver.cpp:9 irecv"));
    run.outstanding.clear();
    for (std::int64_t tag = 0; tag < 33; ++tag)
        run.outstanding.push_back({"irecv", 0, 0, tag, "", 0, results::over_ranks::of(2, 0)});
    EXPECT_EQ(line(to_text(run), "others "), "others - - - 6 - -");
}

TEST(text_report, takes_an_unknown_call_site) {
    auto run = a_run();
    run.call_sites = {{"waitall", "", 0, calls_of(1, 5, 0)}};
    EXPECT_EQ(line(to_text(run), "unknown").substr(0, 17), "unknown waitall 1");
}

TEST(text_report, tells_of_ranks_that_are_in_one_call_together_of_the_dead_apart) {
    auto run = a_run();
    run.world_size = 6;
    run.ranks = {{0, 5}};
    run.unfinished = {{0, 5}};
    run.running = {{0, 3}};
    run.in_progress = {{0, "recv", "/home/user/heat/solver.cpp", 12, 1, 5, 2'000'000'000},
                       {1, "recv", "/home/user/heat/solver.cpp", 12, 2, 9, 12'000'000'000},
                       {2, "barrier", "", 0, 1, 9, 500},
                       {3, "recv", "/home/user/heat/solver.cpp", 12, 1, 9, 3'000'000'000},
                       {4, "recv", "/home/user/heat/solver.cpp", 12, 1, 4'000'000, -1},
                       {5, "recv", "/home/user/heat/solver.cpp", 12, 1, 3'000'000, -1}};
    auto const text = to_text(run);
    EXPECT_EQ(line(text, "Rank 2"), "Rank 2 is in barrier, for at most 500 ns.");
    EXPECT_EQ(line(text, "Ranks 0-1"), "Ranks 0-1, 3 are in recv at solver.cpp:12, for at most 12.00 s.");
    EXPECT_EQ(line(text, "Ranks 4-5"),
              "Ranks 4-5 were in recv at solver.cpp:12, called 3.00 ms or more after the start.");
    EXPECT_EQ(
        line(text, "Running"),
        "Running: 4 ranks (0-3) still ran when this was taken; above is what they had recorded by then.");
    EXPECT_EQ(line(text, "Unfinished"),
              "Unfinished: 2 ranks (4-5) did not reach the end; what they had recorded is above.");
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
