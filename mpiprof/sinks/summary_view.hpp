// What a thread has recorded in a summary, to be read: in this process, or in the file that one left.
#pragma once

#include <mpiprof/sinks/summary_rows.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mpiprof::inline v1::sinks {

/// Where the parts of a shard lie, in bytes from its start. A shard begins with it.
struct summary_layout {
    /// Rows number 1 to *used of `capacity`; row 0 is the overflow row.
    struct table {
        std::uint64_t used = 0;
        std::uint64_t rows = 0;
        std::uint64_t capacity = 0;
    };

    table calls;
    table completions;
    table peers;
    /// The names, of which the last byte is 0.
    std::uint64_t texts = 0;
    std::uint64_t texts_size = 0;
    /// Time of the end of the last call.
    std::uint64_t last = 0;
    /// The call that the thread is in.
    std::uint64_t open = 0;
    /// Not 0: what it has was to be forgotten.
    counter outdated{};
};

/// Reads a shard, also while its thread writes.
class summary_view {
  public:
    explicit summary_view(void const* shard) noexcept
        : base_{static_cast<char const*>(shard)},
          layout_{*static_cast<summary_layout const*>(shard)} {}

    /// Does all of it lie within `size` bytes, and do its rows name operations that there are?
    bool fits(std::uint64_t size) const noexcept {
        return size >= sizeof layout_ && table_fits<call_row>(layout_.calls, size) &&
               table_fits<completion_row>(layout_.completions, size) &&
               table_fits<peer_row>(layout_.peers, size) && part_fits(layout_.last, 8, size) &&
               part_fits(layout_.open, 8, size) && layout_.texts_size > 0 &&
               part_fits(layout_.texts, layout_.texts_size, size) &&
               base_[layout_.texts + layout_.texts_size - 1] == '\0' && names_operations();
    }

    /// Does it hold nothing but what was to be forgotten?
    bool outdated() const noexcept { return layout_.outdated.get() != 0; }

    /// Calls visit(call_row) for each row but the overflow row.
    template <class Visitor>
    void for_each_call(Visitor visit) const {
        for_each<call_row>(layout_.calls, visit);
    }
    template <class Visitor>
    void for_each_completion(Visitor visit) const {
        for_each<completion_row>(layout_.completions, visit);
    }
    template <class Visitor>
    void for_each_peer(Visitor visit) const {
        for_each<peer_row>(layout_.peers, visit);
    }

    /// What found no row of its own.
    call_row const& other_calls() const noexcept { return *rows<call_row>(layout_.calls); }
    completion_row const& other_completions() const noexcept {
        return *rows<completion_row>(layout_.completions);
    }
    peer_row const& other_peers() const noexcept { return *rows<peer_row>(layout_.peers); }

    char const* file_of(named_key const& row) const noexcept { return text(row.file); }
    char const* phase_of(named_key const& row) const noexcept { return text(row.phase); }

    /// End of the last call, in ticks; 0 before the first.
    std::int64_t last() const noexcept { return at<counter>(layout_.last)->get(); }

    /// The call that the thread is in, or was in when its process died. Only the preload library tells.
    open_call open() const noexcept { return open_call{at<counter>(layout_.open)->get()}; }
    char const* file_of(open_call const& call) const noexcept { return text(call.text()); }

  private:
    static bool part_fits(std::uint64_t offset, std::uint64_t length, std::uint64_t size) noexcept {
        return offset % 8 == 0 && length <= size && offset <= size - length;
    }

    template <class Row>
    static bool table_fits(summary_layout::table const& table, std::uint64_t size) noexcept {
        return part_fits(table.used, sizeof(std::uint32_t), size) && table.capacity < size / sizeof(Row) &&
               part_fits(table.rows, (table.capacity + 1) * sizeof(Row), size);
    }

    bool names_operations() const {
        bool known = true;
        auto const check = [&](named_key const& row) {
            known = known && static_cast<std::size_t>(row.key.operation()) < operation_count &&
                    static_cast<std::size_t>(row.key.request()) < operation_count;
        };
        for_each_call(check);
        for_each_completion(check);
        return known;
    }

    template <class T>
    T const* at(std::uint64_t offset) const noexcept {
        return reinterpret_cast<T const*>(base_ + offset);
    }

    template <class Row>
    Row const* rows(summary_layout::table const& table) const noexcept {
        return at<Row>(table.rows);
    }

    template <class Row, class Visitor>
    void for_each(summary_layout::table const& table, Visitor visit) const {
        std::uint64_t used = at<std::atomic<std::uint32_t>>(table.used)->load(std::memory_order_acquire);
        if (used > table.capacity) used = table.capacity;
        for (std::uint64_t row = 1; row <= used; ++row) visit(rows<Row>(table)[row]);
    }

    char const* text(std::uint32_t place) const noexcept {
        return place < layout_.texts_size ? base_ + layout_.texts + place : "";
    }

    char const* base_;
    summary_layout layout_;
};

}  // namespace mpiprof::inline v1::sinks
