// The names that the one-line switch changes: namespace mpi = mpiprof::boost_mpi;
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives.hpp>
#include <mpiprof/boost_mpi/environment.hpp>

#include <type_traits>

namespace mpiprof::inline v1::boost_mpi {

inline namespace MPIPROF_INTERNAL_SETTING {

/// Profiled types; with profiling off they are Boost's own.
using communicator =
    std::conditional_t<default_instrumentation::enabled, basic_communicator<default_instrumentation>,
                       boost::mpi::communicator>;
using environment = std::conditional_t<default_instrumentation::enabled,
                                       basic_environment<default_instrumentation>, boost::mpi::environment>;
using request = std::conditional_t<default_instrumentation::enabled, basic_request<default_instrumentation>,
                                   boost::mpi::request>;

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1::boost_mpi
