// Identities of communicators: the same on all members, whatever made them, and another one for every other
// communicator that there ever was.
#include "tests/raw/recorder.hpp"
#include "tests/raw/summary.hpp"
#include "tests/raw/world.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <thread>

namespace {

using cases::recorded;
using cases::world_rank;
using cases::world_size;
using mpiprof::communicator_id;
using mpiprof::operation;
namespace calls = cases::calls;

/// The values of all ranks of the world.
std::vector<std::int64_t> from_all(std::int64_t mine) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(world_size()));
    PMPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
    return all;
}

/// The world ranks of a group.
std::vector<int> members_of_group(MPI_Group group) {
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) ranks[static_cast<std::size_t>(i)] = i;
    auto world_ranks = ranks;
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, size, ranks.data(), world, world_ranks.data());
    PMPI_Group_free(&world);
    return world_ranks;
}

/// The world ranks of a communicator, those of both groups of an intercommunicator.
std::vector<int> members_of(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    auto members = members_of_group(group);
    PMPI_Group_free(&group);
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    if (between != 0) {
        PMPI_Comm_remote_group(comm, &group);
        auto const others = members_of_group(group);
        members.insert(members.end(), others.begin(), others.end());
        PMPI_Group_free(&group);
    }
    return members;
}

/// The registry knows where this process is in a communicator: its rank, and which of the world's ranks is
/// rank 0 of its own group. Returns the rest of what it knows.
mpiprof::communicator_entry expect_known_members(communicator_id id, MPI_Comm comm) {
    auto const known =
        mpiprof::communicator_registry::instance().find(id).value_or(mpiprof::communicator_entry{});
    MPI_Group own = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &own);
    auto const group = members_of_group(own);
    PMPI_Group_free(&own);
    auto const members = members_of(comm);
    auto const others = static_cast<int>(members.size() - group.size());
    auto const mine = std::find(group.begin(), group.end(), world_rank());
    EXPECT_EQ(known.id, id);
    EXPECT_EQ(known.size, static_cast<int>(members.size()));
    EXPECT_EQ(known.remote_size, others == 0 ? -1 : others);
    EXPECT_EQ(known.rank, mine - group.begin());
    EXPECT_EQ(known.first, group.front());
    return known;
}

/// Every identity that a communicator of this process ever had.
std::set<communicator_id>& earlier() {
    static std::set<communicator_id> all{mpiprof::world_communicator, mpiprof::self_communicator};
    return all;
}

/// A communicator that all ranks have made together, each being in one or in none: members have one identity
/// and others have others, none of which was there before, and the registry knows its members and parent.
/// Collective over the world.
communicator_id expect_new_identity(MPI_Comm comm, communicator_id parent) {
    bool const is_member = comm != MPI_COMM_NULL;
    auto const id = recorded(comm).identity();
    auto const members = is_member ? members_of(comm) : std::vector<int>{};
    auto const ids = from_all(id);
    for (int rank = 0; rank < world_size(); ++rank) {
        bool const together = std::find(members.begin(), members.end(), rank) != members.end();
        if (is_member) {
            EXPECT_EQ(ids[static_cast<std::size_t>(rank)] == id, together) << "on rank " << rank;
        }
    }
    EXPECT_EQ(id == mpiprof::unknown_communicator, !is_member);
    if (!is_member) return id;
    EXPECT_TRUE(earlier().insert(id).second) << "it was another's identity";
    auto const known = expect_known_members(id, comm);
    EXPECT_EQ(known.parent, parent);
    EXPECT_FALSE(known.guessed);
    return id;
}

constexpr auto world_id = mpiprof::world_communicator;

/// Each test makes its communicators twice: handles come back, identities do not. What is paused or unseen is
/// tested elsewhere.
class identity : public testing::TestWithParam<int> {
  protected:
    void TearDown() override {
        for (auto& each : made_) {
            if (each != MPI_COMM_NULL) calls::comm_free(&each);
        }
    }

    /// A place for a communicator that is freed at the end.
    MPI_Comm* place() { return &made_[used_++]; }

