// Intercommunicators, between the ranks with even numbers and those with odd ones.
#include "tests/boost_mpi/identities.hpp"
#include "tests/boost_mpi/same_as_boost.hpp"
#include "tests/boost_mpi/types_of.hpp"

#include <algorithm>
#include <boost/serialization/string.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boost_mpi_tests {

namespace {

constexpr int tag = 9;

class boost_mpi_intercommunicator : public testing::Test {
    void SetUp() override {
        if (world_size() == 1) GTEST_SKIP() << "needs two groups";
    }
};

int side() { return world_rank() % 2; }

/// The ranks of a side.
int side_size(int which) { return (world_size() + 1 - which) / 2; }

/// Connects both sides, of which `half` is this rank's.
template <class Comm>
auto connected(Comm const& world, Comm const& half, mpiprof::call_site site = mpiprof::call_site::current()) {
    using intercommunicator = typename types<Comm>::intercommunicator;
    if constexpr (std::is_same_v<Comm, profiled_communicator>)
        return intercommunicator(half, 0, world, 1 - side(), site);
    else return intercommunicator(half, 0, world, 1 - side());
}

template <class Comm>
auto connected_halves(Comm const& world, mpiprof::call_site site = mpiprof::call_site::current()) {
    if constexpr (std::is_same_v<Comm, profiled_communicator>)
        return connected(world, world.split(side(), site), site);
    else return connected(world, world.split(side()));
}

TEST_F(boost_mpi_intercommunicator, messages_go_to_ranks_of_the_remote_group) {
    auto const run = same_as_boost([](auto const& world) {
        auto const half = world.split(side());
        // As users write it.
        typename types<decltype(world)>::intercommunicator const across(half, 0, world, 1 - side());
        int const last = across.remote_size() - 1;
        if (across.local_rank() == 0) {
            across.send(last, tag, std::string{"abc"});
            across.isend(last, tag, world.rank()).wait();
        }
        if (across.local_rank() == across.local_size() - 1) {
            std::string text;
            int leader = -1;
            EXPECT_EQ(across.recv(0, tag, text).source(), 0);
            across.irecv(boost::mpi::any_source, tag, leader).wait();
            EXPECT_EQ(text, "abc");
            EXPECT_EQ(leader, 1 - side());
        }
        across.barrier();
    });
    auto const text = archive_nbytes(std::string{"abc"});
    auto const number = datatype_nbytes<int>();
    int const last = side_size(1 - side()) - 1;
    std::vector<record> expected{{.operation = "comm_split"}, {.operation = "intercomm_create"}};
    std::vector<completion> completions;
    if (world_rank() == side()) {
        expected.push_back({.operation = "send", .peer = last, .tag = tag, .sent = text});
        expected.push_back({.operation = "isend", .peer = last, .tag = tag, .sent = number});
        expected.push_back({.operation = "wait", .request = "isend", .peer = last, .tag = tag});
        completions.push_back({"isend", last, tag});
    }
    if (world_rank() + 2 >= world_size()) {
        expected.push_back({.operation = "recv", .peer = 0, .tag = tag, .received = text});
        expected.push_back(
            {.operation = "irecv", .peer = mpiprof::any_source, .tag = tag, .capacity = number});
        expected.push_back({.operation = "wait", .request = "irecv", .peer = 0, .tag = tag});
        completions.push_back({"irecv", 0, tag, number});
    }
    expected.push_back({.operation = "barrier"});
    EXPECT_EQ(run.calls, expected);
    EXPECT_EQ(run.completions, completions);
}

TEST_F(boost_mpi_intercommunicator, collectives_move_between_the_groups) {
    auto const run = same_as_boost([](auto const& world) {
        auto const across = connected_halves(world);
        // From the leader of the even side to the odd one.
        int const elsewhere = world.rank() == 0 ? MPI_ROOT : MPI_PROC_NULL;
        int const root = side() == 0 ? elsewhere : 0;
        int number = world.rank() == 0 ? 7 : 0;
        broadcast(across, number, root);
        EXPECT_EQ(number, side() == 1 || world.rank() == 0 ? 7 : 0);
        EXPECT_EQ(all_reduce(across, 1, std::plus<int>()), across.remote_size());
        std::vector<int> theirs(static_cast<std::size_t>(across.remote_size()));
        all_gather(across, world.rank(), theirs.data());
        EXPECT_EQ(theirs.front(), 1 - side());
        std::vector const mine(theirs.size(), world.rank());
        all_to_all(across, mine.data(), theirs.data());
        EXPECT_EQ(theirs.front(), 1 - side());
    });
    // In the root's group only the root moves anything; else the sums are over the other group.
    auto const one = datatype_nbytes<int>();
    auto const others = one * side_size(1 - side());
    record broadcast{.operation = "bcast", .root = 0, .received = one};
    if (side() == 0) broadcast = {.operation = "bcast", .root = mpiprof::null_process};
    if (world_rank() == 0)
        broadcast = {.operation = "bcast", .root = mpiprof::intercommunicator_root, .sent = one};
    EXPECT_EQ(run.calls,
              (std::vector<record>{{.operation = "comm_split"},
                                   {.operation = "intercomm_create"},
                                   broadcast,
                                   {.operation = "allreduce", .sent = one, .received = one},
                                   {.operation = "allgather", .sent = one, .received = others},
                                   {.operation = "alltoall", .sent = others, .received = others}}));
}

TEST_F(boost_mpi_intercommunicator, knows_the_groups_that_boosts_knows) {
    same_as_boost([](auto const& world) {
        auto const half = world.split(side());
        auto const across = connected(world, half);
        EXPECT_EQ(across.local_size(), half.size());
        EXPECT_EQ(across.local_rank(), half.rank());
        EXPECT_EQ(across.size(), half.size());
        EXPECT_EQ(across.rank(), half.rank());
        EXPECT_EQ(across.remote_size(), side_size(1 - side()));
        EXPECT_TRUE(across.local_group() == half.group());
        EXPECT_TRUE(across.remote_group() == world.group() - half.group());
    });
}

TEST_F(boost_mpi_intercommunicator, merges_into_one_communicator) {
    auto const run = same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        communicator const merged = connected_halves(world).merge(side() == 0);
        int const before = side() == 0 ? side_size(1) : 0;
        EXPECT_EQ(merged.rank(), before + world.rank() / 2);
        EXPECT_EQ(all_reduce(merged, 1, std::plus<int>()), world.size());
        EXPECT_FALSE(merged.as_intercommunicator());
    });
    auto const one = datatype_nbytes<int>();
    EXPECT_EQ(run.calls, (std::vector<record>{{.operation = "comm_split"},
                                              {.operation = "intercomm_create"},
                                              {.operation = "intercomm_merge"},
                                              {.operation = "allreduce", .sent = one, .received = one}}));
}

