// The settings in MPIPROF: what is understood, and one clear line for each part that is not.
#include <mpiprof/run/parse_settings.hpp>

#include <gtest/gtest.h>

namespace {

using mpiprof::merge_by;
using mpiprof::report_to;
using mpiprof::settings;

struct parsed {
    settings options;
    std::vector<std::string> problems;
};

parsed parse(std::string_view text, std::string_view sinks = "summary") {
    parsed result;
    result.problems = mpiprof::parse_settings(text, sinks, result.options);
    return result;
}

TEST(settings, are_read_from_one_line) {
    auto const [options, problems] =
        parse("output=run.json, sinks=summary+trace, start=paused, report=stderr,merge=files",
              "summary+trace+tally");
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(options.output, "run.json");
    EXPECT_EQ(options.sinks, "summary+trace");
    EXPECT_TRUE(options.start_paused);
    EXPECT_EQ(options.report, report_to::standard_error);
    EXPECT_EQ(options.merge, merge_by::files);
    EXPECT_FALSE(options.off);
}

TEST(settings, of_nothing_are_the_defaults) {
    for (auto const* text : {"", " ", ",", " , ,"}) {
        auto const [options, problems] = parse(text);
        EXPECT_TRUE(problems.empty()) << text;
        EXPECT_EQ(options.output, "");
        EXPECT_FALSE(options.start_paused);
        EXPECT_EQ(options.merge, merge_by::automatic);
    }
}

TEST(settings, can_turn_all_off) {
    EXPECT_TRUE(parse("off").options.off);
    EXPECT_TRUE(parse(" off , report=stderr").options.off);
}

TEST(settings, can_ask_for_queries) {
    EXPECT_FALSE(parse("report=stderr").options.queries);
    EXPECT_TRUE(parse("queries=on").options.queries);
    settings options;
    options.queries = true;
    EXPECT_TRUE(mpiprof::parse_settings("queries=off", "summary", options).empty());
    EXPECT_FALSE(options.queries);
}

TEST(settings, can_ask_for_call_sites_of_several_frames) {
    EXPECT_EQ(parse("").options.depth, 1);
    EXPECT_EQ(parse("depth=3").options.depth, 3);
    EXPECT_EQ(parse("depth=16").options.depth, 16);
}

TEST(settings, may_have_equal_signs_and_spaces_in_a_file_name) {
    EXPECT_EQ(parse("output=a=b c.json").options.output, "a=b c.json");
    EXPECT_EQ(parse("output = run.json ").options.output, "run.json");
}

TEST(settings, overrule_what_the_program_gave) {
    settings options;
    options.report = report_to::standard_error;
    options.start_paused = true;
    options.output = "program.json";
    EXPECT_TRUE(mpiprof::parse_settings("report=none,start=running", "summary", options).empty());
    EXPECT_EQ(options.report, report_to::nowhere);
    EXPECT_FALSE(options.start_paused);
    EXPECT_EQ(options.output, "program.json");
}

TEST(settings, of_a_trace_have_sizes_with_units) {
    struct size {
        char const* text;
        std::int64_t bytes;
    };
    for (auto const& [text, bytes] : {size{"65536", 65536}, size{"64KiB", 65536}, size{"64MiB", 67108864},
                                      size{"3GiB", 3221225472}, size{"1024GiB", 1099511627776}}) {
        mpiprof::settings options;
        auto const problems = mpiprof::parse_settings(std::string{"trace="} + text, "summary", options);
        EXPECT_TRUE(problems.empty()) << text;
        EXPECT_EQ(options.trace_size, bytes);
    }
    mpiprof::settings options;
    EXPECT_EQ(options.trace_size, 0);
    EXPECT_TRUE(mpiprof::parse_settings("trace_keep=newest,trace_spill=on", "summary", options).empty());
    EXPECT_EQ(options.trace_keep, mpiprof::trace_keep::newest);
    EXPECT_TRUE(options.trace_spill);
}

TEST(settings, that_are_wrong_are_named_with_what_is_allowed_and_change_nothing) {
    struct wrong {
        char const* text;
        char const* line;
    };
    for (auto const& [text, line] : {
             wrong{"outptu=x",
                   "mpiprof: MPIPROF: key 'outptu' is not known; allowed: off, clock, depth, "
                   "exclude, include, merge, "
                   "output, queries, ranks, report, shards, sinks, start, trace, trace_keep, trace_spill"},
             wrong{"on",
                   "mpiprof: MPIPROF: setting 'on' is not known; allowed: off, clock, depth, exclude, "
                   "include, merge, "
                   "output, queries, ranks, report, shards, sinks, start, trace, trace_keep, trace_spill"},
             wrong{"trace=big", "mpiprof: MPIPROF: trace 'big' is not known; allowed: a size from 64KiB to "
                                "1024GiB, as 64MiB"},
             wrong{"trace=1KiB", "mpiprof: MPIPROF: trace '1KiB' is not known; allowed: a size from 64KiB to "
                                 "1024GiB, as 64MiB"},
             wrong{"trace=2000GiB", "mpiprof: MPIPROF: trace '2000GiB' is not known; allowed: a size from "
                                    "64KiB to 1024GiB, as 64MiB"},
             wrong{"trace_keep=all",
                   "mpiprof: MPIPROF: trace_keep 'all' is not known; allowed: oldest, newest"},
             wrong{"report=html", "mpiprof: MPIPROF: report 'html' is not known; allowed: none, stderr"},
             wrong{"start=", "mpiprof: MPIPROF: start '' is not known; allowed: paused, running"},
             wrong{"merge=Files",
                   "mpiprof: MPIPROF: merge 'Files' is not known; allowed: auto, collective, files"},
             wrong{"shards=", "mpiprof: MPIPROF: shards '' is not known; allowed: none, or a folder's name"},
             wrong{"clock=sundial", "mpiprof: MPIPROF: clock 'sundial' is not known; allowed: auto, steady"},
             wrong{"depth=0",
                   "mpiprof: MPIPROF: depth '0' is not known; allowed: a number of frames from 1 to 16"},
             wrong{"depth=17",
                   "mpiprof: MPIPROF: depth '17' is not known; allowed: a number of frames from 1 to 16"},
             wrong{"depth=+3",
                   "mpiprof: MPIPROF: depth '+3' is not known; allowed: a number of frames from 1 to 16"},
             wrong{"depth=",
                   "mpiprof: MPIPROF: depth '' is not known; allowed: a number of frames from 1 to 16"},
             wrong{"queries=yes", "mpiprof: MPIPROF: queries 'yes' is not known; allowed: on, off"},
             wrong{"output=", "mpiprof: MPIPROF: output '' is not known; allowed: a file name"},
             wrong{"sinks=trace", "mpiprof: MPIPROF: sinks 'trace' is not known; allowed: none, or with + "
                                  "between them: summary"},
             wrong{"sinks=summary++summary", "mpiprof: MPIPROF: sinks 'summary++summary' is not known; "
                                             "allowed: none, or with + between them: summary"},
             wrong{"=x",
                   "mpiprof: MPIPROF: key '' is not known; allowed: off, clock, depth, exclude, "
                   "include, merge, "
                   "output, queries, ranks, report, shards, sinks, start, trace, trace_keep, trace_spill"},
         }) {
        auto const [options, problems] = parse(text);
        EXPECT_EQ(problems, std::vector<std::string>{line}) << text;
        EXPECT_EQ(options.output + options.sinks + options.shards, "") << text;
        EXPECT_EQ(options.clock, mpiprof::clock_by::automatic) << text;
        EXPECT_FALSE(options.queries) << text;
        EXPECT_EQ(options.depth, 1) << text;
    }
}

TEST(settings, that_are_right_hold_beside_wrong_ones) {
    auto const [options, problems] = parse("colour=red, output=run.json, start=now");
    EXPECT_EQ(problems.size(), 2U);
    EXPECT_EQ(options.output, "run.json");
}

}  // namespace
