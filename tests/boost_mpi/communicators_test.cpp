// Communicators: what makes them, their identities, and how they are copied, compared and freed.
#include "tests/boost_mpi/identities.hpp"
#include "tests/boost_mpi/library.hpp"
#include "tests/boost_mpi/same_as_boost.hpp"
#include "tests/boost_mpi/types_of.hpp"

#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace boost_mpi_tests {

namespace {

TEST(boost_mpi_communicator, BM22_frees_what_boost_frees) {
    same_as_boost([](auto const& world) {
        using communicator = std::remove_cvref_t<decltype(world)>;
        auto const frees = [] { return pmpi_log::calls("Comm_free").size(); };
        {
            communicator const attached(MPI_COMM_WORLD, boost::mpi::comm_attach);
        }
        EXPECT_EQ(frees(), 0);
        {
            communicator const duplicate(MPI_COMM_WORLD, boost::mpi::comm_duplicate);
        }
        EXPECT_EQ(frees(), 1);
        MPI_Comm handle = MPI_COMM_NULL;
        PMPI_Comm_dup(MPI_COMM_WORLD, &handle);
        {
            communicator const owner(handle, boost::mpi::comm_take_ownership);
        }
        EXPECT_EQ(frees(), 2);
        {
            communicator copy;
            {
                communicator const part = world.split(0);
                communicator const another = part;
                copy = another;
            }
            EXPECT_EQ(frees(), 2);
            EXPECT_EQ(copy.size(), world.size());
        }
        EXPECT_EQ(frees(), 3);
        {
            int const first = 0;
            communicator const leaders(world, world.group().include(&first, &first + 1));
            EXPECT_EQ(static_cast<bool>(leaders), world_rank() == 0);
        }
        EXPECT_EQ(frees(), world_rank() == 0 ? 4 : 3);
    });
}

TEST(boost_mpi_communicator, split_gives_each_part_an_identity) {
    profiled_communicator const world;
    EXPECT_EQ(world.identity(), mpiprof::world_communicator);
    auto const half = world.split(world_rank() % 2);
    auto const again = world.split(world_rank() % 2, -world_rank());
    EXPECT_NE(half.identity(), again.identity());
    EXPECT_GT(half.identity(), mpiprof::self_communicator);
    expect_one_identity_for_each(world_rank() % 2, half.identity());
    expect_made_from(mpiprof::world_communicator, half);
    profiled_communicator const copy = half;
    EXPECT_EQ(copy.identity(), half.identity());
    profiled_communicator const from_boost = static_cast<boost::mpi::communicator const&>(half);
    EXPECT_EQ(from_boost.identity(), half.identity());
}

TEST(boost_mpi_communicator, duplicates_have_identities_of_their_own) {
    profiled_communicator const world;
    profiled_communicator const first(world, boost::mpi::comm_duplicate);
    profiled_communicator const second(world, boost::mpi::comm_duplicate);
    profiled_communicator const attached(first, boost::mpi::comm_attach);
    EXPECT_NE(first.identity(), world.identity());
    EXPECT_NE(first.identity(), second.identity());
    EXPECT_EQ(attached.identity(), first.identity());
    expect_same_on_all_ranks(first.identity());
    expect_same_on_all_ranks(second.identity());
    expect_made_from(mpiprof::world_communicator, first);
    expect_made_from(mpiprof::world_communicator, second);
}

TEST(boost_mpi_communicator, CM2_ranks_left_out_keep_counting) {
    profiled_communicator const world;
    int const rank = world_rank();
    begin_run();
    auto const others = world.split(rank == 0 ? MPI_UNDEFINED : 0);
    EXPECT_EQ(static_cast<bool>(others), rank != 0);
    EXPECT_EQ(others.identity() == mpiprof::unknown_communicator, rank == 0);
    int const first = 0;
    profiled_communicator const leaders(world, world.group().include(&first, &first + 1));
    EXPECT_EQ(leaders.identity() == mpiprof::unknown_communicator, rank != 0);
    if (rank == 0) expect_made_from(mpiprof::world_communicator, leaders);
    EXPECT_EQ(recorded().calls.at(0).operation, mpiprof::operation::comm_split);
    expect_same_on_all_ranks(world.split(0).identity());
    expect_same_on_all_ranks(profiled_communicator(world, boost::mpi::comm_duplicate).identity());
}

TEST(boost_mpi_communicator, null_has_no_identity) {
    profiled_communicator const null(MPI_COMM_NULL, boost::mpi::comm_attach);
    EXPECT_FALSE(null);
    EXPECT_EQ(null.identity(), mpiprof::unknown_communicator);
}

// A function of the user's that takes a communicator gets a temporary for one of Boost's, and Boost's request
// refers to the communicator that it was made with. Here another one takes the temporary's place.
TEST(boost_mpi_communicator, requests_outlive_the_temporary_made_of_one_of_boosts) {
    boost::mpi::communicator const world;
    std::string text;
    std::vector<int> vector;
    alignas(profiled_communicator) unsigned char storage[sizeof(profiled_communicator)];
    auto* temporary = new (storage) profiled_communicator(world);
    profiled_request receives[] = {temporary->irecv(boost::mpi::any_source, 1, text),
                                   temporary->irecv(boost::mpi::any_source, 2, vector)};
    temporary->~profiled_communicator();
    temporary = new (storage) profiled_communicator(MPI_COMM_SELF, boost::mpi::comm_attach);
    world.send(next_rank(), 1, std::string{"abc"});
    world.send(next_rank(), 2, std::vector{1, 2});
    PMPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(receives[0].test());
    EXPECT_TRUE(receives[1].test());
    temporary->~profiled_communicator();
    if (text.empty()) world.recv(previous_rank(), 1, text);
    if (vector.empty()) world.recv(previous_rank(), 2, vector);
}

TEST(boost_mpi_communicator, its_calls_name_it) {
    profiled_communicator const world;
    auto const half = world.split(world_rank() % 2);
    begin_run();
    int number = half.rank();
    half.barrier();
    auto receive = half.irecv(half.rank(), 1, number);
    half.send(half.rank(), 1, 5);
    receive.wait();
    broadcast(half, number, 0);
    std::string text;
    broadcast(half, text, 0);
    auto const part = half.split(0);
    for (auto const& each : recorded().calls) EXPECT_EQ(each.communicator, half.identity());
    EXPECT_EQ(recorded().calls.size(), 7);
    EXPECT_EQ(recorded().completions.at(0).communicator, half.identity());
    begin_run();
    world.barrier();
    EXPECT_EQ(recorded().calls.at(0).communicator, mpiprof::world_communicator);
}

TEST(boost_mpi_communicator, split_records_where_it_was_called) {
    profiled_communicator const world;
    begin_run();
    world.split(0);
    world.split(0, 1);
    auto const line = static_cast<std::uint32_t>(__LINE__ - 1);
    world.split(0, mpiprof::call_site{"there", 7});
    world.split(0, 1, mpiprof::call_site{"there", 8});
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 4);
    EXPECT_EQ(calls[0].site.line(), line - 1);
    EXPECT_EQ(calls[1].site.line(), line);
    EXPECT_EQ(calls[2].site.line(), 7);
    EXPECT_EQ(calls[3].site.line(), 8);
}

