// The call that a thread is in, for those who look at a job that hangs.
#pragma once

#include <mpiprof/core/operation.hpp>
#include <mpiprof/run/recording.hpp>

namespace mpiprof::inline v1::preload {

/// Shows in the thread's shard that it is in this call, as long as the object lives. One that was left by
/// longjmp shows until the thread's next call.
template <class Instrumentation>
class shown_call {
  public:
    [[gnu::always_inline]] shown_call(operation which, call_site site) noexcept
        : shown_{recording_of<Instrumentation>.open_call(which, site)} {}
    [[gnu::always_inline]] ~shown_call() {
        if (shown_ != nullptr) shown_->set(0);
    }
    shown_call(shown_call const&) = delete;
    shown_call& operator=(shown_call const&) = delete;

  private:
    sinks::counter* shown_;
};

}  // namespace mpiprof::inline v1::preload
