// A hash table that never grows.
#pragma once

#include <mpiprof/core/config.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace mpiprof::inline v1::sinks {

/// Rows by key in fixed memory, with one writer. A key that finds no room shares the overflow row.
///
/// Row: has `key`, default-constructs to the key of no call. Key: equality comparable, `hash()` in 64 bits of
/// which the highest tell the most.
template <class Row, std::size_t Capacity>
class row_table {
    static_assert(Capacity > 0 && (Capacity + 1) * sizeof(Row) <= UINT32_MAX);

  public:
    using key_type = decltype(Row::key);

    /// The key's row, if it lies where it is looked for first; else nullptr, and `find` knows more.
    [[gnu::always_inline]] Row* match(key_type const& key) noexcept {
        // An empty slot leads to the overflow row, whose key is nobody's.
        auto& row = row_at(slots_[slot_of(key)]);
        return row.key == key ? &row : nullptr;
    }

    /// The key's row, made if need be and if fewer than `most` are. `prepare(row)` completes a new row before
    /// readers see it; where it returns false, the row is not made.
    template <class Prepare>
    Row& find(key_type const& key, Prepare prepare, std::size_t most = Capacity) noexcept {
        auto slot = slot_of(key);
        for (; slots_[slot] != 0; slot = (slot + 1) % slot_count) {
            if (auto& row = row_at(slots_[slot]); row.key == key) return row;
        }
        std::size_t const added = used_.load(std::memory_order_relaxed) + std::size_t{1};
        if (added > most) return rows_[0];
        rows_[added].key = key;
        if (!prepare(rows_[added])) {
            rows_[added].key = {};
            return rows_[0];
        }
        slots_[slot] = static_cast<std::uint32_t>(added * sizeof(Row));
        used_.store(static_cast<std::uint32_t>(added), std::memory_order_release);
        return rows_[added];
    }

    bool is_overflow(Row const& row) const noexcept { return &row == rows_; }

    /// Forgets all rows. Whoever reads meanwhile may find some of them, and zeros.
    void clear() noexcept {
        std::size_t const used = used_.load(std::memory_order_relaxed);
        used_.store(0, std::memory_order_relaxed);
        for (auto& slot : slots_) slot = 0;
        for (std::size_t row = 0; row <= used; ++row) rows_[row] = Row{};
    }

    /// For readers, who may be other threads: how many rows are used, and the rows; number 0 is the overflow
    /// row, and the first used one has number 1.
    std::atomic<std::uint32_t> const& used() const noexcept { return used_; }
    Row const* rows() const noexcept { return rows_; }
    static constexpr std::size_t capacity = Capacity;

  private:
    // Twice as many slots as rows, so that a search ends soon even when the rows are full.
    static constexpr int slot_bits = std::bit_width(Capacity * 2 - 1);
    static constexpr std::size_t slot_count = std::size_t{1} << slot_bits;

    [[gnu::always_inline]] Row& row_at(std::uint32_t distance) noexcept {
        return *reinterpret_cast<Row*>(reinterpret_cast<char*>(rows_) + distance);
    }

    [[gnu::always_inline]] static std::size_t slot_of(key_type const& key) noexcept {
        return static_cast<std::size_t>(key.hash() >> (64 - slot_bits));
    }

    std::atomic<std::uint32_t> used_{0};
    // By their distance from row 0 in bytes, which saves a multiplication.
    std::uint32_t slots_[slot_count] = {};
    Row rows_[Capacity + 1];
};

}  // namespace mpiprof::inline v1::sinks
