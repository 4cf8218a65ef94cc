// Where a trace keeps its records.
#pragma once

#include <mpiprof/sinks/trace_layout.hpp>

#include <cstddef>

namespace mpiprof::inline v1::sinks {

/// Memory of a trace, which may outlive the process. It holds zeros at first, and is never given back.
class trace_memory {
  public:
    trace_memory(trace_memory const&) = delete;
    trace_memory& operator=(trace_memory const&) = delete;

    /// All of it: `size` bytes, of which the first `head` are somebody else's. Aligned to a page.
    char* begin = nullptr;
    std::size_t head = 0;
    std::size_t size = 0;
    /// Where the offsets of the trace's parts are to be kept, which count from `begin`.
    trace_parts* parts = nullptr;
    /// When there is no more room, the oldest records are dropped, not new ones.
    bool keeps_newest = false;

    /// Makes the first `end` bytes usable, before anything is written there. False where that cannot be.
    virtual bool reserve(std::size_t end) noexcept = 0;

  protected:
    trace_memory() = default;
    ~trace_memory() = default;
};

}  // namespace mpiprof::inline v1::sinks
