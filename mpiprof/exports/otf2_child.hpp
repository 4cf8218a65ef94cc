// Work that a process of its own does.
#pragma once

#include <mpiprof/core/config.hpp>

#include <functional>

namespace mpiprof::inline v1::exports {

/// Does the work in a child process, and throws std::runtime_error with what it throws there. When a disk is
/// full, the OTF2 library (3.0) frees memory twice and aborts, which nothing but a process boundary holds.
void in_a_child(std::function<void()> const& work);

}  // namespace mpiprof::inline v1::exports
