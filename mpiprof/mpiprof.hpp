// All of mpiprof that needs no MPI; a serial program may include it. The adapters have umbrellas of their
// own: <mpiprof/raw.hpp> for the MPI C API, <mpiprof/boost_mpi.hpp> for Boost.MPI.
#pragma once

#include <mpiprof/core/communicator.hpp>
#include <mpiprof/run/control.hpp>
#include <mpiprof/run/phase.hpp>
#include <mpiprof/run/profiled.hpp>
#include <mpiprof/run/profiler.hpp>

// What takes part in no program that records nothing.
#ifndef MPIPROF_DISABLED
#include <mpiprof/core/message_nbytes.hpp>
#include <mpiprof/core/region_name.hpp>
#endif
