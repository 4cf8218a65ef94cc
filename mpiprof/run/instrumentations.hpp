// The two instrumentations that have a name: the default one, and none.
#pragma once

#include <mpiprof/core/instrumentation.hpp>
#include <mpiprof/run/policies.hpp>

namespace mpiprof::inline v1 {

/// Profiling off: a wrapped call compiles to the plain one. The same type in units of both settings.
struct off {
    using timing = mpiprof::timing::none;
    using bytes = mpiprof::bytes::none;
    using sink = mpiprof::sinks::none;

    static constexpr bool enabled = false;
    static constexpr bool sizes = false;
    static constexpr bool arrivals = false;
    static constexpr bool serialized = false;
};

inline namespace MPIPROF_INTERNAL_SETTING {

/// What is used where none is named: `off` under -DMPIPROF_DISABLED.
#ifdef MPIPROF_DISABLED
using default_instrumentation = off;
#else
using default_instrumentation =
    instrumentation<timing::tsc, bytes::payload,
                    sinks::fanout<sinks::summary, sinks::on_request<sinks::trace>>>;
#endif

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1
