// Named regions of the user's program.
#pragma once

#include <mpiprof/sinks/summary_shard.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mpiprof::inline v1 {

/// The phases of this process by number, and what is known of each.
class phase_registry {
  public:
    struct entry {
        std::string name;
        std::int64_t entered = 0;
        std::int64_t depth = 0;
        /// Nanoseconds inside, from the outermost entry on a thread to its end.
        std::int64_t time = 0;
    };

    /// The process's registry; never destroyed, since phases may end in static destructors.
    static phase_registry& instance() {
        static auto* const registry = new phase_registry;
        return *registry;
    }

    /// The number of the phase of this name, from 1. When the numbers are used up, all further names share
    /// the last one.
    phase_id find(std::string_view name) {
        std::lock_guard const lock{mutex_};
        auto const found = ids_.find(std::string{name});
        if (found != ids_.end()) return found->second;
        if (entries_.size() > last_phase) return last_phase;
        auto const id = static_cast<phase_id>(entries_.size());
        entries_.push_back({id == last_phase ? "(other phases)" : std::string{name}});
        if (id != last_phase) ids_.emplace(name, id);
        return id;
    }

    /// The name of a phase that has a number; the text stays.
    static char const* name_of(phase_id phase) noexcept {
        auto& self = instance();
        std::lock_guard const lock{self.mutex_};
        return self.entries_[phase].name.c_str();
    }

    void add(phase_id phase, std::int64_t depth, std::int64_t time) {
        std::lock_guard const lock{mutex_};
        auto& found = entries_[phase];
        ++found.entered;
        found.depth = std::max(found.depth, depth);
        found.time += time;
    }

    /// All phases so far; the one with number 0 is "outside any phase" and has no name.
    std::vector<entry> entries() const {
        std::lock_guard const lock{mutex_};
        return {entries_.begin(), entries_.end()};
    }

  private:
    static constexpr phase_id last_phase = UINT16_MAX;

    phase_registry() { sinks::phase_name.store(&name_of, std::memory_order_release); }

    mutable std::mutex mutex_;
    std::unordered_map<std::string, phase_id> ids_;
    // Entries keep their places.
    std::deque<entry> entries_{1};
};

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

    /// How deep the calling thread is in each phase.
    static std::vector<std::int64_t>& depths_here() {
        static thread_local std::vector<std::int64_t> depths;
        return depths;
    }

    phase_id id_;
    phase_id outer_;
    std::int64_t depth_ = 0;
    clock::time_point begin_;
};

#endif

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1
