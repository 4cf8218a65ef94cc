// A hash table that never grows.
#pragma once

#include <mpiprof/core/config.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mpiprof::inline v1::sinks {

/// Rows by key in fixed memory, with one writer. A key that finds no room shares the overflow row, which has
/// no key. Key: trivially copyable, equality comparable, `hash()`.
template <class Key, class Row, std::size_t Capacity>
class fixed_table {
    static_assert((Capacity & (Capacity - 1)) == 0, "the capacity must be a power of two");

  public:
    /// The key's row, made if need be.
    Row& operator[](Key const& key) noexcept {
        auto slot = static_cast<std::size_t>(key.hash()) & (Capacity - 1);
        for (std::size_t probe = 0; probe < probes; ++probe, slot = (slot + 1) & (Capacity - 1)) {
            auto& candidate = entries_[slot];
            if (!candidate.used.load(std::memory_order_relaxed)) {
                candidate.key = key;
                candidate.used.store(true, std::memory_order_release);
                return candidate.row;
            }
            if (candidate.key == key) return candidate.row;
        }
        return overflow_;
    }

    /// Calls visit(key, row) for each row but the overflow row; at any time, from any thread.
    template <class Visitor>
    void for_each(Visitor visit) const {
        for (auto const& each : entries_) {
            if (each.used.load(std::memory_order_acquire)) visit(each.key, each.row);
        }
    }

    /// What found no room.
    Row const& overflow() const noexcept { return overflow_; }

  private:
    // A bound on the search keeps a full table from slowing its program down.
    static constexpr std::size_t probes = Capacity < 64 ? Capacity : 64;

    struct entry {
        std::atomic<bool> used{false};
        Key key;
        Row row;
    };

    entry entries_[Capacity];
    Row overflow_;
};

}  // namespace mpiprof::inline v1::sinks
