// Cartesian and graph communicators.
#include "tests/boost_mpi/identities.hpp"
#include "tests/boost_mpi/same_as_boost.hpp"
#include "tests/boost_mpi/types_of.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/isomorphism.hpp>
#include <boost/serialization/string.hpp>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace boost_mpi_tests {

namespace {

constexpr int tag = 9;

/// All ranks in a row that is, or is not, a ring.
boost::mpi::cartesian_topology row_of_all(bool periodic) {
    return std::vector{boost::mpi::cartesian_dimension(world_size(), periodic)};
}

/// All ranks in a grid that is as square as can be, a ring in its second dimension.
boost::mpi::cartesian_topology grid_of_all() {
    std::vector<int> sizes(2);
    boost::mpi::cartesian_dimensions(world_size(), sizes);
    return {sizes, std::vector{false, true}};
}

/// Takes the arguments that Boost's class takes.
template <class Profiled, class Plain, class... Arguments>
inline constexpr bool takes =
    std::is_constructible_v<Profiled, Arguments...> && std::is_constructible_v<Plain, Arguments...>;

template <class... Arguments>
inline constexpr bool grid_takes =
    takes<profiled_cartesian, boost::mpi::cartesian_communicator, Arguments...>;

static_assert(grid_takes<MPI_Comm, boost::mpi::comm_create_kind>);
static_assert(grid_takes<profiled_communicator, boost::mpi::cartesian_topology>);
static_assert(grid_takes<boost::mpi::communicator, boost::mpi::cartesian_topology, bool>);
static_assert(grid_takes<profiled_cartesian, std::vector<int>>);
static_assert(grid_takes<boost::mpi::cartesian_communicator, std::vector<int>>);
static_assert(!std::is_default_constructible_v<profiled_cartesian>);

TEST(boost_mpi_cartesian_communicator, BM26_messages_to_neighbours_and_over_the_edge) {
    auto const run = same_as_boost([](auto const& world) {
        typename types<decltype(world)>::cartesian_communicator const row(world, row_of_all(false));
        auto const [left, right] = row.shifted_ranks(0, 1);
        int arrived = -1;
        auto receive = row.irecv(left, tag, arrived);
        auto send = row.isend(right, tag, row.rank());
        send.wait();
        receive.wait();
        EXPECT_EQ(arrived, row.rank() - 1);
        row.send(right, tag, row.rank());
        row.recv(left, tag, arrived);
        EXPECT_EQ(arrived, row.rank() - 1);
        row.sendrecv(right, tag, row.rank(), left, tag, arrived);
        EXPECT_EQ(arrived, row.rank() - 1);
    });
    int const rank = world_rank();
    bool const first = rank == 0;
    bool const last = rank == world_size() - 1;
    int const left = first ? mpiprof::null_process : rank - 1;
    int const right = last ? mpiprof::null_process : rank + 1;
    auto const one = datatype_nbytes<int>();
    auto const from_left = first ? 0 : one;
    auto const to_right = last ? 0 : one;
    EXPECT_EQ(run.calls, (std::vector<record>{
                             {.operation = "cart_create"},
                             {.operation = "irecv", .peer = left, .tag = tag, .capacity = from_left},
                             {.operation = "isend", .peer = right, .tag = tag, .sent = to_right},
                             {.operation = "wait", .request = "isend", .peer = right, .tag = tag},
                             {.operation = "wait", .request = "irecv", .peer = left, .tag = tag},
                             {.operation = "send", .peer = right, .tag = tag, .sent = to_right},
                             {.operation = "recv", .peer = left, .tag = tag, .received = from_left},
                             {.operation = "sendrecv", .peer = right, .tag = tag, .sent = to_right},
                         }));
    ASSERT_FALSE(run.completions.empty());
    EXPECT_EQ(run.completions.back().operation, "sendrecv");
    EXPECT_EQ(run.completions.back().peer, left);
    EXPECT_EQ(run.completions.back().received, from_left);
}

TEST(boost_mpi_cartesian_communicator, BM26_keeps_its_kind) {
    same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        using cartesian_communicator = typename types<decltype(world)>::cartesian_communicator;
        cartesian_communicator const grid(world, grid_of_all());
        communicator const sliced = grid;
        communicator const& base = grid;
        EXPECT_FALSE(world.as_cartesian_communicator());
        EXPECT_FALSE(sliced.as_graph_communicator());
        for (auto const* const each : {&sliced, &base}) {
            EXPECT_TRUE(each->has_cartesian_topology());
            auto const again = each->as_cartesian_communicator();
            static_assert(std::is_same_v<std::remove_cvref_t<decltype(*again)>, cartesian_communicator>);
            ASSERT_TRUE(again);
            EXPECT_EQ(again->coordinates(again->rank()), grid.coordinates(grid.rank()));
            EXPECT_TRUE(*again == grid);
        }
    });
}

