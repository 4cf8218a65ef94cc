// The controls of the preload library, as its loader meets them.
#pragma once

#include <mpiprof/preload/interface.hpp>

namespace mpiprof::inline v1::preload {

/// Tells a tool library that was just loaded what was said before.
void tell_what_was_said(tool const& loaded) noexcept;

/// Is this library there because the program was linked with it, and not to profile the whole of it? Then
/// nothing is recorded before the first `scoped_profiling`.
bool is_linked_only() noexcept;

}  // namespace mpiprof::inline v1::preload
