// The one-line switch: a user's code over boost::mpi and over mpiprof::boost_mpi, and its communicators.
#include "tests/boost_mpi/same_as_boost.hpp"

#include "tests/boost_mpi/library.hpp"

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace boost_mpi_tests {

namespace {

namespace over_boost {

namespace mpi = boost::mpi;

#include "tests/boost_mpi/user_code.inc"

}  // namespace over_boost

namespace over_mpiprof {

namespace mpi = mpiprof::boost_mpi;

#include "tests/boost_mpi/user_code.inc"

}  // namespace over_mpiprof

TEST(boost_mpi_switch, changes_no_result_and_no_mpi_call) {
    std::vector<long> expected;
    same_as_boost(
        [&](auto const& world) {
            if constexpr (std::is_same_v<decltype(world), boost::mpi::communicator const&>) {
                auto const results = over_boost::user_code();
                if (expected.empty()) expected = results;
                EXPECT_EQ(results, expected);
            } else {
                EXPECT_EQ(over_mpiprof::user_code(), expected);
            }
        },
        order::free);
}

/// Calls by operation, in the default profile so far.
std::map<std::string, long> profiled_calls() {
    std::map<std::string, long> calls;
    mpiprof::profiler<> const profiler;
    for (auto const& each : profiler.snapshot().operations) calls[each.operation] = each.statistics.calls;
    return calls;
}

TEST(boost_mpi_switch, records_the_users_calls) {
    auto before = profiled_calls();
    over_mpiprof::user_code();
    auto const after = profiled_calls();
    std::map<std::string, long> made;
    for (auto const& [operation, calls] : after) {
        if (calls != before[operation]) made[operation] = calls - before[operation];
    }
    EXPECT_EQ(made, (std::map<std::string, long>{{"allgather", 2},
                                                 {"allreduce", 5},
                                                 {"barrier", 3},
                                                 {"bcast", 3},
                                                 {"comm_split", 4},
                                                 {"gather", 1},
                                                 {"irecv", 4},
                                                 {"isend", 6},
                                                 {"probe", 1},
                                                 {"recv", 4},
                                                 {"reduce", 2},
                                                 {"scatter", 1},
                                                 {"send", 4},
                                                 {"wait", 1},
                                                 {"waitall", 4}}));
}

/// Every rank's number.
std::vector<long long> on_all_ranks(long long mine) {
    std::vector<long long> all(static_cast<std::size_t>(world_size()));
    PMPI_Allgather(&mine, 1, MPI_LONG_LONG, all.data(), 1, MPI_LONG_LONG, MPI_COMM_WORLD);
    return all;
}

void expect_same_on_all_ranks(long long mine) {
    EXPECT_EQ(on_all_ranks(mine), std::vector(static_cast<std::size_t>(world_size()), mine));
}

/// Its identity comes from its making, which was seen.
void expect_made_from_the_world(mpiprof::communicator_id id) {
    for (auto const& each : mpiprof::communicator_registry::instance().entries()) {
        if (each.id != id) continue;
        EXPECT_EQ(each.parent, mpiprof::world_communicator);
        EXPECT_FALSE(each.guessed);
        return;
    }
    ADD_FAILURE() << "no entry";
}

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
    auto const ids = on_all_ranks(half.identity());
    for (std::size_t rank = 0; rank < ids.size(); ++rank) {
        EXPECT_EQ(ids[rank] == half.identity(), static_cast<int>(rank) % 2 == world_rank() % 2);
    }
    expect_made_from_the_world(half.identity());
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
    expect_made_from_the_world(first.identity());
    expect_made_from_the_world(second.identity());
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
    if (rank == 0) expect_made_from_the_world(leaders.identity());
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

}  // namespace

}  // namespace boost_mpi_tests
