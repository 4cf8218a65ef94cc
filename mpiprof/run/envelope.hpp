// Whom a call is with.
#pragma once

#include <mpiprof/core/call.hpp>

namespace mpiprof::inline v1::detail {

/// The peer and tag of a message, or the root of a collective, as the call's arguments have them.
struct envelope {
    int peer = not_applicable;
    int tag = not_applicable;
    int root = not_applicable;
};

}  // namespace mpiprof::inline v1::detail
