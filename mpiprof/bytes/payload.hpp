// Payload bytes.
#pragma once

#include <mpiprof/core/concepts.hpp>

namespace mpiprof::inline v1::bytes {

/// Counts what is sent and what arrives, and the archive's size of serialised values where it is free.
struct payload {
    static constexpr bool sizes = true;
    static constexpr bool arrivals = true;
    static constexpr bool serialized = false;
    static constexpr char const* name = "payload";
};

static_assert(byte_policy<payload>);

}  // namespace mpiprof::inline v1::bytes
