// Requests that were never completed: the profile has them, few rows for however many.
#include <mpiprof/mpiprof.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace {

using mpiprof::completion;
using mpiprof::operation;
using mpiprof::results::outstanding_row;

completion posted(operation which, int peer, int tag, std::uint32_t line = 1) {
    completion made;
    made.operation = which;
    made.communicator = mpiprof::world_communicator;
    made.peer = peer;
    made.tag = tag;
    made.site = mpiprof::call_site{"file.cpp", line};
    return made;
}

/// The outstanding rows of a rank in whose process `visit_all(visit)` finds the requests.
mpiprof::results::rows<outstanding_row>
rows_of(std::function<void(std::function<void(completion const&)>)> visit_all) {
    static std::function<void(std::function<void(completion const&)>)> current;
    current = std::move(visit_all);
    auto& shared = mpiprof::process::instance();
    shared.place.rank = 3;
    shared.hooks.visit_outstanding = [](void (*visit)(completion const&, void*), void* context) {
        current([=](completion const& each) { visit(each, context); });
    };
    auto run = mpiprof::profiler<mpiprof::default_instrumentation>{}.snapshot();
    shared.hooks.visit_outstanding = nullptr;
    return run.outstanding;
}

TEST(outstanding, are_counted_by_operation_peer_tag_communicator_and_place) {
    auto const rows = rows_of([](auto visit) {
        for (int i = 0; i < 6; ++i) visit(posted(operation::irecv, mpiprof::any_source, i % 2));
        visit(posted(operation::isend, 0, 1));
        auto on_self = posted(operation::isend, 0, 1);
        on_self.communicator = mpiprof::self_communicator;
        visit(on_self);
        visit(posted(operation::isend, 0, 1, 2));
    });
    using key = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
    std::map<key, std::int64_t> found;
    for (auto const& row : rows) {
        found[{row.operation, row.communicator, row.peer, row.tag, row.line}] = row.requests.sum;
        EXPECT_EQ(row.file, "file.cpp");
        EXPECT_EQ(row.requests.ranks, 1);
        EXPECT_EQ(row.requests.rank_of_most, 3);
        EXPECT_EQ(row.requests.most, row.requests.sum);
    }
    std::map<key, std::int64_t> const expected = {{{"irecv", 0, -2, 0, 1}, 3},
                                                  {{"irecv", 0, -2, 1, 1}, 3},
                                                  {{"isend", 0, 0, 1, 1}, 1},
                                                  {{"isend", 1, 0, 1, 1}, 1},
                                                  {{"isend", 0, 0, 1, 2}, 1}};
    EXPECT_EQ(found, expected);
}

TEST(outstanding, of_many_kinds_are_told_apart_as_long_as_there_is_room) {
    constexpr int most = mpiprof::detail::outstanding_collector::most_rows;
    auto const different = [](int kinds) {
        return rows_of([=](auto visit) {
            for (int i = 0; i < 4 * kinds; ++i) visit(posted(operation::irecv, 0, i % kinds));
        });
    };
    EXPECT_EQ(different(most).size(), static_cast<std::size_t>(most));
    auto const many = different(50 * most);
    ASSERT_EQ(many.size(), 1U);
    EXPECT_EQ(many[0].requests.sum, 200 * most);
    EXPECT_EQ(many[0].peer, mpiprof::not_applicable);
    EXPECT_EQ(many[0].tag, mpiprof::not_applicable);
}

TEST(outstanding, of_none_have_no_rows) {
    EXPECT_TRUE(rows_of([](auto) {}).empty());
    EXPECT_TRUE(mpiprof::profiler<mpiprof::default_instrumentation>{}.snapshot().outstanding.empty());
}

}  // namespace
