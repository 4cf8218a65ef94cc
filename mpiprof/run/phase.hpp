// Named regions of the user's program.
#pragma once

#include <mpiprof/core/config.hpp>

#include <string_view>

#ifndef MPIPROF_DISABLED
#include <mpiprof/run/phase_registry.hpp>

#include <chrono>
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
    explicit phase(std::string_view name)
        : id_{phase_registry::instance().find(name)},
          outer_{current_phase},
          begin_{clock::now()} {
        auto& depths = depths_here();
        if (depths.size() <= id_) depths.resize(id_ + std::size_t{1});
        depth_ = ++depths[id_];
        current_phase = id_;
    }

    phase(phase const&) = delete;
    phase& operator=(phase const&) = delete;

    ~phase() {
        current_phase = outer_;
        --depths_here()[id_];
        auto const time = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - begin_).count();
        phase_registry::instance().add(id_, depth_, depth_ == 1 ? time : 0);
    }

  private:
    using clock = std::chrono::steady_clock;

    using counts = std::vector<std::int64_t>;

    /// Frees a thread's depths when it ends; phases that come still later, in static destructors, make new
    /// ones.
    struct owner {
        ~owner() {
            delete here_;
            here_ = nullptr;
        }
    };

    /// How deep the calling thread is in each phase.
    static counts& depths_here() {
        if (here_ == nullptr) {
            here_ = new counts;
            static thread_local owner const owns_them;
            static_cast<void>(&owns_them);
        }
        return *here_;
    }

    static inline constinit thread_local counts* here_ = nullptr;

    phase_id id_;
    phase_id outer_;
    std::int64_t depth_ = 0;
    clock::time_point begin_;
};

#endif

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1
