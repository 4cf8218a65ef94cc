// Which MPI call of a thread is the program's own: not one that the MPI library makes inside another.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdint>
#include <unwind.h>

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

    /// Is the thread in a call already? Not if that call was left by longjmp, as an error handler may do:
    /// then its frame is gone, or is no caller's of this one.
    [[gnu::always_inline]] static bool entered(void const* const* frame) noexcept {
        return frame < frame_ && is_a_caller();
    }

  private:
    /// The stack pointers of the callers, from the inside out, until one reaches the frame that is looked
    /// for.
    struct walk {
        std::uintptr_t wanted;
        std::uintptr_t last = 0;
    };

    static _Unwind_Reason_Code step(_Unwind_Context* context, void* into) noexcept {
        auto& here = *static_cast<walk*>(into);
        here.last = static_cast<std::uintptr_t>(_Unwind_GetCFA(context));
        return here.last >= here.wanted ? _URC_END_OF_STACK : _URC_NO_REASON;
    }

    [[gnu::cold, gnu::noinline]] static bool is_a_caller() noexcept {
        if (__atomic_load_n(&frame_[1], __ATOMIC_RELAXED) != return_address_) return false;
        // Where the wrapper was called: behind its frame pointer and its return address.
        walk up{reinterpret_cast<std::uintptr_t>(frame_ + 2)};
        _Unwind_Backtrace(&step, &up);
        // Callers that cannot be unwound leave it at the return address.
        return up.last <= up.wanted;
    }

    // The tool library is loaded late, and its few bytes fit what the dynamic linker keeps free for such.
    [[gnu::tls_model("initial-exec")]] static inline constinit thread_local void const* const* frame_ =
        nullptr;
    [[gnu::tls_model("initial-exec")]] static inline constinit thread_local void const* return_address_ =
        nullptr;
};

}  // namespace mpiprof::inline v1::preload
