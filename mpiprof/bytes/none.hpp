// No byte counting.
#pragma once

#include <mpiprof/core/concepts.hpp>

namespace mpiprof::inline v1::bytes {

/// Counts no bytes: MPI is asked for no size, and not for what arrived.
struct none {
    static constexpr bool sizes = false;
    static constexpr bool arrivals = false;
    static constexpr bool serialized = false;
    static constexpr char const* name = "none";
};

static_assert(byte_policy<none>);

}  // namespace mpiprof::inline v1::bytes
