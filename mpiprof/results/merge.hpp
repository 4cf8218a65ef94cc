// The merge operator: two profiles of disjoint ranks become one. Associative, and in any order.
#pragma once

#include <mpiprof/results/profile.hpp>

#include <string>

namespace mpiprof::inline v1::results {

[[gnu::cold]] inline void merge(operation_row& into, operation_row const& from) {
    merge(into.statistics, from.statistics);
}
[[gnu::cold]] inline void merge(call_site_row& into, call_site_row const& from) {
    merge(into.statistics, from.statistics);
}
[[gnu::cold]] inline void merge(call_row& into, call_row const& from) {
    merge(into.statistics, from.statistics);
}
[[gnu::cold]] inline void merge(host_row& into, host_row const& from) { into.ranks += from.ranks; }

[[gnu::cold]] inline void merge(completion_row& into, completion_row const& from) {
    merge(into.pending, into.completions, from.pending, from.completions);
    merge(into.waited, into.completions, from.waited, from.completions);
    into.completions += from.completions;
    into.cancelled += from.cancelled;
    into.received += from.received;
    into.read += from.read;
    into.taken_back += from.taken_back;
    into.unknown += from.unknown;
    merge(into.sizes, from.sizes);
}

/// Of two ranks; rows of one rank are put together by whoever makes them.
[[gnu::cold]] inline void merge(outstanding_row& into, outstanding_row const& from) {
    merge(into.requests, from.requests);
}

/// Of two threads.
[[gnu::cold]] inline void merge(in_progress_row& into, in_progress_row const& from) {
    into.threads += from.threads;
    if (from.since < into.since) into.since = from.since;
    if (into.duration < from.duration) into.duration = from.duration;
}

[[gnu::cold]] inline void merge(peer_row& into, peer_row const& from) {
    into.sends += from.sends;
    into.sent += from.sent;
    into.receives += from.receives;
    into.received += from.received;
}

[[gnu::cold]] inline void merge(communicator_row& into, communicator_row const& from) {
    // Members may have named it differently: any one will do, but the same whatever the order.
    if (into.name < from.name) into.name = from.name;
    if (into.size < from.size) into.size = from.size;
    if (into.parent < from.parent) into.parent = from.parent;
    into.guessed = into.guessed || from.guessed;
    into.ranks += from.ranks;
}

[[gnu::cold]] inline void merge(phase_row& into, phase_row const& from) {
    into.entered += from.entered;
    if (into.depth < from.depth) into.depth = from.depth;
    merge(into.rank_time, from.rank_time);
}

/// Sorts rows by key and puts rows of one key together.
template <class Row>
void combine(rows<Row>& list) {
    list.combine(
        [](void const* a, void const* b) {
            return Row::order(*static_cast<Row const*>(a), *static_cast<Row const*>(b));
        },
        [](void* into, void const* from) {
            merge(*static_cast<Row*>(into), *static_cast<Row const*>(from));
        });
}

/// Takes the rows of other ranks in.
template <class Row>
void take(rows<Row>& into, rows<Row>& from) {
    into.append_all_of(from);
    combine(into);
}

/// The least word of `words`, which have '+' between them, that is greater than `word`; "" if none is.
[[gnu::cold]] inline std::string word_after(std::string const& word, std::string const& words) {
    std::string found;
    for (std::size_t first = 0; first < words.size();) {
        auto last = words.find('+', first);
        if (last == std::string::npos) last = words.size();
        auto const next = words.substr(first, last - first);
        if (next > word && (found.empty() || next < found)) found = next;
        first = last + 1;
    }
    return found;
}

/// One word for both if they agree, else both: "steady" and "tsc" become "steady+tsc".
[[gnu::cold]] inline void merge_word(std::string& into, std::string const& from) {
    if (into == from) return;
    auto both = from;
    both += '+';
    both += into;
    into.clear();
    for (auto word = word_after("", both); !word.empty(); word = word_after(word, both)) {
        if (!into.empty()) into += '+';
        into += word;
    }
}

/// Takes the ranks of another profile of the same run in. The program's name and command are those of the
/// lowest rank.
[[gnu::cold]] inline void merge(profile& into, profile from) {
    if (from.ranks.empty()) return;
    if (into.ranks.empty() || from.ranks.front().first < into.ranks.front().first) {
        into.program = from.program;
        into.command = from.command;
        into.job = from.job;
        into.library = from.library;
    }
    if (into.start.empty() || from.start < into.start) into.start = from.start;
    merge_word(into.clock, from.clock);
    merge_word(into.bytes, from.bytes);
    merge_word(into.sink, from.sink);
    if (into.world_size < from.world_size) into.world_size = from.world_size;
    merge(into.ranks, from.ranks);
    merge(into.unfinished, from.unfinished);
    if (into.filters < from.filters) into.filters = from.filters;
    merge(into.left_out, from.left_out);
    merge(into.running, from.running);
    take(into.hosts, from.hosts);
    merge(into.run_time, from.run_time);
    merge(into.mpi_time, from.mpi_time);
    take(into.operations, from.operations);
    take(into.call_sites, from.call_sites);
    take(into.calls, from.calls);
    take(into.completions, from.completions);
    take(into.outstanding, from.outstanding);
    take(into.in_progress, from.in_progress);
    take(into.peers, from.peers);
    take(into.communicators, from.communicators);
    take(into.phases, from.phases);
    into.unbalanced.ends += from.unbalanced.ends;
    into.unbalanced.begins += from.unbalanced.begins;
    merge(into.overflow, from.overflow);
    into.lost += from.lost;
}

}  // namespace mpiprof::inline v1::results