TEST(boost_mpi_communicator, what_makes_one_is_recorded_once) {
    auto const run = same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        int const first = 0;
        communicator const duplicate(world, boost::mpi::comm_duplicate);
        communicator const part = duplicate.split(world.rank() % 2);
        communicator const ordered = duplicate.split(0, -world.rank());
        communicator const leaders(world, world.group().include(&first, &first + 1));
        EXPECT_EQ(ordered.rank(), world.size() - 1 - world.rank());
        EXPECT_EQ(static_cast<bool>(leaders), world.rank() == 0);
        // These make none.
        communicator const attached(MPI_COMM_WORLD, boost::mpi::comm_attach);
        communicator const null(MPI_COMM_NULL, boost::mpi::comm_duplicate);
        communicator const copy = duplicate;
        EXPECT_EQ(attached.size(), world.size());
        EXPECT_FALSE(null);
        EXPECT_EQ(copy.size(), world.size());
    });
    EXPECT_EQ(run.calls, (std::vector<record>{{.operation = "comm_dup"},
                                              {.operation = "comm_split"},
                                              {.operation = "comm_split"},
                                              {.operation = "comm_create"}}));
}

TEST(boost_mpi_communicator, records_its_parent_and_where_it_was_made) {
    profiled_communicator const world;
    auto const part = world.split(world_rank() % 2);
    begin_run();
    profiled_communicator const duplicate(part, boost::mpi::comm_duplicate);
    profiled_communicator const created(part, part.group(), mpiprof::call_site{"there", 7});
    auto const line = static_cast<std::uint32_t>(__LINE__ - 2);
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 2);
    EXPECT_EQ(calls[0].site.line(), line);
    EXPECT_EQ(calls[1].site.line(), 7);
    for (auto const& each : calls) EXPECT_EQ(each.communicator, part.identity());
    expect_made_from(part.identity(), duplicate);
    expect_made_from(part.identity(), created);
    EXPECT_NE(duplicate.identity(), created.identity());
}