/// What a rank knows of the grid.
template <class Cartesian>
std::string described(Cartesian const& grid) {
    std::ostringstream out;
    boost::mpi::cartesian_topology dimensions(grid.ndims());
    std::vector<int> mine;
    grid.topology(dimensions, mine);
    EXPECT_EQ(dimensions, grid.topology());
    EXPECT_EQ(mine, grid.coordinates(grid.rank()));
    EXPECT_EQ(grid.rank(mine), grid.rank());
    out << grid.ndims() << ' ' << dimensions << ' ' << grid.size() << ':';
    for (int const each : mine) out << ' ' << each;
    for (int dimension = 0; dimension < grid.ndims(); ++dimension) {
        for (int const by : {-1, 1, 2}) {
            auto const [from, to] = grid.shifted_ranks(dimension, by);
            out << ' ' << from << "->" << to;
        }
    }
    return out.str();
}

TEST(boost_mpi_cartesian_communicator, is_the_grid_that_boosts_is) {
    std::string expected;
    auto const run = same_as_boost([&](auto const& world) {
        using cartesian_communicator = typename types<decltype(world)>::cartesian_communicator;
        cartesian_communicator const grid(world, grid_of_all(), true);
        cartesian_communicator const down(grid, std::vector{0});
        cartesian_communicator const across(grid, {1});
        cartesian_communicator const row(grid, row_of_all(false));
        auto const text = described(grid) + described(down) + described(across) + described(row);
        if (expected.empty()) expected = text;
        EXPECT_EQ(text, expected);
        EXPECT_EQ(down.size() * across.size(), world.size());
    });
    EXPECT_EQ(run.calls, (std::vector<record>{{.operation = "cart_create"},
                                              {.operation = "cart_sub"},
                                              {.operation = "cart_sub"},
                                              {.operation = "cart_create"}}));
}

TEST(boost_mpi_cartesian_communicator, collectives_are_recorded) {
    auto const run = same_as_boost([](auto const& world) {
        typename types<decltype(world)>::cartesian_communicator const ring(world, row_of_all(true));
        std::string text = ring.rank() == 0 ? "abc" : "";
        ring.barrier();
        broadcast(ring, text, 0);
        EXPECT_EQ(text, "abc");
        EXPECT_EQ(all_reduce(ring, 1, std::plus<int>()), ring.size());
    });
    auto const one = datatype_nbytes<int>();
    ASSERT_EQ(run.calls.size(), 4);
    EXPECT_EQ(run.calls[1], (record{.operation = "barrier"}));
    EXPECT_EQ(run.calls[2].operation, "bcast");
    EXPECT_EQ(run.calls[2].sent + run.calls[2].received, archive_nbytes(std::string{"abc"}));
    EXPECT_EQ(run.calls[3], (record{.operation = "allreduce", .sent = one, .received = one}));
}

TEST(boost_mpi_cartesian_communicator, BM26_parts_have_identities_of_their_own) {
    profiled_communicator const world;
    profiled_cartesian const grid(world, grid_of_all());
    profiled_cartesian const again(world, grid_of_all());
    profiled_cartesian const down(grid, {0});
    profiled_cartesian const across(grid, {1});
    auto const mine = grid.coordinates(grid.rank());
    expect_one_identity_for_each(0, grid.identity());
    expect_one_identity_for_each(0, again.identity());
    expect_one_identity_for_each(mine[1], down.identity());
    expect_one_identity_for_each(mine[0], across.identity());
    std::set const ids{world.identity(), grid.identity(), again.identity(), down.identity(),
                       across.identity()};
    EXPECT_EQ(ids.size(), 5);
    expect_made_from(mpiprof::world_communicator, grid);
    expect_made_from(grid.identity(), across);
    begin_run();
    across.barrier();
    profiled_cartesian const part(grid, {0}, mpiprof::call_site{"there", 7});
    profiled_cartesian const ring(across, std::vector{boost::mpi::cartesian_dimension(across.size(), true)});
    auto const line = static_cast<std::uint32_t>(__LINE__ - 1);
    auto const& calls = recorded().calls;
    ASSERT_EQ(calls.size(), 3);
    EXPECT_EQ(calls[0].communicator, across.identity());
    EXPECT_EQ(calls[1].communicator, grid.identity());
    EXPECT_EQ(calls[1].site.line(), 7);
    EXPECT_EQ(calls[2].communicator, across.identity());
    EXPECT_EQ(calls[2].site.line(), line);
}

