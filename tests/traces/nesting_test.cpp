// Regions of threads, nested properly whatever was recorded.
#include <mpiprof/traces/nesting.hpp>

#include "tests/traces/temporary_folder.hpp"
#include "tests/traces/trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using mpiprof::traces::event;
using mpiprof::traces::event_type;
using mpiprof::traces::region;
using mpiprof::traces::trace;
using test_support::trace_builder;
using testing::ElementsAre;

mpiprof::call call(mpiprof::operation what, std::int64_t begin, std::int64_t end) {
    mpiprof::call made;
    made.operation = what;
    made.begin = begin;
    made.end = end;
    return made;
}

mpiprof::completion done(std::int64_t observed) {
    mpiprof::completion made;
    made.operation = mpiprof::operation::irecv;
    made.posted = 1;
    made.observed = observed;
    return made;
}

std::string label(event const& what) {
    return what.type == event_type::phase_begin ? what.phase : name(what.call.operation);
}

class nesting : public testing::Test {
  protected:
    mpiprof::traces::trace read() const { return trace{run_.write(folder_.path())}; }

    /// "+name begin..end", "-name begin..end" and "done end". Checks what must hold of any trace.
    std::vector<std::string> steps(std::size_t rank = 0) const {
        std::vector<std::string> found;
        std::vector<std::string> open;
        std::int64_t last = 0;
        auto const line = [](region const& each) {
            return label(each.what) + ' ' + std::to_string(each.begin) + ".." + std::to_string(each.end);
        };
        auto const enter = [&](region const& each) {
            EXPECT_GE(each.begin, last);
            last = each.begin;
            open.push_back(line(each));
            found.push_back('+' + line(each));
        };
        auto const leave = [&](region const& each) {
            EXPECT_GE(each.end, last);
            last = each.end;
            ASSERT_FALSE(open.empty());
            EXPECT_EQ(open.back(), line(each));
            open.pop_back();
            found.push_back('-' + line(each));
        };
        mpiprof::traces::for_each_nested(read(), rank, 0, enter, leave, [&](event const& each) {
            found.push_back("done " + std::to_string(each.end));
        });
        EXPECT_TRUE(open.empty());
        return found;
    }

    test_support::temporary_folder folder_;
    trace_builder run_{1};
    test_support::thread_builder& thread_ = run_.rank(0).thread();
};

using enum mpiprof::operation;

// Case RG4.
TEST_F(nesting, of_phases_and_calls) {
    thread_.phase_begin("outer", 10).phase_begin("inner", 20).call(call(send, 30, 40)).phase_end("inner", 50);
    thread_.phase_begin("inner", 60).phase_end("inner", 70).phase_end("outer", 80);
    EXPECT_THAT(steps(), ElementsAre("+outer 10..80", "+inner 20..50", "+send 30..40", "-send 30..40",
                                     "-inner 20..50", "+inner 60..70", "-inner 60..70", "-outer 10..80"));
}

TEST_F(nesting, leaves_out_ends_without_begin) {
    thread_.phase_end("before", 5).phase_begin("a", 10).phase_end("b", 20).phase_end("a", 30);
    EXPECT_THAT(steps(), ElementsAre("+a 10..30", "-a 10..30"));
}

TEST_F(nesting, ends_what_has_no_end) {
    thread_.phase_begin("a", 10).phase_begin("b", 20).phase_end("a", 30);
    thread_.phase_begin("c", 40).call(call(send, 50, 60));
    EXPECT_THAT(steps(), ElementsAre("+a 10..30", "+b 20..30", "-b 20..30", "-a 10..30", "+c 40..60",
                                     "+send 50..60", "-send 50..60", "-c 40..60"));
}

TEST_F(nesting, of_calls_in_a_call) {
    thread_.call(call(bcast, 10, 20)).call(call(send, 32, 35)).phase_begin("callback", 36);
    thread_.call(call(recv, 37, 38)).phase_end("callback", 39).call(call(allreduce, 30, 40));
    thread_.call(call(barrier, 41, 42));
    EXPECT_THAT(steps(),
                ElementsAre("+bcast 10..20", "-bcast 10..20", "+allreduce 30..40", "+send 32..35",
                            "-send 32..35", "+callback 36..39", "+recv 37..38", "-recv 37..38",
                            "-callback 36..39", "-allreduce 30..40", "+barrier 41..42", "-barrier 41..42"));
}

TEST_F(nesting, cuts_calls_that_overlap) {
    thread_.call(call(send, 10, 20)).call(call(recv, 15, 25)).phase_begin("a", 30).call(call(bcast, 28, 40));
    thread_.phase_end("a", 50).call(call(barrier, 45, 60));
    EXPECT_THAT(steps(), ElementsAre("+send 10..20", "-send 10..20", "+recv 20..25", "-recv 20..25",
                                     "+a 30..50", "+bcast 30..40", "-bcast 30..40", "-a 30..50",
                                     "+barrier 50..60", "-barrier 50..60"));
}

TEST_F(nesting, puts_completions_into_the_call_that_observed_them) {
    thread_.completion(done(20)).completion(done(20)).call(call(waitall, 10, 20));
    thread_.completion(done(25)).phase_begin("a", 30).completion(done(40)).phase_end("a", 50);
    EXPECT_THAT(steps(), ElementsAre("+waitall 10..20", "done 20", "done 20", "-waitall 10..20", "done 25",
                                     "+a 30..50", "done 40", "-a 30..50"));
}

TEST_F(nesting, of_repeated_calls) {
    thread_.repeated(call(iprobe, 10, 12), 4, 30, 9).call(call(recv, 31, 33));
    EXPECT_THAT(steps(), ElementsAre("+iprobe 10..30", "-iprobe 10..30", "+recv 31..33", "-recv 31..33"));
}

TEST_F(nesting, of_many_calls_within_calls) {
    for (int i = 0; i < 4000; ++i) thread_.call(call(send, 10000 - i, 10000 + i));
    auto const found = steps();
    EXPECT_EQ(found.size(), 8000U);
    EXPECT_EQ(found.front(), "+send 6001..13999");
}

}  // namespace
