// The calls and phases of a thread as a tree, and what they completed.
#pragma once

#include <mpiprof/traces/trace.hpp>

namespace mpiprof::inline v1::traces {

/// Something that a thread was in for a time.
struct region {
    /// A call, repeated calls, or the begin of a phase.
    event const& what;
    std::int64_t begin;
    std::int64_t end;
};

/// Calls enter(region) and leave(region) for the calls and phases of a rank's thread in order of time, nested
/// properly: each is left once, after all that was entered in it, and no time is before the one before it. An
/// end of a phase without its begin is left out; a phase without its end ends with the thread, or with the
/// phase around it. Calls that overlap without one being within the other, which only a clock that steps back
/// makes, are cut. The thread's completions, of which observe(event) is called if it is there, come after the
/// enter and before the leave of the call that observed them (the one recorded next after them, which ends
/// when they do); where that is not there, where they were recorded.
void for_each_nested(trace const& from, std::size_t rank, std::size_t thread,
                     std::function<void(region const&)> const& enter,
                     std::function<void(region const&)> const& leave,
                     std::function<void(event const&)> const& observe = {});

}  // namespace mpiprof::inline v1::traces