    /// One side of the world: its lower half or the others.
    MPI_Comm own_side() {
        MPI_Comm* const side = place();
        calls::comm_split(MPI_COMM_WORLD, is_low ? 0 : 1, 0, side);
        expect_new_identity(*side, world_id);
        return *side;
    }

    int const rank = world_rank();
    int const size = world_size();
    bool const is_low = rank < size / 2;
    cases::recorder const records;

  private:
    std::array<MPI_Comm, 8> made_ = [] {
        std::array<MPI_Comm, 8> none{};
        none.fill(MPI_COMM_NULL);
        return none;
    }();
    std::size_t used_ = 0;
};
INSTANTIATE_TEST_SUITE_P(again, identity, testing::Values(1, 2));

TEST_P(identity, of_duplicates) {
    auto* const plain = place();
    auto* const informed = place();
    auto* const of_duplicate = place();
    calls::comm_dup(MPI_COMM_WORLD, plain);
    auto const parent = expect_new_identity(*plain, world_id);
    calls::comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, informed);
    expect_new_identity(*informed, world_id);
    calls::comm_dup(*plain, of_duplicate);
    expect_new_identity(*of_duplicate, parent);
}

// Two at once, which complete in either order: the calls' order is what counts.
TEST_P(identity, of_nonblocking_duplicates) {
    std::array<MPI_Comm*, 2> const copies{place(), place()};
    std::array<MPI_Request, 2> requests{};
    calls::comm_idup(MPI_COMM_WORLD, copies[0], &requests[0]);
    calls::comm_idup(MPI_COMM_WORLD, copies[1], &requests[1]);
    auto* const between = place();
    calls::comm_dup(MPI_COMM_WORLD, between);
    if (rank % 2 == 0) {
        calls::wait(&requests[1], MPI_STATUS_IGNORE);
        calls::wait(&requests[0], MPI_STATUS_IGNORE);
    } else {
        calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    }
    auto const first = expect_new_identity(*copies[0], world_id);
    auto const second = expect_new_identity(*copies[1], world_id);
    auto const third = expect_new_identity(*between, world_id);
    EXPECT_EQ(std::set({first, second, third}).size(), 3U);
}

TEST_P(identity, of_a_duplicate_whose_request_is_an_object) {
    auto const world = recorded(MPI_COMM_WORLD);
    auto* const copy = place();
    auto request = world.comm_idup(copy);
    EXPECT_EQ(request.wait(), MPI_SUCCESS);
    expect_new_identity(*copy, world_id);
}

TEST_P(identity, of_parts) {
    auto* const part = place();
    auto* const reversed = place();
    auto* const alone = place();
    calls::comm_split(MPI_COMM_WORLD, rank % 2, 0, part);
    auto const parent = expect_new_identity(*part, world_id);
    calls::comm_split(MPI_COMM_WORLD, 0, -rank, reversed);
    expect_new_identity(*reversed, world_id);
    calls::comm_split(*part, rank, 0, alone);
    expect_new_identity(*alone, parent);
}

TEST_P(identity, of_parts_of_a_type) {
    auto* const shared = place();
    auto* const some = place();
    calls::comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, shared);
    expect_new_identity(*shared, world_id);
    calls::comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                           some);
    EXPECT_EQ(*some == MPI_COMM_NULL, rank == 0);
    expect_new_identity(*some, world_id);
}

/// Groups of the world, freed at the end.
class identity_of_groups : public identity {
  protected:
    void SetUp() override {
        PMPI_Comm_group(MPI_COMM_WORLD, &all);
        std::vector<int> low;
        for (int i = 0; i < size / 2; ++i) low.push_back(i);
        auto const count = static_cast<int>(low.size());
        MPI_Group lower = MPI_GROUP_NULL;
        MPI_Group upper = MPI_GROUP_NULL;
        PMPI_Group_incl(all, count, low.data(), &lower);
        PMPI_Group_excl(all, count, low.data(), &upper);
        own = is_low ? lower : upper;
        other = is_low ? upper : lower;
    }

    void TearDown() override {
        for (auto* each : {&all, &own, &other}) {
            if (*each != MPI_GROUP_EMPTY) PMPI_Group_free(each);
        }
        identity::TearDown();
    }

