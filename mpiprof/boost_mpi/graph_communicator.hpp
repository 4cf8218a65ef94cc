// Boost.MPI's graph communicator, profiled.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/communicator_of_kind.hpp>

#include <boost/mpi/graph_communicator.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// The communicator that `real()` makes of a graph. Boost makes none of an empty graph, and calls nothing.
template <class Instrumentation, class Graph, class Real>
identified<boost::mpi::graph_communicator> create_graph(boost::mpi::communicator const& comm,
                                                        Graph const& graph, call_site site, Real real) {
    if (num_vertices(graph) == 0) return identify<Instrumentation>(real());
    return create<operation::graph_create, Instrumentation>(identify<Instrumentation>(comm).id, site, real);
}

}  // namespace detail

/// Boost.MPI's graph communicator with its calls recorded, those that make one included. It is a graph of
/// Boost's graph library, as Boost's is.
template <class Instrumentation>
class basic_graph_communicator
    : public communicator_of_kind<boost::mpi::graph_communicator, Instrumentation> {
    using base = communicator_of_kind<boost::mpi::graph_communicator, Instrumentation>;

  public:
    using base::base;

    /// The ranks of `comm` as the vertices of a graph. It is graph_create.
    template <typename Graph>
    explicit basic_graph_communicator(boost::mpi::communicator const& comm, Graph const& graph,
                                      bool reorder = false, call_site site = call_site::current())
        : base(detail::create_graph<Instrumentation>(
              comm, graph, site, [&] { return boost::mpi::graph_communicator(comm, graph, reorder); })) {}

    /// The same, with vertices that `rank` maps to ranks.
    template <typename Graph, typename RankMap>
    explicit basic_graph_communicator(boost::mpi::communicator const& comm, Graph const& graph, RankMap rank,
                                      bool reorder = false, call_site site = call_site::current())
        : base(detail::create_graph<Instrumentation>(comm, graph, site, [&] {
              return boost::mpi::graph_communicator(comm, graph, rank, reorder);
          })) {}
};

}  // namespace mpiprof::inline v1::boost_mpi

namespace boost {

template <class Instrumentation>
struct graph_traits<mpiprof::boost_mpi::basic_graph_communicator<Instrumentation>>
    : graph_traits<mpi::graph_communicator> {};

template <class Instrumentation>
struct property_map<mpiprof::boost_mpi::basic_graph_communicator<Instrumentation>, vertex_index_t>
    : property_map<mpi::graph_communicator, vertex_index_t> {};

}  // namespace boost
