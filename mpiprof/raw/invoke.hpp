// A call of the C API, recorded or not: what the function objects, the member functions and requests are made
// of.
#pragma once

#include <mpiprof/raw/functions.hpp>
#include <mpiprof/raw/unrecorded.hpp>
#ifndef MPIPROF_DISABLED
#include <mpiprof/raw/recorded.hpp>
#endif