    MPI_Group all = MPI_GROUP_NULL;
    /// The half of the world that this rank is in, and the other one.
    MPI_Group own = MPI_GROUP_NULL;
    MPI_Group other = MPI_GROUP_NULL;
};
INSTANTIATE_TEST_SUITE_P(again, identity_of_groups, testing::Values(1, 2));

TEST_P(identity_of_groups, created) {
    auto* const half = place();
    auto* const upper = place();
    calls::comm_create(MPI_COMM_WORLD, own, half);
    expect_new_identity(*half, world_id);
    calls::comm_create(MPI_COMM_WORLD, is_low ? other : own, upper);
    EXPECT_EQ(*upper == MPI_COMM_NULL, is_low);
    expect_new_identity(*upper, world_id);
}

// The others know nothing of it, and still count as before: what all make next has one identity.
TEST_P(identity_of_groups, created_by_the_group_alone) {
    auto* const upper = place();
    auto* const again = place();
    auto* const next = place();
    if (!is_low) {
        calls::comm_create_group(MPI_COMM_WORLD, own, 5, upper);
        calls::comm_create_group(MPI_COMM_WORLD, own, 5, again);
    }
    auto const first = expect_new_identity(*upper, world_id);
    auto const second = expect_new_identity(*again, world_id);
    EXPECT_EQ(first == second, is_low);
    calls::comm_dup(MPI_COMM_WORLD, next);
    expect_new_identity(*next, world_id);
}

/// A sink that holds the calling thread up after its call has made a communicator.
struct hold_up {
    static inline thread_local std::chrono::milliseconds time{};

    void operator()(mpiprof::call const&) const { std::this_thread::sleep_for(time); }
};
using held_up =
    mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::none, mpiprof::sinks::callback<hold_up>>;

// Threads of one process tell such calls apart by the tag, and may get their communicators in any order.
TEST_P(identity_of_groups, created_by_threads_at_once) {
    constexpr mpiprof::raw::function<mpiprof::raw::rows::Comm_create_group, held_up> create_group;
    std::array<MPI_Comm*, 3> const made{place(), place(), place()};
    std::vector<std::thread> threads;
    for (int tag = 0; tag < 3; ++tag) {
        threads.emplace_back([&, tag] {
            hold_up::time = std::chrono::milliseconds{20 * ((tag + rank) % 3)};
            create_group(MPI_COMM_WORLD, all, tag, made[static_cast<std::size_t>(tag)]);
        });
    }
    for (auto& each : threads) each.join();
    std::set<communicator_id> ids;
    for (auto* each : made) ids.insert(expect_new_identity(*each, world_id));
    EXPECT_EQ(ids.size(), made.size());
}

#if MPIPROF_INTERNAL_SESSIONS
TEST_P(identity_of_groups, created_from_groups_alone) {
    auto* const half = place();
    auto const tag = "mpiprof.identity." + std::to_string(is_low);
    int own_size = 0;
    PMPI_Group_size(own, &own_size);
    calls::comm_create_from_group(own, tag.c_str(), MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, half);
    expect_new_identity(*half, mpiprof::unknown_communicator);
}

TEST_P(identity_of_groups, created_between_groups_alone) {
    if (size < 2) GTEST_SKIP() << "there are no two groups";
    auto* const between = place();
    calls::intercomm_create_from_groups(own, 0, other, 0, "mpiprof.identity", MPI_INFO_NULL,
                                        MPI_ERRORS_ARE_FATAL, between);
    expect_new_identity(*between, mpiprof::unknown_communicator);
}
#endif

TEST_P(identity, of_cartesian_topologies_and_their_parts) {
    auto* const grid = place();
    auto* const row = place();
    auto* const corner = place();
    std::array<int, 2> dims{};
    std::array<int, 2> const periods{};
    std::array<int, 2> const kept{0, 1};
    PMPI_Dims_create(size, 2, dims.data());
    calls::cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, grid);
    auto const parent = expect_new_identity(*grid, world_id);
    calls::cart_sub(*grid, kept.data(), row);
    expect_new_identity(*row, parent);
    int const one = 1;
    calls::cart_create(MPI_COMM_WORLD, 1, &one, periods.data(), 0, corner);
    EXPECT_EQ(*corner == MPI_COMM_NULL, rank != 0);
    expect_new_identity(*corner, world_id);
}

