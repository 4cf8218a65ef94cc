// The finished file of a trace.
#pragma once

#include <mpiprof/run/trace_head.hpp>
#include <mpiprof/run/trace_spill.hpp>

#include <cstdint>
#include <vector>

namespace mpiprof::inline v1 {

namespace detail {

/// Writes the rows in use of one part, and says in the head where. Returns where they end.
[[gnu::cold]] inline std::uint64_t write_part(trace_output& output, sinks::trace_memory const& memory,
                                              sinks::trace_part const& from, sinks::trace_part& to,
                                              std::uint64_t offset) noexcept {
    auto const used = from.used.load(std::memory_order_acquire);
    auto const size = used * from.row_size;
    output.write_at(offset, memory.begin + from.offset, size);
    to.offset = offset;
    to.row_size = from.row_size;
    to.used.store(used, std::memory_order_relaxed);
    return (offset + size + 7) / 8 * 8;
}

}  // namespace detail

/// Writes what a trace holds to the file `finished`, with no room for more; after what `spill` has written of
/// it, where that was started. Threads may still hold chunks.
[[gnu::cold]] inline results::written_file write_trace(sinks::trace_memory const& memory,
                                                       sinks::trace_chunks const& chunks,
                                                       std::string const& finished, trace_spill& spill) {
    auto const& parts = *memory.parts;
    auto number = spill.stop();
    auto& output = spill.output();
    bool const spilled = output.is_open();
    auto const spilled_size = spilled ? parts.chunks.offset + number * sizeof(sinks::trace_chunk) : 0;
    if (!spilled && !output.open(finished)) return output.commit();

    // The head as it is, but for where things are.
    std::vector<char> bytes(memory.begin, memory.begin + sizeof(trace_head));
    auto& head = *reinterpret_cast<trace_head*>(bytes.data());
    head.spilled[0] = '\0';
    head.finished.store(1, std::memory_order_relaxed);
    std::uint64_t end = (sizeof head + 7) / 8 * 8;
    end = detail::write_part(output, memory, parts.kinds, head.parts.kinds, end);
    end = detail::write_part(output, memory, parts.communicators, head.parts.communicators, end);
    end = detail::write_part(output, memory, parts.threads, head.parts.threads, end);
    end = detail::write_part(output, memory, parts.texts, head.parts.texts, end);
    if (spilled) end = parts.chunks.offset;
    head.parts.chunks.offset = end;

    auto const first = parts.first.load(std::memory_order_relaxed);
    chunks.for_each([&](sinks::trace_chunk const& chunk) {
        auto const state = chunk.state.load(std::memory_order_acquire);
        bool const counts = state != sinks::trace_chunk::use::free && chunk.number >= first;
        if (!counts || chunk.used.load(std::memory_order_acquire) == 0) return;
        output.write_at(end + number * sizeof chunk, &chunk, sizeof chunk);
        ++number;
    });
    head.parts.chunks.used.store(number, std::memory_order_relaxed);
    output.write_at(0, bytes.data(), bytes.size());
    return output.commit(spilled_size);
}

}  // namespace mpiprof::inline v1
