// The phases of this process.
#pragma once

#include <mpiprof/sinks/summary_shard.hpp>

#include <algorithm>
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

}  // namespace mpiprof::inline v1