TEST_P(identity, of_graphs) {
    auto* const graph = place();
    auto* const distributed = place();
    auto* const adjacent = place();
    std::vector<int> ends;
    std::vector<int> edges;
    for (int i = 0; i < size; ++i) {
        edges.push_back((i + 1) % size);
        ends.push_back(i + 1);
    }
    int const one = 1;
    int const next = (rank + 1) % size;
    int const previous = (rank + size - 1) % size;
    calls::graph_create(MPI_COMM_WORLD, size, ends.data(), edges.data(), 0, graph);
    expect_new_identity(*graph, world_id);
    calls::dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                             distributed);
    expect_new_identity(*distributed, world_id);
    calls::dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, 0, adjacent);
    expect_new_identity(*adjacent, world_id);
}

// Both sides agree, and all agree on what is made of it.
TEST_P(identity, of_intercommunicators_and_what_is_made_of_them) {
    if (size < 2) GTEST_SKIP() << "there are no two groups";
    auto const side = own_side();
    auto const leader = is_low ? size / 2 : 0;
    auto* const between = place();
    auto* const another = place();
    auto* const copy = place();
    auto* const merged = place();
    auto* const parts = place();
    calls::intercomm_create(side, 0, MPI_COMM_WORLD, leader, 7, between);
    auto const parent = expect_new_identity(*between, recorded(side).identity());
    calls::intercomm_create(side, 0, MPI_COMM_WORLD, leader, 8, another);
    expect_new_identity(*another, recorded(side).identity());
    calls::comm_dup(*between, copy);
    expect_new_identity(*copy, parent);
    calls::intercomm_merge(*between, is_low ? 1 : 0, merged);
    expect_new_identity(*merged, parent);
    calls::comm_split(*between, 0, -rank, parts);
    expect_new_identity(*parts, parent);
}

// Ranks differ in how many communicators they make of what they have for themselves.
TEST_P(identity, does_not_depend_on_what_ranks_make_apart) {
    auto* const own = place();
    auto* const other = place();
    if (rank == 0) calls::comm_dup(MPI_COMM_SELF, own);
    if (rank % 2 == 0) calls::comm_dup(MPI_COMM_SELF, other);
    auto* const all = place();
    calls::comm_dup(MPI_COMM_WORLD, all);
    expect_new_identity(*all, world_id);
}

TEST_P(identity, ends_with_a_disconnection) {
    std::set<communicator_id> ids;
    for (int i = 0; i < 4; ++i) {
        MPI_Comm comm = MPI_COMM_NULL;
        calls::comm_dup(MPI_COMM_WORLD, &comm);
        ids.insert(expect_new_identity(comm, world_id));
        auto const id = recorded(comm).identity();
        calls::comm_disconnect(&comm);
        EXPECT_EQ(comm, MPI_COMM_NULL);
        EXPECT_EQ(records.calls(operation::comm_disconnect).back().communicator, id);
    }
    EXPECT_EQ(ids.size(), 4U);
}

// Each thread has a parent of its own, and makes children of it in the order of all ranks; which thread is
// first differs.
TEST_P(identity, of_what_threads_make_of_different_parents) {
    constexpr std::size_t threads = 3;
    constexpr std::size_t children = 4;
    std::array<MPI_Comm*, threads> parents{};
    for (auto& each : parents) {
        each = place();
        calls::comm_dup(MPI_COMM_WORLD, each);
    }
    std::array<std::array<MPI_Comm, children>, threads> made{};
    auto const make = [&](std::size_t thread) {
        for (std::size_t i = 0; i < children; ++i) {
            if (i % 2 == 0) calls::comm_dup(*parents[thread], &made[thread][i]);
            else calls::comm_split(*parents[thread], 0, -world_rank(), &made[thread][i]);
        }
    };
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < threads; ++i)
        running.emplace_back(make, (i + static_cast<std::size_t>(rank)) % threads);
    for (auto& each : running) each.join();
    for (std::size_t i = 0; i < threads; ++i) {
        auto const parent = recorded(*parents[i]).identity();
        for (auto& each : made[i]) {
            expect_new_identity(each, parent);
            calls::comm_free(&each);
        }
    }
}

