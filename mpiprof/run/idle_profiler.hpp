// The user's handle to a recording that there is none of.
#pragma once

#include <mpiprof/run/instrumentations.hpp>
#include <mpiprof/run/settings.hpp>

#include <concepts>
#include <utility>

namespace mpiprof::inline v1 {

namespace results {

struct profile;

}  // namespace results

/// The handle to a recording; this one is for an instrumentation that is off: nothing is recorded, and no
/// setting is looked at.
template <class Instrumentation = default_instrumentation>
class profiler {
    using sink_type = typename Instrumentation::sink;

  public:
    using instrumentation_type = Instrumentation;

    explicit profiler(settings = {}) {}

    /// For a sink that needs arguments.
    explicit profiler(sink_type sink, settings = {}) {
        if (given_ == nullptr) given_ = new sink_type(std::move(sink));
    }

    /// A sink that nothing is recorded to. Its header must be included, as <mpiprof/results/profile.hpp> for
    /// `snapshot`.
    sink_type& sink() const noexcept {
        if constexpr (std::default_initializable<sink_type>) {
            static auto* const unused = new sink_type;
            if (given_ == nullptr) return *unused;
        }
        return *given_;
    }

    void pause() const noexcept {}
    void resume() const noexcept {}

    template <class Profile = results::profile>
    Profile snapshot() const {
        return {};
    }

  private:
    // Never destroyed, as the sink of a recording.
    static inline constinit sink_type* given_ = nullptr;
};

}  // namespace mpiprof::inline v1
