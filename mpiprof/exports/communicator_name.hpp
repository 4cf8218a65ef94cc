// Names of communicators of a trace.
#pragma once

#include <mpiprof/traces/trace.hpp>

#include <string>

namespace mpiprof::inline v1::exports {

/// Its name; "" for one that is not known, or of what has none.
inline std::string communicator_name(traces::trace const& from, communicator_id id) {
    auto const found = from.communicators().find(id);
    return found == from.communicators().end() ? std::string{} : found->second.name;
}

}  // namespace mpiprof::inline v1::exports
