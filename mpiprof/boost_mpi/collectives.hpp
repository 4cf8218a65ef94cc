// Boost.MPI's collectives on profiled communicators. The overloads, and the heads of the templates, are
// Boost's.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/all_gather.hpp>
#include <mpiprof/boost_mpi/collectives/all_gatherv.hpp>
#include <mpiprof/boost_mpi/collectives/all_reduce.hpp>
#include <mpiprof/boost_mpi/collectives/all_to_all.hpp>
#include <mpiprof/boost_mpi/collectives/broadcast.hpp>
#include <mpiprof/boost_mpi/collectives/gather.hpp>
#include <mpiprof/boost_mpi/collectives/gatherv.hpp>
#include <mpiprof/boost_mpi/collectives/reduce.hpp>
#include <mpiprof/boost_mpi/collectives/scan.hpp>
#include <mpiprof/boost_mpi/collectives/scatter.hpp>
#include <mpiprof/boost_mpi/collectives/scatterv.hpp>
#include <mpiprof/boost_mpi/names.hpp>
#include <mpiprof/boost_mpi/nonblocking.hpp>
