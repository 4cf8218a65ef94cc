// What is known of return addresses: a hash table that never grows, for all threads, without locks.
#pragma once

#include <mpiprof/core/config.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mpiprof::inline v1::preload::detail {

/// Values by key, neither of them 0. A key stays where it is for good; its value may change.
class place_table {
  public:
    static constexpr std::size_t capacity = 65536;

    /// The key's value, if the key lies where it is looked for first; else 0, and `find` knows more.
    [[gnu::always_inline]] std::uintptr_t match(std::uintptr_t key) const noexcept {
        auto const& found = slots_[first_slot(key)];
        return found.key.load(std::memory_order_relaxed) == key ? found.value.load(std::memory_order_acquire)
                                                                : 0;
    }

    /// Where the key's value is, which is 0 until somebody stores it; nullptr where there is no room.
    std::atomic<std::uintptr_t>* find(std::uintptr_t key) noexcept {
        for (auto number = first_slot(key);; number = (number + 1) % slot_count) {
            auto& here = slots_[number];
            auto present = here.key.load(std::memory_order_relaxed);
            if (present == 0) {
                if (used_.fetch_add(1, std::memory_order_relaxed) >= capacity) {
                    used_.fetch_sub(1, std::memory_order_relaxed);
                    return nullptr;
                }
                if (here.key.compare_exchange_strong(present, key, std::memory_order_relaxed))
                    return &here.value;
                used_.fetch_sub(1, std::memory_order_relaxed);
            }
            if (present == key) return &here.value;
        }
    }

    /// Calls visit(key, value) for each value that is there.
    template <class Visitor>
    void for_each(Visitor visit) noexcept {
        for (auto& each : slots_) {
            if (each.value.load(std::memory_order_relaxed) == 0) continue;
            visit(each.key.load(std::memory_order_relaxed), each.value);
        }
    }

  private:
    // Twice as many as there is room for, so that a search ends soon.
    static constexpr std::size_t slot_count = capacity * 2;

    struct slot {
        std::atomic<std::uintptr_t> key{0};
        std::atomic<std::uintptr_t> value{0};
    };

    // Neighbours stay neighbours, so that a program's places lie in few pages of the table.
    [[gnu::always_inline]] static std::size_t first_slot(std::uintptr_t key) noexcept {
        return (key >> 2 ^ key >> 20) % slot_count;
    }

    slot slots_[slot_count];
    std::atomic<std::size_t> used_{0};
};

}  // namespace mpiprof::inline v1::preload::detail
