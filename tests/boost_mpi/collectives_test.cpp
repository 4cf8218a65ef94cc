// What is the same for all collectives: where they were called, and what they ask MPI.
#include "tests/boost_mpi/collectives.hpp"

#include <boost/mpi/collectives/all_gatherv.hpp>
#include <boost/mpi/skeleton_and_content.hpp>
#include <boost/serialization/list.hpp>
#include <functional>
#include <list>
#include <utility>

namespace boost_mpi_tests {

namespace {

namespace mpi = boost::mpi;

TEST(boost_mpi_collectives, barrier_moves_nothing) {
    on_all([](auto const& world) { world.barrier(); }, {{.operation = "barrier"}});
}

// With an intercommunicator, what one rank of a group and all of the other exchange.
TEST(boost_mpi_collectives, between_two_groups) {
    if (world_size() < 2) GTEST_SKIP() << "needs two groups";
    mpi::communicator const plain;
    int const side = world_rank() % 2;
    auto const half = plain.split(side);
    profiled_communicator const across{mpi::intercommunicator(half, 0, plain, 1 - side)};
    bool const leads = world_rank() == 0;
    int const root = side == 1 ? 0 : leads ? MPI_ROOT : MPI_PROC_NULL;
    int number = leads ? 7 : 0;
    std::vector all(static_cast<std::size_t>(world_size()), leads ? 5 : 0);
    begin_run();
    broadcast(across, number, root);
    gather(across, number, all.data(), root);
    scatter<int>(across, std::as_const(all).data(), number, root);
    EXPECT_EQ(number, side == 1 || leads ? 7 : 0);
    int const others = world_size() / 2;
    record expected;
    expected.root = side == 1 ? 0 : leads ? mpiprof::intercommunicator_root : mpiprof::null_process;
    auto const moved = [&](char const* operation, long long sent, long long received) {
        expected.operation = operation;
        expected.sent = sent;
        expected.received = received;
        return expected;
    };
    long long const leader_only = leads ? 4 : 0;
    long long const odd_only = side == 1 ? 4 : 0;
    EXPECT_EQ(calls_in(__FILE__),
              (records{moved("bcast", leader_only, odd_only), moved("gather", odd_only, others * leader_only),
                       moved("scatter", others * leader_only, odd_only)}));
}

/// Calls each overload, one a line; returns the first line.
template <class... Site>
std::uint32_t call_each(Site... site) {
    profiled_communicator const world;
    bool const leads = world_rank() == 0;
    int number = 1;
    int sum = 0;
    std::vector<int> two{1, 2};
    std::vector<int> all(2 * static_cast<std::size_t>(world_size()));
    std::vector<int> const in = all;
    std::string text;
    std::list<int> list;
    mpi::skeleton_proxy<std::list<int>> shape{list};
    auto const& same_shape = shape;
    std::plus<int> const plus;
    int* const p = two.data();
    int* const q = all.data();
    auto const ones = equal_sizes(1);
    auto const twos = equal_sizes(2);
    auto const places = displacements(twos);
    auto one_each = ones;
    int const* const nothing = nullptr;
    std::vector<int> const nothing_at_all;
    begin_run();
    // clang-format off
    auto const first = static_cast<std::uint32_t>(__LINE__ + 1);
    broadcast(world, number, 0, site...);
    broadcast(world, text, 0, site...);
    broadcast(world, p, 2, 0, site...);
    broadcast(world, &text, 1, 0, site...);
    broadcast(world, shape, 0, site...);
    broadcast(world, same_shape, 0, site...);
    reduce(world, number, sum, plus, 0, site...);
    leads ? reduce(world, number, sum, plus, 0, site...) : reduce(world, number, plus, 0, site...);
    reduce(world, p, 2, q, plus, 0, site...);
    leads ? reduce(world, p, 2, q, plus, 0, site...) : reduce(world, p, 2, plus, 0, site...);
    reduce(world, two, all, plus, 0, site...);
    leads ? reduce(world, two, all, plus, 0, site...) : reduce(world, two, plus, 0, site...);
    all_reduce(world, p, 2, q, plus, site...);
    all_reduce(world, number, sum, plus, site...);
    sum = all_reduce(world, number, plus, site...);
    all_reduce(world, mpi::inplace(p), 2, plus, site...);
    all_reduce(world, mpi::inplace(number), plus, site...);
    gather(world, number, all, 0, site...);
    gather(world, number, q, 0, site...);
    leads ? gather(world, number, all, 0, site...) : gather(world, number, 0, site...);
    gather(world, p, 2, all, 0, site...);
    gather(world, p, 2, q, 0, site...);
    leads ? gather(world, p, 2, all, 0, site...) : gather(world, p, 2, 0, site...);
    all_gather(world, number, all, site...);
    all_gather(world, number, q, site...);
    all_gather(world, p, 2, all, site...);
    all_gather(world, p, 2, q, site...);
    scatter(world, in, number, 0, site...);
    scatter<int>(world, in.data(), number, 0, site...);
    leads ? scatter(world, in, number, 0, site...) : scatter(world, number, 0, site...);
    scatter(world, in, p, 2, 0, site...);
    scatter(world, in.data(), p, 2, 0, site...);
    leads ? scatter(world, in, p, 2, 0, site...) : scatter(world, p, 2, 0, site...);
    gatherv(world, two, q, twos, places, 0, site...);
    gatherv(world, p, 2, q, twos, places, 0, site...);
    leads ? gatherv(world, p, 2, q, twos, places, 0, site...) : gatherv(world, two, 0, site...);
    leads ? gatherv(world, p, 2, q, twos, places, 0, site...) : gatherv(world, p, 2, 0, site...);
    gatherv(world, p, 2, q, twos, 0, site...);
    gatherv(world, two, q, twos, 0, site...);
    all_gatherv(world, number, q, ones, site...);
    all_gatherv(world, p, q, twos, site...);
    all_gatherv(world, two, all, twos, site...);
    all_gatherv(world, p, q, twos, places, site...);
    all_gatherv(world, two, all, twos, places, site...);
    scatterv(world, in, twos, places, p, 2, 0, site...);
    scatterv(world, in.data(), twos, places, p, 2, 0, site...);
    leads ? scatterv(world, in, twos, places, p, 2, 0, site...) : scatterv(world, p, 2, 0, site...);
    scatterv(world, in.data(), twos, p, 0, site...);
    scatterv(world, in, twos, p, 0, site...);
    leads ? scatterv(world, in, twos, p, 0, site...) : scatterv(world, nothing, p, 2, 0, site...);
    leads ? scatterv(world, in, twos, p, 0, site...) : scatterv(world, nothing_at_all, p, 2, 0, site...);
    all_to_all(world, ones, one_each, site...);
    all_to_all(world, ones.data(), one_each.data(), site...);
    all_to_all(world, in, 2, all, site...);
    all_to_all(world, in.data(), 2, q, site...);
    scan(world, number, sum, plus, site...);
    sum = scan(world, number, plus, site...);
    scan(world, p, 2, q, plus, site...);
    // clang-format on
    return first;
}

TEST(boost_mpi_collectives, record_where_they_were_called) {
    auto const first = call_each();
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 58);
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        EXPECT_STREQ(calls[i].site.file(), __FILE__);
        EXPECT_EQ(calls[i].site.line(), first + i) << name(calls[i].operation);
    }
}