TEST_F(boost_mpi_intercommunicator, keeps_its_kind) {
    auto const run = same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        using intercommunicator = typename types<decltype(world)>::intercommunicator;
        std::vector<intercommunicator> several;
        several.push_back(connected_halves(world));
        several.push_back(intercommunicator(MPI_Comm(several.front()), boost::mpi::comm_duplicate));
        std::shared_ptr<communicator const> const base = std::make_shared<intercommunicator>(several.front());
        communicator const sliced = several.back();
        communicator const part = sliced.split(0);
        several.clear();
        EXPECT_FALSE(world.as_intercommunicator());
        for (auto const* const each : {&*base, &sliced, &part}) {
            EXPECT_FALSE(each->as_cartesian_communicator());
            auto const again = each->as_intercommunicator();
            static_assert(std::is_same_v<std::remove_cvref_t<decltype(*again)>, intercommunicator>);
            ASSERT_TRUE(again);
            EXPECT_EQ(again->remote_size(), side_size(1 - side()));
            EXPECT_TRUE(*again == *each);
        }
        EXPECT_TRUE(*base != sliced);
    });
    EXPECT_EQ(run.calls, (std::vector<record>{{.operation = "comm_split"},
                                              {.operation = "intercomm_create"},
                                              {.operation = "comm_dup"},
                                              {.operation = "comm_split"}}));
}

