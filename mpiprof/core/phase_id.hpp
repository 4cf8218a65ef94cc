// Which phase of the program a thread is in, as a number; the names are kept by run/phase_registry.hpp.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>

namespace mpiprof::inline v1 {

/// Number of a phase in this process; 0 is "outside any phase".
using phase_id = std::uint16_t;

/// The phase that the calling thread is in; written by `phase` alone.
inline constinit thread_local phase_id current_phase = 0;

}  // namespace mpiprof::inline v1
