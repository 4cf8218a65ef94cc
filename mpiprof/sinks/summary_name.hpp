// The default summary by name, for who need not know what it is.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>

namespace mpiprof::inline v1::sinks {

template <std::size_t Capacity>
class basic_summary;

/// A summary of the default size: 1.0 MB a thread.
using summary = basic_summary<800>;

}  // namespace mpiprof::inline v1::sinks
