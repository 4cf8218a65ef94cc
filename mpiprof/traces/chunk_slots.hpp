// The records in a chunk, one after the other, each checked.
#pragma once

#include <mpiprof/sinks/trace_layout.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace mpiprof::inline v1::traces {

/// A record of a chunk, with what belongs to it; times are ticks.
struct slot {
    sinks::trace_record const& record;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// Of a wide one.
    std::optional<sinks::trace_wide_call> wide_call = {};
    std::optional<sinks::trace_wide_completion> wide_completion = {};
    /// Of repeated calls: the first of them.
    sinks::trace_record const* first = nullptr;
};

/// Walks over the records of a chunk.
class chunk_slots {
  public:
    /// `used` slots of it are there; kinds have numbers below `kinds`.
    chunk_slots(sinks::trace_chunk const& chunk, std::uint32_t used, std::uint64_t kinds) noexcept
        : chunk_{chunk},
          used_{used},
          kinds_{kinds},
          base_{chunk.base} {}

    /// The next record; nothing at the end, or where what follows is damaged.
    std::optional<slot> next();
    /// Slots that were gone over so far.
    std::uint32_t place() const noexcept { return place_; }
    /// What is wrong with the slot at `place()`; "" if nothing is.
    std::string const& damage() const noexcept { return damage_; }

  private:
    std::optional<slot> fail(std::string damage);
    std::optional<slot> take(sinks::trace_record const& record);
    std::optional<slot> take_wide(sinks::trace_record const& record);
    std::optional<slot> take_repeated(sinks::trace_record const& record);
    std::int64_t time(sinks::trace_record const& record) const noexcept;

    sinks::trace_chunk const& chunk_;
    std::uint32_t used_;
    std::uint64_t kinds_;
    std::int64_t base_;
    std::uint32_t place_ = 0;
    std::string damage_;
};

}  // namespace mpiprof::inline v1::traces
