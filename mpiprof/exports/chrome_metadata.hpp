// What an export for Chrome says of the run beside its events.
#pragma once

#include <mpiprof/exports/json_list.hpp>
#include <mpiprof/traces/trace.hpp>

namespace mpiprof::inline v1::exports {

/// Number of a thread in the format: its place among those of its rank, from 1, since viewers take 0 for
/// what is idle.
inline std::size_t thread_number(std::size_t place) { return place + 1; }

/// Adds the names of the ranks, which are the format's processes, and of their threads.
void add_names(traces::trace const& from, json_list& events);

/// The run's and each rank's program, what is known of the clocks, and what was dropped.
json_object chrome_metadata(traces::trace const& from);

}  // namespace mpiprof::inline v1::exports
