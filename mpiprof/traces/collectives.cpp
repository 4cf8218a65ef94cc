#include <mpiprof/traces/messages.hpp>

#include <algorithm>
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

/// Takes a call of each rank that has at least so many.
collective take_next(series& all, std::size_t least) {
    collective made;
    made.members.reserve(all.calls.size());
    for (auto& [rank, calls] : all.calls) {
        if (calls.size() < least) continue;
        auto const& next = calls.front();
        made.begin = made.members.empty() ? next.begin : std::min(made.begin, next.begin);
        made.end = std::max(made.end, next.end);
        made.members.push_back(next.event);
        calls.pop_front();
    }
    return made;
}

/// The n-th calls of all members; from the last ones on, where a rank lost old records.
void put_together(trace const& from, series_key const& key, series& all, std::deque<collective>& made) {
    std::size_t most = 0;
    bool from_end = false;
    for (auto const& [rank, calls] : all.calls) {
        most = std::max(most, calls.size());
        auto const& its = from.ranks()[rank];
        from_end = from_end || (its.dropped > 0 && its.keeps_newest);
    }
    auto const members = members_of(from, key);
    for (auto left = most; left > 0; --left) {
        auto& one = made.emplace_back(take_next(all, from_end ? left : 1));
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
