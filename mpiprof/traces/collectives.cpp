#include <mpiprof/traces/messages.hpp>

#include <algorithm>
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
    std::map<std::size_t, std::vector<member_call>> calls;
};

std::int64_t members_of(trace const& from, series_key const& key) {
    if (key.rank >= 0) return 1;
    auto const found = from.communicators().find(key.communicator);
    std::int64_t count = 0;
    if (found != from.communicators().end())
        for (auto const& group : found->second.groups) count += std::ssize(group);
    return count;
}

/// The n-th calls of all members; from the last ones on, where a rank lost old records.
void put_together(trace const& from, series_key const& key, series const& all,
                  std::vector<collective>& made) {
    std::size_t most = 0;
    bool from_end = false;
    for (auto const& [rank, calls] : all.calls) {
        most = std::max(most, calls.size());
        auto const& its = from.ranks()[rank];
        from_end = from_end || (its.dropped > 0 && its.keeps_newest);
    }
    auto const members = members_of(from, key);
    auto const first = made.size();
    made.resize(first + most);
    for (auto const& [rank, calls] : all.calls) {
        auto const skipped = from_end ? most - calls.size() : 0;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            auto& one = made[first + skipped + i];
            one.begin = one.members.empty() ? calls[i].begin : std::min(one.begin, calls[i].begin);
            one.end = std::max(one.end, calls[i].end);
            one.members.push_back(calls[i].event);
        }
    }
    for (auto i = first; i < made.size(); ++i) {
        made[i].communicator = key.communicator;
        made[i].operation = key.what;
        made[i].rank = key.rank;
        made[i].missing = std::max<std::int64_t>(members - std::ssize(made[i].members), 0);
    }
}

}  // namespace

std::vector<collective> collectives_of(trace const& from) {
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
    std::vector<collective> made;
    for (auto& [key, its] : all) {
        // Of several threads that call in turn.
        for (auto& [rank, calls] : its.calls) {
            std::stable_sort(calls.begin(), calls.end(),
                             [](auto const& a, auto const& b) { return a.begin < b.begin; });
        }
        put_together(from, key, its, made);
    }
    std::sort(made.begin(), made.end(), [](collective const& a, collective const& b) {
        return std::tie(a.begin, a.members.front()) < std::tie(b.begin, b.members.front());
    });
    return made;
}

}  // namespace mpiprof::inline v1::traces
