// The names that the one-line switch changes: namespace mpi = mpiprof::boost_mpi;
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/cartesian_communicator.hpp>
#include <mpiprof/boost_mpi/collectives.hpp>
#include <mpiprof/boost_mpi/environment.hpp>
#include <mpiprof/boost_mpi/graph_communicator.hpp>
#include <mpiprof/boost_mpi/intercommunicator.hpp>

#include <type_traits>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// The profiled class; with profiling off Boost's own.
template <template <class> class Profiled, class Plain, class Instrumentation>
using switched = std::conditional_t<Instrumentation::enabled, Profiled<Instrumentation>, Plain>;

}  // namespace detail

inline namespace MPIPROF_INTERNAL_SETTING {

using cartesian_communicator = detail::switched<basic_cartesian_communicator,
                                                boost::mpi::cartesian_communicator, default_instrumentation>;
using communicator = detail::switched<basic_communicator, boost::mpi::communicator, default_instrumentation>;
using environment = detail::switched<basic_environment, boost::mpi::environment, default_instrumentation>;
using graph_communicator =
    detail::switched<basic_graph_communicator, boost::mpi::graph_communicator, default_instrumentation>;
using intercommunicator =
    detail::switched<basic_intercommunicator, boost::mpi::intercommunicator, default_instrumentation>;
using request = detail::switched<basic_request, boost::mpi::request, default_instrumentation>;

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1::boost_mpi
