// A call of any kind, measured if it is to be recorded.
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/run/envelope.hpp>
#ifndef MPIPROF_DISABLED
#include <mpiprof/run/recorded_measure.hpp>
#endif

namespace mpiprof::inline v1::detail {

/// Is a call that begins now to be recorded? For what must be known of it beforehand.
template <class Instrumentation>
    requires(!Instrumentation::enabled)
constexpr bool records_now(operation) noexcept {
    return false;
}

/// With profiling off: `real()`, and nothing else.
template <operation Operation, class Instrumentation, class Real, class Fill>
    requires(!Instrumentation::enabled)
[[gnu::always_inline]] inline auto measure(communicator_id, call_site, Real real, Fill, envelope = {}) {
    return real();
}

}  // namespace mpiprof::inline v1::detail
