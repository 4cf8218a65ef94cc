// Named regions of the user's program.
#pragma once

#include <mpiprof/core/config.hpp>

#include <string_view>

#ifndef MPIPROF_DISABLED
#include <mpiprof/run/phase_registry.hpp>
#include <mpiprof/run/preloaded.hpp>
#endif

namespace mpiprof::inline v1 {

inline namespace MPIPROF_INTERNAL_SETTING {

#ifdef MPIPROF_DISABLED

class [[maybe_unused]] phase {
  public:
    explicit constexpr phase(std::string_view) noexcept {}
    phase(phase const&) = delete;
    phase& operator=(phase const&) = delete;
};

#else

/// Names what the calling thread does from here to the end of the block; calls in it are attributed to the
/// innermost phase. Phases nest, also into themselves, to any depth.
///
///     mpiprof::phase p{"assemble"};
class [[maybe_unused]] phase {
  public:
    explicit phase(std::string_view name) : ticket_{phase_registry::instance().begin_scoped(name)} {
        if (auto const* const preload = detail::preloaded())
            preloads_ = preload->scoped_phase_begin(name.data(), name.size());
    }

    phase(phase const&) = delete;
    phase& operator=(phase const&) = delete;

    ~phase() {
        phase_registry::instance().end(ticket_);
        if (preloads_ != 0) detail::preloaded()->scoped_phase_end(preloads_);
    }

  private:
    phase_registry::ticket ticket_;
    /// The preload library's, if that is there.
    phase_registry::ticket preloads_ = 0;
};

#endif

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1
