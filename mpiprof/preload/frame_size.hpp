// How large the stack frame of a function is at a call, from what its compiler left for exceptions.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace mpiprof::inline v1::preload::detail {

/// Distance in bytes between the stack slot of a return address and the one of the return address of the
/// function that it leads back to, if that is the same in each call from there: the compiler counted the
/// frame from the stack pointer. 0 where it is not (a frame of variable size, or simply a frame pointer), or
/// not known, or the processor is not x86-64.
std::size_t constant_frame_size(std::uintptr_t return_address) noexcept;

}  // namespace mpiprof::inline v1::preload::detail
