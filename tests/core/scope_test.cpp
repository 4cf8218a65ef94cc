// The scope: one record a call, times from the clock, failures by exception.
#include <mpiprof/core/scope.hpp>

#include <mpiprof/bytes/payload.hpp>
#include <mpiprof/sinks/callback.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace {

using mpiprof::operation;

/// A clock that the test sets.
struct fake_clock {
    using time_point = std::int64_t;
    static constexpr bool enabled = true;
    static constexpr char const* name = "fake";
    static inline std::int64_t time = 0;
    static time_point now() noexcept { return time; }
    static std::int64_t nanoseconds(time_point from, time_point to) noexcept { return to - from; }
};

/// Doubles what was sent: a byte policy may adjust the record last.
struct doubling {
    static constexpr bool sizes = true;
    static constexpr bool arrivals = true;
    static constexpr bool serialized = false;
    static constexpr char const* name = "doubling";
    static void adjust(mpiprof::call& record) noexcept { record.sent *= 2; }
};

struct collector {
    std::vector<mpiprof::call>* calls;
    std::vector<mpiprof::completion>* completions;
    void operator()(mpiprof::call const& record) const { calls->push_back(record); }
    void operator()(mpiprof::completion const& record) const { completions->push_back(record); }
};

using collecting = mpiprof::sinks::callback<collector>;

class scope : public testing::Test {
  protected:
    template <class Bytes>
    using instrumentation = mpiprof::instrumentation<fake_clock, Bytes, collecting>;
    template <class Bytes = mpiprof::bytes::payload>
    using measured = mpiprof::scope<operation::send, instrumentation<Bytes>>;

    std::vector<mpiprof::call> calls;
    std::vector<mpiprof::completion> completions;
    collecting sink{collector{&calls, &completions}};
};

TEST_F(scope, records_one_call_when_it_ends) {
    fake_clock::time = 100;
    {
        measured<> call{&sink, 7, mpiprof::call_site{"a.cpp", 3}};
        fake_clock::time = 130;
        call.stop();
        fake_clock::time = 999;
        call.record().sent = 8;
        EXPECT_TRUE(calls.empty());
    }
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].operation, operation::send);
    EXPECT_EQ(calls[0].communicator, 7);
    EXPECT_EQ(calls[0].begin, 100);
    EXPECT_EQ(calls[0].end, 130);
    EXPECT_EQ(calls[0].duration, 30);
    EXPECT_EQ(calls[0].sent, 8);
    EXPECT_EQ(calls[0].flags, 0);
    EXPECT_STREQ(calls[0].site.file(), "a.cpp");
    EXPECT_EQ(calls[0].site.line(), 3U);
    EXPECT_EQ(calls[0].peer, mpiprof::not_applicable);
    EXPECT_EQ(calls[0].tag, mpiprof::not_applicable);
}

TEST_F(scope, takes_a_clock_that_steps_back_as_no_time) {
    fake_clock::time = 100;
    {
        measured<> call{&sink, 0, {}};
        fake_clock::time = 99;
        call.stop();
    }
    EXPECT_EQ(calls.at(0).begin, 100);
    EXPECT_EQ(calls.at(0).end, 100);
    EXPECT_EQ(calls.at(0).duration, 0);
}

TEST_F(scope, leaves_its_record_to_another_one) {
    fake_clock::time = 100;
    measured<> outer{&sink, 7, mpiprof::call_site{"a.cpp", 3}};
    fake_clock::time = 130;
    outer.stop();
    fake_clock::time = 999;
    {
        measured<> inner{&sink, 7, mpiprof::call_site{"a.cpp", 3}, outer.release()};
    }
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].begin, 100);
    EXPECT_EQ(calls[0].end, 130);
    EXPECT_EQ(calls[0].duration, 30);
}

TEST_F(scope, records_a_failed_call_when_an_exception_passes) {
    fake_clock::time = 1;
    try {
        measured<> call{&sink, 0, {}};
        call.record().peer = 3;
        call.record().tag = 7;
        call.record().root = 2;
        call.record().sent = 8;
        fake_clock::time = 5;
        throw std::runtime_error("from the call");
    } catch (std::runtime_error const&) {
    }
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].flags, mpiprof::call_failed);
    EXPECT_EQ(calls[0].peer, 3);
    EXPECT_EQ(calls[0].tag, 7);
    EXPECT_EQ(calls[0].root, 2);
    EXPECT_EQ(calls[0].sent, 0);
    EXPECT_EQ(calls[0].end, 5);
}

TEST_F(scope, records_no_bytes_of_a_failed_call) {
    {
        measured<> call{&sink, 0, {}};
        call.stop();
        auto& record = call.record();
        record.sent = record.received = record.overhead = record.written = record.read = 8;
        call.fail();
    }
    auto const& record = calls.at(0);
    EXPECT_EQ(record.sent + record.received + record.overhead + record.written + record.read, 0);
    EXPECT_EQ(record.flags, mpiprof::call_failed);
}

TEST_F(scope, records_nothing_without_a_sink) {
    {
        measured<> call{nullptr, 0, {}};
        call.stop();
        call.complete(call.completed());
    }
    EXPECT_TRUE(calls.empty());
    EXPECT_TRUE(completions.empty());
}

TEST_F(scope, lets_the_byte_policy_adjust_the_record) {
    {
        measured<doubling> call{&sink, 0, {}};
        call.stop();
        call.record().sent = 8;
    }
    EXPECT_EQ(calls.at(0).sent, 16);
}

TEST_F(scope, makes_completions_of_its_own_call) {
    fake_clock::time = 10;
    mpiprof::current_phase = 4;
    {
        measured<> call{&sink, 3, mpiprof::call_site{"b.cpp", 9}};
        fake_clock::time = 20;
        call.stop();
        call.record().peer = 2;
        call.record().tag = 6;
        call.complete(call.completed());
    }
    mpiprof::current_phase = 0;
    ASSERT_EQ(completions.size(), 1U);
    EXPECT_EQ(completions[0].operation, operation::send);
    EXPECT_EQ(completions[0].communicator, 3);
    EXPECT_EQ(completions[0].posted, 10);
    EXPECT_EQ(completions[0].observed, 20);
    EXPECT_EQ(completions[0].phase, 4U);
    EXPECT_EQ(completions[0].peer, 2);
    EXPECT_EQ(completions[0].tag, 6);
    EXPECT_EQ(completions[0].site.line(), 9U);
    EXPECT_EQ(calls.at(0).phase, 4U);
}

}  // namespace
