// All of mpiprof that needs no MPI; a serial program may include it. The adapters have umbrellas of their
// own: <mpiprof/raw.hpp> for the MPI C API, <mpiprof/boost_mpi.hpp> for Boost.MPI.
#pragma once

#include <mpiprof/core/communicator.hpp>
#include <mpiprof/core/message_nbytes.hpp>
#include <mpiprof/core/region_name.hpp>
#include <mpiprof/core/scope.hpp>
#include <mpiprof/run/phase.hpp>
#include <mpiprof/run/profiled.hpp>
#include <mpiprof/run/profiler.hpp>
#include <mpiprof/sinks/callback.hpp>
#include <mpiprof/sinks/tally.hpp>