TEST(boost_mpi_cartesian_communicator, ranks_without_a_place_keep_counting) {
    auto const run = same_as_boost([](auto const& world) {
        typename types<decltype(world)>::cartesian_communicator const one(
            world, std::vector{boost::mpi::cartesian_dimension(1)});
        EXPECT_EQ(static_cast<bool>(one), world.rank() == 0);
    });
    EXPECT_EQ(run.calls, (std::vector<record>{{.operation = "cart_create"}}));
    profiled_communicator const world;
    profiled_cartesian const one(world, std::vector{boost::mpi::cartesian_dimension(1)});
    expect_one_identity_for_each(world_rank() == 0 ? 0 : -1, one.identity());
    expect_same_on_all_ranks(world.split(0).identity());
}

TEST(boost_mpi_cartesian_communicator, CM10_made_again_and_again_without_some_ranks) {
    auto const run = same_as_boost([](auto const& world) {
        using cartesian_communicator = typename types<decltype(world)>::cartesian_communicator;
        using boost::mpi::cartesian_dimension;
        for (int i = 0; i < 2; ++i) {
            cartesian_communicator const cube(world,
                                              std::vector{cartesian_dimension(world.size()),
                                                          cartesian_dimension(1), cartesian_dimension(1)});
            cartesian_communicator const one(cube, std::vector(3, cartesian_dimension(1)));
            EXPECT_EQ(cube.ndims(), 3);
            EXPECT_EQ(static_cast<bool>(one), world.rank() == 0);
            if constexpr (std::is_same_v<cartesian_communicator, profiled_cartesian>) {
                EXPECT_EQ(one.identity() == mpiprof::unknown_communicator, world.rank() != 0);
            }
        }
    });
    EXPECT_EQ(run.calls, (std::vector<record>(4, {.operation = "cart_create"})));
}

/// A user's own communicator.
template <class Cartesian>
class mesh : public Cartesian {
  public:
    using Cartesian::Cartesian;

    int width() const { return this->topology()[1].size; }
};

TEST(boost_mpi_cartesian_communicator, is_copied_moved_and_derived_from) {
    auto const run = same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        using cartesian_communicator = typename types<decltype(world)>::cartesian_communicator;
        std::vector<cartesian_communicator> grids;
        {
            auto const parent = std::make_unique<communicator>(world.split(0));
            grids.push_back(cartesian_communicator(*parent, grid_of_all()));
        }
        cartesian_communicator copy = grids.front();
        cartesian_communicator const moved = std::move(grids.front());
        grids.clear();
        EXPECT_EQ(copy.ndims(), 2);
        EXPECT_TRUE(copy == moved);
        copy = cartesian_communicator(moved, {1});
        EXPECT_EQ(copy.ndims(), 1);
        EXPECT_EQ(moved.ndims(), 2);

        mesh<cartesian_communicator> const users(world, grid_of_all());
        EXPECT_EQ(users.width(), grid_of_all()[1].size);
        std::shared_ptr<communicator> const base = std::make_shared<cartesian_communicator>(moved);
        base->barrier();

        cartesian_communicator const attached(MPI_Comm(moved), boost::mpi::comm_attach);
        cartesian_communicator const duplicate(MPI_Comm(moved), boost::mpi::comm_duplicate);
        EXPECT_TRUE(attached == moved && duplicate != moved);
        EXPECT_EQ(duplicate.topology(), moved.topology());
    });
    EXPECT_EQ(run.calls, (std::vector<record>{{.operation = "comm_split"},
                                              {.operation = "cart_create"},
                                              {.operation = "cart_sub"},
                                              {.operation = "cart_create"},
                                              {.operation = "barrier"},
                                              {.operation = "comm_dup"}}));
}

// A library that knows of Boost.MPI only.
int dimensions_of(boost::mpi::cartesian_communicator const& grid) { return grid.ndims(); }
boost::mpi::cartesian_communicator returned(boost::mpi::cartesian_communicator grid) { return grid; }

TEST(boost_mpi_cartesian_communicator, goes_where_boosts_goes_and_comes_back) {
    profiled_communicator const world;
    profiled_cartesian const grid(world, grid_of_all());
    EXPECT_EQ(dimensions_of(grid), 2);
    profiled_cartesian const back = returned(grid);
    EXPECT_EQ(back.identity(), grid.identity());
    boost::mpi::cartesian_communicator const plain = grid;
    // What is assigned to would be only a part of it.
    static_assert(!std::is_convertible_v<profiled_cartesian&, boost::mpi::cartesian_communicator&>);
    boost::mpi::cartesian_communicator const rows(grid, std::vector{0});
    EXPECT_TRUE(plain == grid && grid == plain);
    EXPECT_TRUE(rows != grid && grid != rows);
    static_assert(std::is_same_v<decltype(mpiprof::unwrap(grid)), boost::mpi::cartesian_communicator const&>);
    EXPECT_TRUE(mpiprof::unwrap(grid) == plain);
}

