// One event of a trace, as its readers see it.
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/core/completion.hpp>

#include <compare>
#include <cstdint>

namespace mpiprof::inline v1::traces {

enum class event_type {
    call,
    /// Calls of one kind that found nothing (tests, probes), one after the other.
    repeated,
    completion,
    phase_begin,
    phase_end,
};

/// Where an event stands in its trace.
struct event_id {
    /// Places in `trace::ranks()` and in that rank's `threads`.
    std::uint32_t rank = 0;
    std::uint32_t thread = 0;
    /// How many-th event of the thread, from 0.
    std::uint64_t number = 0;

    auto operator<=>(event_id const&) const = default;
};

/// One event. All times are nanoseconds on the one timeline of the trace, whose 0 is the start of the
/// earliest rank. What its type does not need is as it was made.
struct event {
    event_type type = event_type::call;
    event_id id;
    /// Begin and end of a call, and of a run of repeated ones; both the same for phases; posting and observed
    /// end of a completion.
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// Of a call, and of repeated ones, which differ in nothing but their times. Its begin, end and duration
    /// are nanoseconds too.
    mpiprof::call call;
    /// Of repeated calls: how many, and the time inside of them.
    std::int64_t repeats = 1;
    std::int64_t inside = 0;
    mpiprof::completion completion;
    /// The innermost phase of a call or a completion ("" for none); the one that begins or ends. Never
    /// nullptr; lives as long as the trace, as the call sites' files do.
    char const* phase = "";
};

}  // namespace mpiprof::inline v1::traces
