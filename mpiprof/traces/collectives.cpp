#include <mpiprof/traces/messages.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>

namespace mpiprof::inline v1::traces {

namespace {

/// The collective operation of a call; `none` if it is none. A start of a request that a call like bcast_init
/// has made is one of its own.
operation collective_of(call const& record) noexcept {
    auto const made = record.operation == operation::start ? record.request : record.operation;
    return kind_of(made) == kind::collective && (record.flags & call_failed) == 0 ? made : operation::none;
}

/// Calls of one operation that ranks made on a communicator. Of self each rank has its own, and of those on
/// an unknown one it is not known which belong together.
struct series_key {
    communicator_id communicator;
    operation what;
    bool started;
    std::int64_t rank;

    auto operator<=>(series_key const&) const = default;
};

struct series {
    struct member_call {
        event_id event;
        std::int64_t begin;
        std::int64_t end;
    };
    /// By the places of the ranks.
    std::map<std::size_t, std::deque<member_call>> calls;
};

std::int64_t members_of(trace const& from, series_key const& key) {
    if (key.rank >= 0) return 1;
    auto const found = from.communicators().find(key.communicator);
    std::int64_t count = 0;
    if (found != from.communicators().end())
        for (auto const& group : found->second.groups) count += std::ssize(group);
    return count;
}

/// Does none of its calls end before all have begun?
bool waits_for_all(series_key const& key) noexcept {
    switch (key.what) {
    case operation::barrier:
    case operation::allreduce:
    case operation::allgather:
    case operation::alltoall:
        return !key.started;
    default:
        return false;
    }
}

/// What is known of the ranks whose calls these are.
struct all_ranks {
    /// How many calls one of them has, and all together.
    std::size_t most = 0;
    std::size_t least = SIZE_MAX;
    std::size_t sum = 0;
    bool from_end = false;
    bool have_gaps = false;
    /// By how much calls that overlap may seem not to; -1 if that is not known.
    std::int64_t error = 0;
};

all_ranks known_of(trace const& from, series const& all) {
    all_ranks known;
    for (auto const& [rank, calls] : all.calls) {
        auto const& its = from.ranks()[rank];
        known.most = std::max(known.most, calls.size());
        known.sum += calls.size();
        known.least = std::min(known.least, calls.size());
        known.from_end = known.from_end || (its.dropped > 0 && its.keeps_newest);
        known.have_gaps = known.have_gaps || its.has_gaps;
        bool const is_known = known.error >= 0 && its.clock_error >= 0;
        known.error = is_known ? std::max(known.error, 2 * its.clock_error) : -1;
    }
    return known;
}

/// Takes the next call of each rank that `takes(rank, calls)` chooses.
template <class Takes>
collective take_next(series& all, Takes takes) {
    collective made;
    made.members.reserve(all.calls.size());
    for (auto& [rank, calls] : all.calls) {
        if (!takes(rank, calls)) continue;
        auto const& next = calls.front();
        made.begin = made.members.empty() ? next.begin : std::min(made.begin, next.begin);
        made.end = std::max(made.end, next.end);
        made.members.push_back(next.event);
        calls.pop_front();
    }
    return made;
}

/// Those that begin before the first of them ends, or, where that tells nothing, that one alone.
collective take_overlapping(series& all, bool overlap_tells, std::int64_t error) {
    std::size_t first = SIZE_MAX;
    std::int64_t end = INT64_MAX;
    for (auto const& [rank, calls] : all.calls) {
        if (calls.empty() || calls.front().end >= end) continue;
        first = rank;
        end = calls.front().end;
    }
    return take_next(all, [&](std::size_t rank, auto const& calls) {
        bool const overlaps = overlap_tells && !calls.empty() && calls.front().begin - error <= end;
        return rank == first || overlaps;
    });
}

/// The n-th calls of all members; from the last ones on, where a rank lost old records. Where ranks did not
/// record all the time, that holds only if all have as many.
void put_together(trace const& from, series_key const& key, series& all, std::deque<collective>& made) {
    auto const known = known_of(from, all);
    bool const overlap_tells = waits_for_all(key) && known.error >= 0;
    bool const by_number = !known.have_gaps || (!overlap_tells && known.least == known.most);
    auto left = by_number ? known.most : known.sum;
    auto const members = members_of(from, key);
    auto const has_next = [&](std::size_t, auto const& calls) {
        return calls.size() >= (known.from_end ? left : 1);
    };
    while (left > 0) {
        auto& one = made.emplace_back(by_number ? take_next(all, has_next)
                                                : take_overlapping(all, overlap_tells, known.error));
        left -= by_number ? 1 : one.members.size();
        one.communicator = key.communicator;
        one.operation = key.what;
        one.rank = key.rank;
        one.missing = std::max<std::int64_t>(members - std::ssize(one.members), 0);
    }
}

}  // namespace

std::deque<collective> collectives_of(trace const& from) {
    std::map<series_key, series> all;
    from.for_each([&](event const& each) {
        if (each.type != event_type::call) return;
        auto const what = collective_of(each.call);
        if (what == operation::none) return;
        auto const id = each.call.communicator;
        bool const is_alone = id == self_communicator || id == unknown_communicator;
        series_key const key{id, what, each.call.operation == operation::start,
                             is_alone ? from.ranks()[each.id.rank].number : -1};
        all[key].calls[each.id.rank].push_back({each.id, each.begin, each.end});
    });
    std::deque<collective> made;
    for (auto& [key, its] : all) {
        // Of several threads that call in turn.
        for (auto& [rank, calls] : its.calls) {
            std::sort(calls.begin(), calls.end(), [](auto const& a, auto const& b) {
                return std::tie(a.begin, a.event) < std::tie(b.begin, b.event);
            });
        }
        put_together(from, key, its, made);
    }
    std::sort(made.begin(), made.end(), [](collective const& a, collective const& b) {
        return std::tie(a.begin, a.members.front()) < std::tie(b.begin, b.members.front());
    });
    return made;
}

}  // namespace mpiprof::inline v1::traces