template <class Comm>
concept profiled_by_a_view = requires(Comm&& comm) { mpiprof::profile(std::forward<Comm>(comm)); };

static_assert(profiled_by_a_view<boost::mpi::cartesian_communicator&>);
static_assert(profiled_by_a_view<boost::mpi::graph_communicator const&>);
static_assert(profiled_by_a_view<boost::mpi::intercommunicator&>);
static_assert(!profiled_by_a_view<boost::mpi::cartesian_communicator>);
static_assert(!profiled_by_a_view<boost::mpi::graph_communicator>);
static_assert(!profiled_by_a_view<boost::mpi::intercommunicator>);

TEST(boost_mpi_cartesian_communicator, of_boosts_is_profiled_by_a_view) {
    boost::mpi::communicator const world;
    boost::mpi::cartesian_communicator const grid(world, grid_of_all());
    mpiprof::profiler<instrumentation> const profiler;
    auto const view = mpiprof::profile(grid, profiler);
    static_assert(mpiprof::communicator<decltype(view)>);
    static_assert(mpiprof::communicator<profiled_cartesian>);
    static_assert(mpiprof::communicator<boost::mpi::cartesian_communicator>);
    begin_run();
    int sum = 0;
    all_reduce(view, 1, sum, std::plus<int>());
    mpiprof::barrier(view);
    EXPECT_EQ(sum, world.size());
    EXPECT_EQ(&mpiprof::unwrap(view), &grid);
    auto const [from, to] = view.plain().shifted_ranks(1, 1);
    view.isend(to, tag, std::string{"abc"}).wait();
    std::string text;
    view.recv(from, tag, text);
    EXPECT_EQ(calls_in(__FILE__).size(), 5);
    for (auto const& each : recorded().calls) EXPECT_EQ(each.communicator, view.identity());
    EXPECT_EQ(profiled_cartesian(grid).identity(), view.identity());
    profiled_cartesian const profiled(grid);
    EXPECT_EQ(&mpiprof::profile(profiled), &profiled);
}

using boost_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// From each rank to the next, and from each to rank 0.
boost_graph ring_and_star() {
    boost_graph graph(static_cast<std::size_t>(world_size()));
    for (int rank = 0; rank < world_size(); ++rank) {
        add_edge(static_cast<std::size_t>(rank), static_cast<std::size_t>((rank + 1) % world_size()), graph);
        add_edge(static_cast<std::size_t>(rank), 0, graph);
    }
    return graph;
}

/// What a graph's functions say of it, called as a user of Boost's graph library calls them.
template <class Graph>
std::string listed(Graph const& graph) {
    std::ostringstream out;
    out << num_vertices(graph) << ' ' << num_edges(graph) << ':';
    BGL_FORALL_VERTICES_T(vertex, graph, Graph) {
        out << ' ' << get(boost::vertex_index, graph, vertex) << '/' << out_degree(vertex, graph);
        BGL_FORALL_OUTEDGES_T(vertex, edge, graph, Graph) {
            out << ' ' << source(edge, graph) << "->" << target(edge, graph);
        }
        BGL_FORALL_ADJ_T(vertex, neighbour, graph, Graph) { out << ' ' << neighbour; }
    }
    BGL_FORALL_EDGES_T(edge, graph, Graph) out << ' ' << source(edge, graph) << "->" << target(edge, graph);
    return out.str();
}

TEST(boost_mpi_graph_communicator, is_the_graph_that_boosts_is) {
    auto const graph = ring_and_star();
    std::string expected;
    auto const run = same_as_boost([&](auto const& world) {
        using graph_communicator = typename types<decltype(world)>::graph_communicator;
        graph_communicator const plain(world, graph);
        graph_communicator const reordered(world, graph, true);
        std::vector<int> ranks(static_cast<std::size_t>(world.size()));
        for (int i = 0; i < world.size(); ++i) ranks[static_cast<std::size_t>(i)] = (i + 1) % world.size();
        auto const rank_of =
            boost::make_iterator_property_map(ranks.begin(), get(boost::vertex_index, graph));
        graph_communicator const turned(world, graph, rank_of);
        graph_communicator const of_another(world, plain, false);
        auto const text = listed(plain) + listed(reordered) + listed(turned) + listed(of_another);
        if (expected.empty()) expected = text;
        EXPECT_EQ(text, expected);
        EXPECT_TRUE(boost::verify_isomorphism(graph, turned, rank_of));
    });
    EXPECT_EQ(run.calls, (std::vector<record>(4, {.operation = "graph_create"})));
}

