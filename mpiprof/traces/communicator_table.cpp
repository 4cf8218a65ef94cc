#include <mpiprof/traces/communicator_table.hpp>

#include <mpiprof/sinks/trace_layout.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace mpiprof::inline v1::traces {

namespace {

/// A damaged file may have any sizes. A communicator has no more members than the world, and as many that the
/// program has started, or found, elsewhere.
constexpr std::int64_t most_foreign = 65536;

}  // namespace

communicator_table::communicator_table(std::int64_t world_size) : world_size_{world_size} {
    add_used(world_communicator);
    add_used(self_communicator);
    auto& world = sides_[world_communicator].groups.emplace_back();
    world.first = 0;
    grow(world, world_size);
}

void communicator_table::add(std::int64_t rank, std::size_t place, sinks::trace_communicator const& row,
                             std::string const& name) {
    if (row.id < 0) return;
    auto& known = all_[row.id];
    known.id = row.id;
    if (row.parent != unknown_communicator) known.parent = row.parent;
    known.guessed = known.guessed || row.guessed != 0;
    if (!name.empty()) known.name = name;
    if (row.id == self_communicator) return;
    auto& members = sides_[row.id];
    if (row.remote_size >= 0) members.is_inter = true;
    if (row.size < 0) return;
    auto const mine = group(members, row.first, row.size, row.remote_size);
    members.group_of[place] = mine;
    put(members.groups[mine], row.rank, rank);
}

void communicator_table::add_used(communicator_id id) {
    if (id < 0) return;
    all_[id].id = id;
    sides_.try_emplace(id);
}

/// The number of the group that begins with `first`; one more, where it is not there yet.
std::size_t communicator_table::group(sides& known, std::int64_t first, std::int64_t size,
                                      std::int64_t remote_size) {
    auto& groups = known.groups;
    auto const found = std::find_if(groups.begin(), groups.end(),
                                    [&](side const& each) { return !known.is_inter || each.first == first; });
    auto mine = static_cast<std::size_t>(found - groups.begin());
    if (known.is_inter && found == groups.end()) {
        // The other one was made when its size became known.
        auto const nameless =
            std::find_if(groups.begin(), groups.end(), [](side const& each) { return each.first < 0; });
        mine = nameless == groups.end() ? 0 : static_cast<std::size_t>(nameless - groups.begin());
    }
    while (groups.size() < (known.is_inter ? 2 : 1)) groups.emplace_back();
    groups[mine].first = first;
    grow(groups[mine], size);
    if (known.is_inter) grow(groups[1 - mine], remote_size);
    return mine;
}

void communicator_table::put(side& into, std::int64_t place, std::int64_t rank) {
    if (place >= 0 && place < std::ssize(into.members)) into.members[static_cast<std::size_t>(place)] = rank;
}

void communicator_table::grow(side& into, std::int64_t size) const {
    if (size > std::ssize(into.members) && size <= world_size_ + most_foreign)
        into.members.resize(static_cast<std::size_t>(size), -1);
}

void communicator_table::finish() {
    for (auto& [id, known] : all_) {
        if (known.name.empty()) {
            known.name = id == world_communicator  ? "MPI_COMM_WORLD"
                         : id == self_communicator ? "MPI_COMM_SELF"
                                                   : fmt::format("communicator {:x}", id);
        }
        auto& its_sides = sides_[id].groups;
        // The group that begins with the lower rank first, in whatever order the files came.
        std::vector<side*> order;
        for (auto& each : its_sides) order.push_back(&each);
        std::sort(order.begin(), order.end(), [](side const* a, side const* b) {
            return static_cast<std::uint64_t>(a->first) < static_cast<std::uint64_t>(b->first);
        });
        for (auto* const each : order) {
            each->place = known.groups.size();
            known.groups.push_back(std::move(each->members));
        }
        if (known.groups.empty()) known.groups.emplace_back();
    }
}

std::int64_t communicator_table::world_rank(communicator_id id, std::size_t place, std::int64_t number,
                                            std::int64_t peer) const {
    if (peer < 0) return -1;
    if (id == world_communicator) return peer < world_size_ ? peer : -1;
    if (id == self_communicator) return peer == 0 ? number : -1;
    auto const found = sides_.find(id);
    if (found == sides_.end() || found->second.groups.empty()) return -1;
    auto const& known = found->second;
    std::size_t which = 0;
    if (known.is_inter) {
        auto const mine = known.group_of.find(place);
        if (mine == known.group_of.end()) return -1;
        which = 1 - mine->second;
    }
    auto const& members = all_.at(id).groups[known.groups[which].place];
    return peer < std::ssize(members) ? members[static_cast<std::size_t>(peer)] : -1;
}

}  // namespace mpiprof::inline v1::traces
