// What a message is matched by, beside its communicator.
#pragma once

#include <mpiprof/core/call.hpp>

namespace mpiprof::inline v1::detail {

/// The peer and tag of a call, as its arguments have them.
struct envelope {
    int peer = not_applicable;
    int tag = not_applicable;
};

}  // namespace mpiprof::inline v1::detail
