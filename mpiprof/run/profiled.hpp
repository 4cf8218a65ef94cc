// The profiled view of any communicator, and its calls.
#pragma once

#include <mpiprof/run/view.hpp>
#ifndef MPIPROF_DISABLED
#include <mpiprof/run/recorded_view.hpp>
#endif
