// mpiprof for Boost.MPI. The one-line switch: namespace mpi = mpiprof::boost_mpi;
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/switch.hpp>
#include <mpiprof/boost_mpi/traits.hpp>
#include <mpiprof/mpiprof.hpp>
