// Which calls are recorded: include, exclude and ranks.
#include <mpiprof/mpiprof.hpp>
#include <mpiprof/run/filters.hpp>

#include "tests/support/child.hpp"
#include "tests/support/loopback.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

namespace {

using mpiprof::operation;
using counting =
    mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::payload, mpiprof::sinks::tally>;

std::string text_of(mpiprof::results::rank_set const& ranks) {
    std::string text;
    for (auto const& range : ranks)
        text += std::to_string(range.first) + '-' + std::to_string(range.last) + ' ';
    return text;
}

TEST(operations, are_named_with_a_star_for_any_ending) {
    EXPECT_TRUE(mpiprof::detail::known_operations("send"));
    EXPECT_TRUE(mpiprof::detail::known_operations("test*+ iprobe +*"));
    for (auto const* wrong : {"", "sent", "+send", "sends*", "te*t", "send,recv", "MPI_Send", "none"})
        EXPECT_FALSE(mpiprof::detail::known_operations(wrong)) << wrong;
    EXPECT_TRUE(mpiprof::detail::matches_one("testsome", "wait*+test*"));
    EXPECT_FALSE(mpiprof::detail::matches_one("isend", "send*"));
}

TEST(ranks, are_listed_one_by_one_and_from_to) {
    auto const parsed = [](char const* text) { return text_of(mpiprof::detail::parse_ranks(text).value()); };
    EXPECT_EQ(parsed("0"), "0-0 ");
    EXPECT_EQ(parsed("8+0-3 + 4"), "0-4 8-8 ");
    EXPECT_EQ(parsed("2-5+0-3"), "0-5 ");
    for (auto const* wrong : {"", "+", "+1", "-1", "3-1", "1-", "1-2-3", "a", "1 2", "99999999999", "1,2"})
        EXPECT_FALSE(mpiprof::detail::parse_ranks(wrong)) << wrong;
    EXPECT_EQ(text_of(mpiprof::detail::ranks_left_out("1-2+7", 4)), "0-0 3-3 ");
    EXPECT_EQ(text_of(mpiprof::detail::ranks_left_out("8", 4)), "0-3 ");
    EXPECT_EQ(text_of(mpiprof::detail::ranks_left_out("", 4)), "");
}

/// What a process counts that sends, receives, posts a receive and waits for it, each so many times.
struct counts {
    std::int64_t sends, irecvs, completions, waits;
};

counts count(char const* environment, mpiprof::settings options = {}) {
    int pipe[2];
    if (::pipe(pipe) != 0) return {};
    test_support::in_child([&] {
        ::setenv("MPIPROF", environment, 1);
        mpiprof::profiler<counting> const profiler{std::move(options)};
        loopback::communicator plain;
        auto const comm = mpiprof::profile(plain, profiler);
        double value = 1;
        for (int i = 0; i < 3; ++i) {
            mpiprof::send(comm, 0, 1, &value, 1);
            auto request = mpiprof::irecv(comm, 0, 1, &value, 1);
            mpiprof::wait_all(comm, &request, 1);
        }
        auto const& sink = profiler.sink();
        counts const found{sink.calls(operation::send), sink.calls(operation::irecv),
                           sink.completions(operation::irecv), sink.calls(operation::waitall)};
        return ::write(pipe[1], &found, sizeof found) == sizeof found ? 0 : 1;
    });
    counts found{-1, -1, -1, -1};
    ::close(pipe[1]);
    EXPECT_EQ(::read(pipe[0], &found, sizeof found), static_cast<::ssize_t>(sizeof found));
    ::close(pipe[0]);
    return found;
}

void expect(counts const& found, counts const& right) {
    EXPECT_EQ(found.sends, right.sends);
    EXPECT_EQ(found.irecvs, right.irecvs);
    EXPECT_EQ(found.completions, right.completions);
    EXPECT_EQ(found.waits, right.waits);
}

TEST(filters, choose_the_calls_that_are_recorded) {
    expect(count(""), {3, 3, 3, 3});
    expect(count("exclude=send"), {0, 3, 3, 3});
    expect(count("include=send+wait*"), {3, 0, 0, 3});
    expect(count("include=*, exclude=s*"), {0, 3, 3, 3});
    expect(count("ranks=0-2"), {3, 3, 3, 3});
}

// Without the wait a completion stays what it was: the receive's.
TEST(filters, record_completions_with_what_posted_them) {
    expect(count("exclude=wait*"), {3, 3, 3, 0});
    expect(count("exclude=irecv"), {3, 0, 0, 3});
    expect(count("include=irecv, start=paused"), {0, 0, 0, 0});
}

TEST(filters, of_the_program_are_overruled_by_those_of_the_environment) {
    expect(count("", {.exclude = "irecv"}), {3, 0, 0, 3});
    expect(count("exclude=send", {.exclude = "irecv"}), {0, 3, 3, 3});
    // What is wrong changes nothing.
    expect(count("", {.exclude = "irecv+tset"}), {3, 3, 3, 3});
}

TEST(filters, leave_out_a_rank_that_is_not_listed) { expect(count("ranks=1-3"), {0, 0, 0, 0}); }

}  // namespace
