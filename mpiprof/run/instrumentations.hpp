// The two instrumentations that have a name: the default one, and none.
#pragma once

#include <mpiprof/bytes/none.hpp>
#include <mpiprof/bytes/payload.hpp>
#include <mpiprof/core/instrumentation.hpp>
#include <mpiprof/sinks/none.hpp>
#include <mpiprof/sinks/summary.hpp>
#include <mpiprof/timing/none.hpp>
#include <mpiprof/timing/tsc.hpp>

namespace mpiprof::inline v1 {

/// Profiling off: a wrapped call compiles to the plain one.
using off = instrumentation<timing::none, bytes::none, sinks::none>;

inline namespace MPIPROF_INTERNAL_SETTING {

/// What is used where none is named: `off` under -DMPIPROF_DISABLED.
#ifdef MPIPROF_DISABLED
using default_instrumentation = off;
#else
using default_instrumentation = instrumentation<timing::tsc, bytes::payload, sinks::summary>;
#endif

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1
