// Exports of text are the same whatever the locale.
#include "tests/traces/trace_builder.hpp"

#include <mpiprof/exports/format.hpp>

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <locale>

namespace {

/// Numbers as in German: 1.234,5.
class german_numbers : public std::numpunct<char> {
  protected:
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

/// The global locale as long as this lives.
class german_locale {
  public:
    german_locale() : before_{std::locale::global({std::locale::classic(), new german_numbers})} {}
    german_locale(german_locale const&) = delete;
    german_locale& operator=(german_locale const&) = delete;
    ~german_locale() { std::locale::global(before_); }

  private:
    std::locale before_;
};

std::string exported(mpiprof::exports::format const& format, mpiprof::exports::run const& from,
                     std::string const& folder) {
    auto const path = folder + "/exported";
    format.write(from, path);
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// With numbers large enough for a separator.
test_support::trace_builder long_program() {
    auto run = test_support::small_program();
    mpiprof::call made;
    made.operation = mpiprof::operation::barrier;
    made.begin = 1'000'000'000;
    made.end = 2'000'000'000;
    run.rank(3).thread().call(made);
    return run;
}

mpiprof::results::profile a_profile() {
    mpiprof::results::profile made;
    mpiprof::results::call_row row;
    row.operation = "send";
    row.statistics.calls = 12345;
    row.statistics.time.deviation = 1234.5;
    made.calls.push_back(row);
    made.peers.push_back({1000, 0, 2000, 3000, 4000, 5000, 6000});
    return made;
}

TEST(exports, are_the_same_whatever_the_locale) {
    auto const folder = ::testing::TempDir() + "exports_locale_test";
    std::filesystem::create_directory(folder);
    mpiprof::traces::trace const trace{long_program().write(folder)};
    auto const profile = a_profile();
    mpiprof::exports::run const run{&trace, &profile};

    int formats = 0;
    for (auto const* const format : mpiprof::exports::formats()) {
        if (!format->is_text) continue;
        auto const plain = exported(*format, run, folder);
        german_locale const german;
        EXPECT_EQ(exported(*format, run, folder), plain) << format->name;
        EXPECT_GT(plain.size(), 100U) << format->name;
        ++formats;
    }
    EXPECT_GE(formats, 5);
    std::filesystem::remove_all(folder);
}

}  // namespace