TEST(boost_mpi_communicator, groups_choose_its_members) {
    same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        std::vector<int> lower(static_cast<std::size_t>((world.size() + 1) / 2));
        std::iota(lower.begin(), lower.end(), 0);
        auto everyone = world.group();
        auto const in_lower = everyone.include(lower.begin(), lower.end());
        communicator const below(world, in_lower);
        communicator const above(world, everyone - in_lower);
        auto const& mine = below ? below : above;
        EXPECT_NE(static_cast<bool>(below), static_cast<bool>(above));
        EXPECT_EQ(all_reduce(mine, 1, std::plus<int>()), mine.size());
        EXPECT_EQ(mine.size(), (world.size() + (below ? 1 : 0)) / 2);
    });
}

// Names that we have inside, too.
int rank_in(boost::mpi::communicator const& comm) { return comm.rank(); }
int size_of(boost::mpi::communicator const& comm) { return comm.size(); }

// And names that our generic functions have, of templates that would be worse matches than those.
namespace users {

constexpr int mine = -7;

template <class Comm>
int rank(Comm const&) {
    return mine;
}
template <class Comm>
int size(Comm const&) {
    return mine;
}
template <class Comm>
int barrier(Comm const&) {
    return mine;
}
template <class Comm, class Value>
int send(Comm const&, int, int, Value const*, std::size_t) {
    return mine;
}

template <class Comm>
void are_found(Comm const& world) {
    EXPECT_EQ(rank(world), mine);
    EXPECT_EQ(size(world), mine);
    EXPECT_EQ(barrier(world), mine);
    EXPECT_EQ(send(world, 0, 0, &mine, 1), mine);
}

}  // namespace users

TEST(boost_mpi_communicator, users_functions_are_found) {
    profiled_communicator const world;
    EXPECT_EQ(rank_in(world), world_rank());
    EXPECT_EQ(size_of(world), world_size());
    same_as_boost([](auto const& comm) { users::are_found(comm); });
}

TEST(boost_mpi_communicator, compares_with_its_like_and_with_boosts) {
    same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        boost::mpi::communicator const plain;
        communicator const copy = world;
        communicator const duplicate(world, boost::mpi::comm_duplicate);
        EXPECT_TRUE(copy == world);
        EXPECT_TRUE(world == plain && plain == world);
        EXPECT_TRUE(duplicate != world && world != duplicate);
        EXPECT_TRUE(plain != duplicate && !(duplicate == plain));
    });
}

TEST(boost_mpi_communicator, outlives_the_one_it_was_made_from) {
    same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        std::vector<communicator> made;
        {
            auto const parent = std::make_unique<communicator>(world.split(0));
            made.push_back(parent->split(0, -world.rank()));
            made.push_back(*parent);
        }
        for (auto const& each : made) each.barrier();
        communicator moved = std::move(made.front());
        made.clear();
        EXPECT_EQ(moved.rank(), world.size() - 1 - world.rank());
        EXPECT_EQ(all_reduce(moved, 1, std::plus<int>()), world.size());
        moved = world;
        EXPECT_EQ(moved.rank(), world.rank());
    });
}

/// A user's own communicator.
template <class Communicator>
class team : public Communicator {
  public:
    using Communicator::Communicator;
    team(Communicator const& comm) : Communicator(comm) {}

    int sum() const { return all_reduce(*this, 1, std::plus<int>()); }
};

TEST(boost_mpi_communicator, is_derived_from_by_users) {
    auto const run = same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        team<communicator> const everyone;
        team<communicator> const half(world.split(world.rank() % 2));
        EXPECT_EQ(everyone.sum(), world.size());
        EXPECT_EQ(half.sum(), half.size());
        communicator const& base = half;
        base.barrier();
    });
    EXPECT_EQ(run.calls.size(), 4);
    same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        team<communicator> const duplicate(world, boost::mpi::comm_duplicate);
        EXPECT_EQ(library::rank_of(duplicate), world.rank());
    });
}

}  // namespace

}  // namespace boost_mpi_tests
