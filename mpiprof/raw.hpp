// mpiprof for the MPI C API: profiled views of MPI_Comm, and MPI's functions as profiled function objects.
#pragma once

#include <mpiprof/mpiprof.hpp>
#include <mpiprof/raw/function.hpp>
#include <mpiprof/raw/pcontrol.hpp>
#include <mpiprof/raw/profiled.hpp>
#ifndef MPIPROF_DISABLED
#include <mpiprof/raw/values_nbytes.hpp>
#endif
