// The merge operator: two profiles of disjoint ranks become one. Associative, and in any order.
#pragma once

#include <mpiprof/results/profile.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace mpiprof::inline v1::results {

inline void merge(operation_row& into, operation_row const& from) { merge(into.statistics, from.statistics); }
inline void merge(call_site_row& into, call_site_row const& from) { merge(into.statistics, from.statistics); }
inline void merge(call_row& into, call_row const& from) { merge(into.statistics, from.statistics); }
inline void merge(host_row& into, host_row const& from) { into.ranks += from.ranks; }

inline void merge(completion_row& into, completion_row const& from) {
    merge(into.pending, into.completions, from.pending, from.completions);
    into.completions += from.completions;
    into.cancelled += from.cancelled;
    into.received += from.received;
    into.taken_back += from.taken_back;
    into.unknown += from.unknown;
    merge(into.sizes, from.sizes);
}

inline void merge(peer_row& into, peer_row const& from) {
    into.sends += from.sends;
    into.sent += from.sent;
    into.receives += from.receives;
    into.received += from.received;
}

inline void merge(communicator_row& into, communicator_row const& from) {
    // Members may have named it differently: any one will do, but the same whatever the order.
    into.name = std::max(into.name, from.name);
    into.size = std::max(into.size, from.size);
    into.parent = std::max(into.parent, from.parent);
    into.guessed = into.guessed || from.guessed;
    into.ranks += from.ranks;
}

inline void merge(phase_row& into, phase_row const& from) {
    into.entered += from.entered;
    into.depth = std::max(into.depth, from.depth);
    merge(into.rank_time, from.rank_time);
}

/// Sorts rows by key and puts rows of one key together.
template <class Row>
void combine(std::vector<Row>& rows) {
    std::stable_sort(rows.begin(), rows.end(), [](Row const& a, Row const& b) { return a.key() < b.key(); });
    std::vector<Row> combined;
    for (auto& row : rows) {
        if (!combined.empty() && combined.back().key() == row.key()) {
            merge(combined.back(), row);
        } else {
            combined.push_back(std::move(row));
        }
    }
    rows = std::move(combined);
}

/// Takes the rows of other ranks in.
template <class Row>
void merge(std::vector<Row>& into, std::vector<Row> const& from) {
    into.insert(into.end(), from.begin(), from.end());
    combine(into);
}

/// One word for both if they agree, else both: "steady" and "tsc" become "steady+tsc".
inline void merge_word(std::string& into, std::string const& from) {
    if (into == from) return;
    std::vector<std::string> words;
    auto const both = into + '+' + from;
    for (std::size_t first = 0; first <= both.size();) {
        auto const last = std::min(both.find('+', first), both.size());
        if (last > first) words.push_back(both.substr(first, last - first));
        first = last + 1;
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    into.clear();
    for (auto const& word : words) into += into.empty() ? word : '+' + word;
}

/// Takes the ranks of another profile of the same run in. The program's name and command are those of the
/// lowest rank.
inline void merge(profile& into, profile const& from) {
    if (from.ranks.empty()) return;
    if (into.ranks.empty() || from.ranks.front().first < into.ranks.front().first) {
        into.program = from.program;
        into.command = from.command;
        into.library = from.library;
    }
    into.start = into.start.empty() ? from.start : std::min(into.start, from.start);
    merge_word(into.clock, from.clock);
    merge_word(into.bytes, from.bytes);
    merge_word(into.sink, from.sink);
    into.world_size = std::max(into.world_size, from.world_size);
    merge(into.ranks, from.ranks);
    merge(into.unfinished, from.unfinished);
    merge(into.hosts, from.hosts);
    merge(into.run_time, from.run_time);
    merge(into.mpi_time, from.mpi_time);
    merge(into.operations, from.operations);
    merge(into.call_sites, from.call_sites);
    merge(into.calls, from.calls);
    merge(into.completions, from.completions);
    merge(into.peers, from.peers);
    merge(into.communicators, from.communicators);
    merge(into.phases, from.phases);
    merge(into.overflow, from.overflow);
    into.lost += from.lost;
}

}  // namespace mpiprof::inline v1::results
