// How deep the calling thread is in calls that this copy of the library measures.
#pragma once

#include <mpiprof/core/config.hpp>

namespace mpiprof::inline v1 {

/// Not 0 while the calling thread is in a call that a `scope` measures. The preload library, which sees that
/// call too, leaves it to the scope. It is in the memory that each thread has from its start, so that it
/// costs one instruction to count, and lies equally far from every thread's pointer.
#ifdef __ELF__
[[gnu::tls_model("initial-exec")]]
#endif
inline constinit thread_local int nesting = 0;

}  // namespace mpiprof::inline v1
