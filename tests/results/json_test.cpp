// The file's text: valid JSON whatever names hold, read by a library that is not ours.
#include <mpiprof/results/json.hpp>

#include "tests/support/random_profile.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using mpiprof::results::profile;
using nlohmann::json;

std::string through_json(std::string const& name) {
    profile run;
    run.program = name;
    return json::parse(to_json(run)).at("program").get<std::string>();
}

TEST(json, has_format_version_and_every_section) {
    auto const file = json::parse(to_json(test_support::random_profile(2, 4)));
    EXPECT_EQ(file.at("format"), "mpiprof-profile");
    EXPECT_EQ(file.at("version"), 1);
    EXPECT_EQ(file.at("world_size"), 4);
    EXPECT_EQ(file.at("ranks"), json::parse(R"([{"first": 2, "last": 2}])"));
    for (auto const* section : {"operations", "call_sites", "calls", "completions", "outstanding", "peers",
                                "communicators", "phases", "hosts"}) {
        EXPECT_FALSE(file.at(section).empty()) << section;
    }
    auto const& statistics = file.at("operations")[0].at("statistics");
    EXPECT_TRUE(statistics.at("time").at("sum").is_number_integer());
    EXPECT_TRUE(statistics.contains("written") && statistics.contains("read"));
    EXPECT_TRUE(file.at("completions")[0].at("waited").at("sum").is_number_integer());
    EXPECT_TRUE(file.at("completions")[0].contains("read"));
    EXPECT_TRUE(file.at("outstanding")[0].at("requests").at("sum").is_number_integer());
}

TEST(json, of_an_empty_run_is_valid) {
    auto const file = json::parse(to_json(profile{}));
    EXPECT_TRUE(file.at("operations").empty());
    EXPECT_EQ(file.at("mpi_time").at("ranks"), 0);
}

TEST(json, keeps_names_as_they_are) {
    for (std::string const name : {R"({"k": "v"})", "ends in a backslash\\", "line\nbreak\ttab", "a/b", "",
                                   "h\xc3\xa9llo", "\xe2\x82\xac", "\xf0\x9f\x8e\x89", "\x7f"}) {
        EXPECT_EQ(through_json(name), name);
    }
    EXPECT_EQ(through_json(std::string("a\0b", 3)), std::string("a\0b", 3));
}

TEST(json, replaces_what_is_not_utf8) {
    EXPECT_EQ(through_json("a\xff"), "a\xef\xbf\xbd");
    EXPECT_EQ(through_json("\xc3("), "\xef\xbf\xbd(");
    EXPECT_EQ(through_json("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_EQ(through_json("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_EQ(through_json("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_EQ(through_json("\xf5\x80\x80\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(json, writes_any_byte_string_as_valid_json) {
    for (int first = 0; first < 256; ++first) {
        for (int const second : {0x00, 0x22, 0x5c, 0x7f, 0x80, 0xa0, 0xbf, 0xc2, 0xff}) {
            profile run;
            run.program = {static_cast<char>(first), static_cast<char>(second), 'x'};
            EXPECT_TRUE(json::accept(to_json(run))) << first << ' ' << second;
        }
    }
}

TEST(json, writes_64_bits_exactly) {
    profile run;
    run.mpi_time = {INT64_MAX, INT64_MIN, 9007199254740993, 0, -1};
    auto const file = json::parse(to_json(run));
    EXPECT_EQ(file.at("mpi_time").at("ranks").get<std::int64_t>(), INT64_MAX);
    EXPECT_EQ(file.at("mpi_time").at("sum").get<std::int64_t>(), INT64_MIN);
    EXPECT_EQ(file.at("mpi_time").at("least").get<std::int64_t>(), 9007199254740993);
}

}  // namespace