TEST(communicators, world_and_self_are_known) {
    cases::recorder const records;
    calls::barrier(MPI_COMM_WORLD);
    EXPECT_EQ(expect_known_members(world_id, MPI_COMM_WORLD).name, "MPI_COMM_WORLD");
    EXPECT_EQ(expect_known_members(mpiprof::self_communicator, MPI_COMM_SELF).name, "MPI_COMM_SELF");
}

// What is known of one whose making was not seen is the same, but for the parent.
TEST(communicators, one_that_is_met_is_known) {
    cases::recorder const records;
    MPI_Comm part = MPI_COMM_NULL;
    PMPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, -world_rank(), &part);
    calls::barrier(part);
    auto const known = expect_known_members(records.call(operation::barrier).communicator, part);
    EXPECT_TRUE(known.guessed);
    EXPECT_EQ(known.parent, mpiprof::unknown_communicator);
    calls::comm_free(&part);
}

TEST(communicators, CM3_a_part_of_a_type_that_leaves_a_rank_out) {
    CASES_NEED_RANKS(2);
    cases::recorder const records;
    bool const out = world_rank() == 0;
    MPI_Comm part = MPI_COMM_NULL;
    EXPECT_EQ(calls::comm_split_type(MPI_COMM_WORLD, out ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0,
                                     MPI_INFO_NULL, &part),
              MPI_SUCCESS);
    EXPECT_EQ(part == MPI_COMM_NULL, out);
    EXPECT_EQ(records.call(operation::comm_split_type).communicator, world_id);
    if (!out) calls::comm_free(&part);
}

TEST(communicators, CM12_disconnecting_no_communicator_is_an_error) {
    CASES_NEED_RANKS(1);
    cases::errors_return const guard;
    cases::recorder const records;
    MPI_Comm none = MPI_COMM_NULL;
    EXPECT_EQ(cases::error_class(calls::comm_disconnect(&none)), MPI_ERR_COMM);
    EXPECT_EQ(records.call(operation::comm_disconnect).flags, mpiprof::call_failed);
    EXPECT_EQ(records.call(operation::comm_disconnect).communicator, mpiprof::unknown_communicator);
}

// Also of one that is gone before the profile is made.
TEST(intercommunicators, IC5_each_is_defined_in_the_profile) {
    CASES_NEED_RANKS(4);
    auto const& profiler = cases::summary_profiler();
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    bool const is_low = world.rank() < 2;
    auto side = world.split(is_low ? 0 : 1, 0);
    MPI_Comm between = MPI_COMM_NULL;
    side.intercomm_create(0, MPI_COMM_WORLD, is_low ? 2 : 0, 9, &between);
    auto view = mpiprof::profile(between, profiler);
    auto const id = view.identity();
    int value = 0;
    view.sendrecv(&value, 1, MPI_INT, side.rank(), 0, &value, 1, MPI_INT, side.rank(), 0, MPI_STATUS_IGNORE);
    mpiprof::raw::comm_set_name(between, "bridge");
    view.free();
    auto const parent = side.identity();
    side.free();

    auto const run = profiler.snapshot();
    std::set<communicator_id> defined;
    for (auto const& each : run.communicators) {
        defined.insert(each.id);
        if (each.id != id) continue;
        EXPECT_EQ(each.name, "bridge");
        EXPECT_EQ(each.size, 4);
        EXPECT_EQ(each.parent, parent);
    }
    EXPECT_TRUE(defined.contains(id));
    bool used = false;
    for (auto const& each : run.calls) {
        EXPECT_TRUE(defined.contains(each.communicator)) << each.operation;
        used = used || (each.communicator == id && each.operation == "sendrecv");
    }
    EXPECT_TRUE(used);
}

}  // namespace
