// The user's handle to a recording that there is.
#pragma once

#include <mpiprof/run/idle_profiler.hpp>
#include <mpiprof/run/recording.hpp>

#include <utility>

namespace mpiprof::inline v1 {

/// Starts the process's recording for one instrumentation, and controls it. It is a handle: the recording
/// goes on when it dies, and ends with the MPI program. A second profiler of the same instrumentation is a
/// handle to the same recording, and its options are not looked at.
///
/// Where MPI runs already, constructing one is a collective call over MPI_COMM_WORLD: every rank makes it, in
/// one order with its others. The ranks' results are then merged over MPI at the end, and ranks that all
/// trace compare their clocks. Without MPI, `snapshot` gives the results.
template <class Instrumentation>
    requires(Instrumentation::enabled)
class profiler<Instrumentation> {
  public:
    using instrumentation_type = Instrumentation;

    explicit profiler(settings options = {}) { start(std::move(options)); }

    /// For a sink that needs arguments: it is made of `sink`.
    explicit profiler(typename Instrumentation::sink sink, settings options = {}) {
        start(std::move(options), std::move(sink));
    }

    /// The sink that records go to.
    typename Instrumentation::sink& sink() const noexcept { return recording_of<Instrumentation>.sink(); }

    void pause() const noexcept { recording_of<Instrumentation>.pause(); }
    void resume() const noexcept { recording_of<Instrumentation>.resume(); }

    /// The results so far, of this process. Other threads may go on recording.
    results::profile snapshot() const { return recording_of<Instrumentation>.snapshot(); }

  private:
    template <class... Sink>
    void start(settings options, Sink&&... sink) {
        auto& state = recording_of<Instrumentation>;
        state.start(std::move(options), std::forward<Sink>(sink)...);
        auto const& hooks = process::instance().hooks;
        bool const joined = hooks.attach != nullptr && hooks.attach() && state.set_collective();
        state.ready(operation::none);
        if (joined && state.can_trace() && hooks.sample_clocks != nullptr) hooks.sample_clocks(state);
    }
};

}  // namespace mpiprof::inline v1