TEST_F(boost_mpi_intercommunicator, both_sides_agree_on_its_identity) {
    profiled_communicator const world;
    auto const half = world.split(side());
    // One side has made more communicators than the other.
    if (side() == 0) half.split(0);
    auto const first = connected(world, half);
    auto const second = connected(world, half);
    auto const merged = first.merge(side() == 0);
    auto const merged_again = second.merge(side() == 0);
    auto const part = first.split(0);
    profiled_intercommunicator const duplicate(MPI_Comm(first), boost::mpi::comm_duplicate);
    std::set<mpiprof::communicator_id> ids;
    for (profiled_communicator const& each :
         std::initializer_list<profiled_communicator>{first, second, merged, merged_again, part, duplicate}) {
        expect_same_on_all_ranks(each.identity());
        ids.insert(each.identity());
    }
    EXPECT_EQ(ids.size(), 6);
    EXPECT_EQ(first.as_intercommunicator()->identity(), first.identity());
    expect_made_from(half.identity(), first);
    expect_made_from(first.identity(), merged);
}

// The lowest ranks of their groups are the same, and not all members have seen both.
TEST_F(boost_mpi_intercommunicator, those_of_different_groups_have_identities_that_members_agree_on) {
    if (world_size() < 4) GTEST_SKIP() << "needs 4 ranks";
    int const rank = world_rank();
    profiled_communicator const world;
    auto identity_between = [&](std::vector<int> const& one, std::vector<int> const& other) {
        auto const within = [&](auto const& ranks) {
            return std::count(ranks.begin(), ranks.end(), rank) != 0;
        };
        int const mine = within(one) ? 1 : within(other) ? 2 : 0;
        auto const local = world.split(mine);
        if (mine == 0) return mpiprof::unknown_communicator;
        return profiled_intercommunicator(local, 0, world, mine == 1 ? other[0] : one[0]).identity();
    };
    auto const first = identity_between({0, 1}, {2});
    auto const second = identity_between({0, 3}, {2});
    auto const third = identity_between({0, 1}, {2});
    expect_one_identity_for_each(rank < 3 ? 0 : -1, first);
    expect_one_identity_for_each(rank == 0 || rank == 2 || rank == 3 ? 0 : -1, second);
    expect_one_identity_for_each(rank < 3 ? 0 : -1, third);
    EXPECT_EQ(first == third, rank > 2);
    EXPECT_NE(first, second);
}

TEST_F(boost_mpi_intercommunicator, its_calls_name_it) {
    profiled_communicator const world;
    auto const half = world.split(side());
    begin_run();
    auto const across = connected(world, half, mpiprof::call_site{"there", 7});
    across.barrier();
    across.merge(side() == 0, mpiprof::call_site{"there", 8});
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 3);
    EXPECT_EQ(calls[0].communicator, half.identity());
    EXPECT_EQ(calls[0].site.line(), 7);
    EXPECT_EQ(calls[1].communicator, across.identity());
    EXPECT_EQ(calls[2].communicator, across.identity());
    EXPECT_EQ(calls[2].site.line(), 8);
}

// A library that knows of Boost.MPI only.
int remote_size_of(boost::mpi::intercommunicator const& across) { return across.remote_size(); }
boost::mpi::intercommunicator returned(boost::mpi::intercommunicator across) { return across; }

TEST_F(boost_mpi_intercommunicator, goes_where_boosts_goes_and_comes_back) {
    profiled_communicator const world;
    auto const across = connected_halves(world);
    EXPECT_EQ(remote_size_of(across), across.remote_size());
    profiled_intercommunicator const back = returned(across);
    EXPECT_EQ(back.identity(), across.identity());
    EXPECT_TRUE(back == across && mpiprof::unwrap(across) == back);

    auto const plain = connected_halves(boost::mpi::communicator{});
    mpiprof::profiler<instrumentation> const profiler;
    auto const view = mpiprof::profile(plain, profiler);
    static_assert(mpiprof::communicator<decltype(view)>);
    begin_run();
    view.barrier();
    ASSERT_EQ(recorded().calls.size(), 1);
    EXPECT_EQ(recorded().calls[0].communicator, view.identity());
    EXPECT_EQ(view.plain().remote_size(), across.remote_size());
}

}  // namespace

}  // namespace boost_mpi_tests