TEST(boost_mpi_collectives, record_the_place_that_a_helper_passes_on) {
    call_each(mpiprof::call_site{"there", 7});
    ASSERT_EQ(recorded().calls.size(), 58);
    for (auto const& each : recorded().calls) {
        EXPECT_STREQ(each.site.file(), "there");
        EXPECT_EQ(each.site.line(), 7) << name(each.operation);
    }
}

TEST(boost_mpi_collectives, ask_mpi_for_ranks_and_sizes_as_often_as_boost) {
    auto const queries_of = [](auto const& world, auto call) {
        begin_run();
        call(world);
        return pmpi_log::queries();
    };
    auto const expect_same = [&](char const* collective, auto call) {
        EXPECT_EQ(queries_of(profiled_communicator{}, call), queries_of(mpi::communicator{}, call))
            << collective;
    };
    expect_same("broadcast", [](auto const& world) {
        int number = 1;
        broadcast(world, number, 0);
    });
    expect_same("broadcast of a string", [](auto const& world) {
        std::string text;
        broadcast(world, text, 0);
    });
    expect_same("reduce", [](auto const& world) {
        int sum = 0;
        reduce(world, 1, sum, std::plus<int>{}, 0);
    });
    expect_same("all_reduce", [](auto const& world) { all_reduce(world, 1, std::plus<int>{}); });
    expect_same("gather", [](auto const& world) {
        std::vector<int> all;
        gather(world, 1, all, 0);
    });
    expect_same("all_gather", [](auto const& world) {
        std::vector<int> all;
        all_gather(world, 1, all);
    });
    expect_same("scatter", [](auto const& world) {
        int number = 0;
        scatter(world, std::vector<int>(static_cast<std::size_t>(world_size())), number, 0);
    });
    expect_same("all_to_all", [](auto const& world) {
        std::vector<int> given;
        all_to_all(world, equal_sizes(1), given);
    });
    expect_same("scan", [](auto const& world) { scan(world, 1, std::plus<int>{}); });
}

/// Times only.
using timing_only = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::none,
                                             mpiprof::sinks::callback<collect>>;

// Boost's own functions are called, and asked nothing.
TEST(boost_mpi_collectives, without_bytes_are_timed) {
    mpiprof::boost_mpi::basic_communicator<timing_only> const world;
    auto const mine = value_of<std::string>(world_rank());
    auto text = mine;
    std::vector<std::string> all;
    std::list<int> list;
    auto const sizes = equal_sizes(1);
    begin_run();
    broadcast(world, text, 0);
    broadcast(world, mpi::skeleton(list), 0);
    gather(world, mine, all, 0);
    all.resize(sizes.size());
    gatherv(world, &mine, 1, all.data(), sizes, 0);
    all_gather(world, mine, all);
    EXPECT_EQ(all, one_for_each<std::string>());
    all_gatherv(world, &mine, all.data(), sizes);
    EXPECT_EQ(all, one_for_each<std::string>());
    scatter(world, one_for_each<std::string>(), text, 0);
    EXPECT_EQ(text, mine);
    scatterv(world, one_for_each<std::string>(), sizes, &text, 0);
    EXPECT_EQ(text, mine);
    all_to_all(world, all, all);
    all_reduce(world, mine, std::plus<std::string>{});
    int const estimated = mpiprof::call_estimated;
    EXPECT_EQ(calls_in(__FILE__), (records{{.operation = "bcast", .root = 0},
                                           {.operation = "bcast", .root = 0},
                                           {.operation = "gather", .root = 0},
                                           {.operation = "gatherv", .root = 0},
                                           {.operation = "allgather"},
                                           {.operation = "allgatherv"},
                                           {.operation = "scatter", .root = 0},
                                           {.operation = "scatterv", .root = 0},
                                           {.operation = "alltoall"},
                                           {.operation = "allreduce", .flags = estimated}}));
}

}  // namespace

}  // namespace boost_mpi_tests