TEST(boost_mpi_graph_communicator, models_the_concepts_of_the_graph_library) {
    BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<profiled_graph>));
    BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<profiled_graph>));
    BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<profiled_graph>));
    BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<profiled_graph>));
    EXPECT_EQ(boost::graph_traits<profiled_graph>::null_vertex(), -1);
    profiled_graph const graph(profiled_communicator{}, ring_and_star());
    std::vector<int> distances(static_cast<std::size_t>(graph.size()));
    auto const distance_of =
        boost::make_iterator_property_map(distances.begin(), get(boost::vertex_index, graph));
    breadth_first_search(
        graph, 0,
        boost::visitor(boost::make_bfs_visitor(boost::record_distances(distance_of, boost::on_tree_edge{}))));
    for (int rank = 0; rank < graph.size(); ++rank)
        EXPECT_EQ(distances[static_cast<std::size_t>(rank)], rank);
}

TEST(boost_mpi_graph_communicator, its_functions_have_boosts_names) {
    namespace mpi = mpiprof::boost_mpi;
    profiled_graph const graph(profiled_communicator{}, ring_and_star());
    std::pair<int, int> const edge{0, 1};
    EXPECT_EQ(mpi::source(edge, graph), 0);
    EXPECT_EQ(mpi::target(edge, graph), 1);
    EXPECT_EQ(mpi::num_vertices(graph), world_size());
    EXPECT_EQ(mpi::num_edges(graph), 2 * world_size());
    EXPECT_EQ(mpi::out_degree(0, graph), 2);
    EXPECT_EQ(mpi::out_edges(0, graph).second - mpi::out_edges(0, graph).first, 2);
    EXPECT_EQ(*mpi::adjacent_vertices(0, graph).first, 1 % world_size());
    EXPECT_EQ(*mpi::vertices(graph).first, 0);
    EXPECT_EQ(mpi::edges(graph).first->first, 0);
    EXPECT_EQ(mpi::get(boost::vertex_index, graph, 0), 0);
    EXPECT_EQ(mpi::get(boost::vertex_index, graph)[0], 0);
}

TEST(boost_mpi_graph_communicator, messages_along_its_edges) {
    auto const run = same_as_boost([](auto const& world) {
        using communicator = typename types<decltype(world)>::communicator;
        typename types<decltype(world)>::graph_communicator const graph(world, ring_and_star());
        communicator const sliced = graph;
        EXPECT_FALSE(sliced.as_cartesian_communicator());
        auto const again = sliced.as_graph_communicator();
        ASSERT_TRUE(again);
        auto const next = *adjacent_vertices(again->rank(), *again).first;
        auto send = graph.isend(next, tag, std::string{"abc"});
        std::string text;
        graph.recv(boost::mpi::any_source, tag, text);
        send.wait();
        EXPECT_EQ(text, "abc");
    });
    auto const bytes = archive_nbytes(std::string{"abc"});
    EXPECT_EQ(run.calls, (std::vector<record>{
                             {.operation = "graph_create"},
                             {.operation = "isend", .peer = next_rank(), .tag = tag, .sent = bytes},
                             {.operation = "recv", .peer = previous_rank(), .tag = tag, .received = bytes},
                             {.operation = "wait", .request = "isend", .peer = next_rank(), .tag = tag}}));
}

TEST(boost_mpi_graph_communicator, has_an_identity_of_its_own) {
    profiled_communicator const world;
    profiled_graph const graph(world, ring_and_star());
    expect_same_on_all_ranks(graph.identity());
    expect_made_from(mpiprof::world_communicator, graph);
    EXPECT_NE(graph.identity(), profiled_graph(world, ring_and_star()).identity());
    EXPECT_EQ(graph.as_graph_communicator()->identity(), graph.identity());
}

// Boost leaves it attached to the world, and calls nothing.
TEST(boost_mpi_graph_communicator, of_no_vertices_is_not_made) {
    auto const run = same_as_boost([](auto const& world) {
        typename types<decltype(world)>::graph_communicator const empty(world, boost_graph{});
        EXPECT_TRUE(empty == world);
    });
    EXPECT_TRUE(run.calls.empty());
    EXPECT_EQ(profiled_graph(profiled_communicator{}, boost_graph{}).identity(), mpiprof::world_communicator);
}

}  // namespace

}  // namespace boost_mpi_tests
