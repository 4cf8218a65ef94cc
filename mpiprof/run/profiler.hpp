// The user's handle to a recording.
#pragma once

#include <mpiprof/run/idle_profiler.hpp>
#ifndef MPIPROF_DISABLED
#include <mpiprof/run/recording_profiler.hpp>
#endif
