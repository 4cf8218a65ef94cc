// Which MPI call of a thread is the program's own: not one that the MPI library makes inside another.
#pragma once

#include <mpiprof/core/config.hpp>

namespace mpiprof::inline v1::preload {

/// The call that the calling thread is in, as long as this object lives.
class outermost_call {
  public:
    /// `frame` is the wrapper's stack frame, in which its return address comes second.
    explicit outermost_call(void const* const* frame) noexcept {
        frame_ = frame;
        return_address_ = frame[1];
    }
    ~outermost_call() { frame_ = nullptr; }
    outermost_call(outermost_call const&) = delete;
    outermost_call& operator=(outermost_call const&) = delete;

    /// Is the thread in a call already? One that was left by longjmp, as an error handler may do, no longer
    /// counts once the stack is shorter than it was there, or holds something else.
    static bool entered(void const* const* frame) noexcept {
        return frame < frame_ && __atomic_load_n(&frame_[1], __ATOMIC_RELAXED) == return_address_;
    }

  private:
    // The tool library is loaded late, and its few bytes fit what the dynamic linker keeps free for such.
    [[gnu::tls_model("initial-exec")]] static inline constinit thread_local void const* const* frame_ =
        nullptr;
    [[gnu::tls_model("initial-exec")]] static inline constinit thread_local void const* return_address_ =
        nullptr;
};

}  // namespace mpiprof::inline v1::preload
