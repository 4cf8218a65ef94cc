// No sink: profiling off.
#pragma once

#include <mpiprof/core/concepts.hpp>

namespace mpiprof::inline v1::sinks {

/// Takes nothing. With it an instrumentation is off: no clock is read and no byte counted either.
struct none {
    static constexpr bool enabled = false;
    static constexpr char const* name = "none";
    void record(call const&) noexcept {}
};

static_assert(sink<none>);

}  // namespace mpiprof::inline v1::sinks
