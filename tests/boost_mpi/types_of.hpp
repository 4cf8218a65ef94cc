// The other communicators of the library that a scenario runs over.
#pragma once

#include "tests/boost_mpi/same_as_boost.hpp"

#include <boost/mpi/cartesian_communicator.hpp>
#include <boost/mpi/graph_communicator.hpp>
#include <boost/mpi/intercommunicator.hpp>
#include <concepts>

namespace boost_mpi_tests {

using profiled_cartesian = mpiprof::boost_mpi::basic_cartesian_communicator<instrumentation>;
using profiled_graph = mpiprof::boost_mpi::basic_graph_communicator<instrumentation>;
using profiled_intercommunicator = mpiprof::boost_mpi::basic_intercommunicator<instrumentation>;

/// Of the library that `Comm` belongs to.
template <class Comm>
struct types_of {
    using communicator = boost::mpi::communicator;
    using cartesian_communicator = boost::mpi::cartesian_communicator;
    using graph_communicator = boost::mpi::graph_communicator;
    using intercommunicator = boost::mpi::intercommunicator;
};

template <std::derived_from<profiled_communicator> Comm>
struct types_of<Comm> {
    using communicator = profiled_communicator;
    using cartesian_communicator = profiled_cartesian;
    using graph_communicator = profiled_graph;
    using intercommunicator = profiled_intercommunicator;
};

/// Inside a scenario, of the library of its `world`.
template <class Comm>
using types = types_of<std::remove_cvref_t<Comm>>;

}  // namespace boost_mpi_tests
