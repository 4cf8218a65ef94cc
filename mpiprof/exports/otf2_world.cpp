#include <mpiprof/exports/otf2_world.hpp>

#include <algorithm>

namespace mpiprof::inline v1::exports {

namespace {

/// Has the group members that are not known to be ranks?
bool has_unknown(traces::communicator const& of, std::vector<std::int64_t> const& group) {
    if (of.id == world_communicator || of.id == self_communicator) return false;
    return group.empty() || std::find(group.begin(), group.end(), -1) != group.end();
}

}  // namespace

otf2_world::otf2_world(traces::trace const& from) {
    auto size = std::max<std::int64_t>(from.world_size(), 0);
    if (!from.ranks().empty()) size = std::max(size, from.ranks().back().number + 1);
    ranks_.resize(static_cast<std::size_t>(size));
    for (auto const& rank : from.ranks()) ranks_[static_cast<std::size_t>(rank.number)] = &rank;
    for (auto const& [id, communicator] : from.communicators())
        for (auto const& group : communicator.groups)
            if (has_unknown(communicator, group)) unknown_ = size;
    if (unknown_ >= 0) ranks_.push_back(nullptr);
}

std::vector<std::uint64_t> otf2_world::members(traces::communicator const& of, std::size_t group) const {
    std::vector<std::uint64_t> members;
    if (of.id == self_communicator) return members;
    auto const known_size = ranks_.size() - (unknown_ >= 0 ? 1 : 0);
    if (of.id == world_communicator) {
        for (std::uint64_t rank = 0; rank < known_size; ++rank) members.push_back(rank);
        return members;
    }
    for (auto const rank : of.groups.at(group))
        members.push_back(static_cast<std::uint64_t>(rank < 0 ? unknown_ : rank));
    if (members.empty()) members.assign(known_size, static_cast<std::uint64_t>(unknown_));
    return members;
}

}  // namespace mpiprof::inline v1::exports
