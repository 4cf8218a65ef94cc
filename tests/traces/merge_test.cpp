// Traces of ranks put into one file.
#include <mpiprof/traces/merge.hpp>

#include <mpiprof/results/input_error.hpp>
#include <mpiprof/traces/trace.hpp>

#include "tests/traces/temporary_folder.hpp"
#include "tests/traces/trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace {

using mpiprof::traces::event;
using mpiprof::traces::trace;
using testing::ElementsAre;
using testing::HasSubstr;

class merge : public testing::Test {
  protected:
    std::string path(std::string const& name) const { return folder_ / name; }
    std::vector<std::string> merged(std::vector<std::string> const& paths, std::string const& output) const {
        std::vector<std::string> notes;
        std::uint64_t last = 0;
        mpiprof::traces::merge(paths, output, notes, [&](std::uint64_t done, std::uint64_t all) {
            EXPECT_LE(last, done);
            EXPECT_LE(done, all);
            last = done;
        });
        return notes;
    }

    test_support::temporary_folder folder_;
};

std::string text_of(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// All that the events say, but for where they are.
std::vector<std::string> all_of(trace const& from) {
    std::vector<std::string> made;
    from.for_each([&](event const& each) {
        auto const& call = each.call;
        auto const& done = each.completion;
        std::string line = each.phase;
        for (auto const value : {std::int64_t{each.id.rank},
                                 std::int64_t{each.id.thread},
                                 std::int64_t(each.id.number),
                                 each.begin,
                                 each.end,
                                 each.repeats,
                                 each.inside,
                                 std::int64_t(call.operation),
                                 std::int64_t{call.flags},
                                 std::int64_t{call.peer},
                                 std::int64_t{call.tag},
                                 call.communicator,
                                 call.sent,
                                 call.received,
                                 call.capacity,
                                 std::int64_t{call.site.line()},
                                 std::int64_t(done.operation),
                                 done.received,
                                 done.waited,
                                 done.communicator})
            line += ' ' + std::to_string(value);
        made.push_back(line + call.site.file());
    });
    return made;
}

TEST_F(merge, keeps_all) {
    auto paths = test_support::small_program().write(folder_.path());
    auto const before = all_of(trace{paths});
    std::swap(paths[0], paths[3]);
    EXPECT_THAT(merged(paths, path("all")), ElementsAre());
    trace const after{{path("all")}};
    EXPECT_EQ(all_of(after), before);
    EXPECT_THAT(after.notes(), ElementsAre());
    EXPECT_EQ(after.communicators().at(test_support::halo).name, "halo");
    EXPECT_EQ(after.ranks()[2].threads[1].name, "worker");
}

TEST_F(merge, of_what_was_merged_is_the_same) {
    auto const paths = test_support::small_program().write(folder_.path());
    merged(paths, path("all"));
    merged({paths[3], paths[0]}, path("some"));
    merged({path("some"), paths[2], paths[1]}, path("others"));
    EXPECT_EQ(text_of(path("all")), text_of(path("others")));
}

TEST_F(merge, of_damaged_traces_is_sound) {
    auto const run = test_support::small_program();
    auto const paths = run.write(folder_.path());
    // Rank 1's trace ends within its third record, and the fourth of rank 0's is none.
    using mpiprof::sinks::trace_chunk;
    auto small = test_support::small_program();
    auto const first = [&](std::int64_t rank) {
        return static_cast<std::size_t>(small.rank(rank).chunks_offset() + offsetof(trace_chunk, records));
    };
    std::filesystem::resize_file(paths[1], first(1) + 2 * 32 + 20);
    auto bytes = text_of(paths[0]);
    bytes[first(0) + 3 * 32] = 99;
    test_support::write_bytes(paths[0], bytes);

    auto const notes = merged(paths, path("all"));
    EXPECT_THAT(notes, ElementsAre(HasSubstr("a record of type 99; up to 13 records of rank 0 are lost"),
                                   HasSubstr("cut off; up to 8 records of rank 1 are lost")));
    trace const after{{path("all")}};
    EXPECT_EQ(all_of(after), all_of(trace{paths}));
    EXPECT_EQ(after.ranks()[0].dropped, 13);
    // Nothing but that records are not there.
    EXPECT_THAT(after.notes(),
                ElementsAre(HasSubstr("13 records of rank 0"), HasSubstr("8 records of rank 1")));
}

TEST_F(merge, takes_in_what_was_spilled) {
    test_support::trace_builder run{1};
    auto& rank = run.rank(0);
    mpiprof::call made;
    made.operation = mpiprof::operation::barrier;
    for (int i = 0; i < 5000; ++i) {
        made.begin = made.end = i;
        rank.thread().call(made);
    }
    rank.facts.finished = false;
    rank.facts.spilled = path("run.spilled");
    rank.facts.spilled_chunks = 2;
    auto const paths = run.write(folder_.path());
    auto const before = all_of(trace{paths});
    EXPECT_EQ(before.size(), 5000U);
    merged(paths, path("all"));
    std::filesystem::remove(path("run.spilled"));
    EXPECT_EQ(all_of(trace{{path("all")}}), before);
}

TEST_F(merge, refuses_what_is_not_of_one_run) {
    auto const paths = test_support::small_program().write(folder_.path());
    EXPECT_THROW(merged({paths[0], paths[0]}, path("all")), mpiprof::results::input_error);
    EXPECT_THROW(merged({path("nothing")}, path("all")), mpiprof::results::input_error);
    EXPECT_THROW(merged(paths, "/dev/full"), std::runtime_error);
}

}  // namespace
