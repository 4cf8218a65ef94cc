// The communicators of this process by identity, and how identities are made.
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/sinks/trace_names.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mpiprof::inline v1 {

namespace detail {

/// Mixes a key into 48 bits, the same on every member; 0 and 1, which are world and self, never come out, nor
/// do 48 ones, which stand for an unknown one.
constexpr communicator_id hash_identity(std::uint64_t first, std::uint64_t second,
                                        std::uint64_t third) noexcept {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t mixed = odd;  // not 0, which a key of zeros would leave as it is
    for (auto const part : {first, second, third}) {
        mixed = (mixed ^ part) * odd;
        mixed ^= mixed >> 32;
        mixed *= odd;
        mixed ^= mixed >> 29;
    }
    mixed &= (std::uint64_t{1} << 48) - 1;
    if (mixed < 2) mixed += 2;
    if (mixed == (std::uint64_t{1} << 48) - 1) --mixed;
    return static_cast<communicator_id>(mixed);
}

}  // namespace detail

/// Who the members of a communicator are, as this process knows it.
struct communicator_members {
    /// Number of members, those of both groups of an intercommunicator.
    int size = not_applicable;
    /// Of them, those of an intercommunicator's remote group; -1 of any other communicator.
    int remote_size = not_applicable;
    /// This process's rank, in its own group.
    int rank = not_applicable;
    /// Rank in the world of rank 0 of its own group; -1 if that lies outside.
    int first = not_applicable;
};

/// What is known of a communicator.
struct communicator_entry : communicator_members {
    communicator_id id = unknown_communicator;
    std::string name = {};
    communicator_id parent = unknown_communicator;
    bool guessed = false;
};

/// The communicators of this process. It knows no MPI: its callers say what happened.
class communicator_registry {
  public:
    /// Of so many communicators name, size and parent are kept; a program may make any number.
    static constexpr std::size_t capacity = 4096;

    /// The process's registry; never destroyed.
    static communicator_registry& instance() {
        static auto* const registry = new communicator_registry;
        return *registry;
    }

    /// A creating call on `parent` has returned: its number on that parent, from 0. Collective creating calls
    /// are made in one order by all members, so the number is the same on all of them.
    std::uint64_t next_creation(communicator_id parent) {
        std::lock_guard const lock{mutex_};
        return creations_[parent]++;
    }

    /// Enters a communicator made by creating call number `creation` on `parent`; `first_world_rank` is the
    /// rank in the world of its rank 0, of an intercommunicator the lower one of both groups.
    communicator_id add_created(communicator_id parent, std::uint64_t creation, int first_world_rank,
                                communicator_members const& members) {
        auto const id = detail::hash_identity(static_cast<std::uint64_t>(parent), creation,
                                              static_cast<std::uint64_t>(first_world_rank));
        std::lock_guard const lock{mutex_};
        keep({members, id, "", parent, false});
        return id;
    }

    /// Enters an intercommunicator made of two communicators, of which `local` is this side's. They have no
    /// parent in common to count on: both sides know the groups (`groups` is a number for them) and the tag,
    /// and how many-th such it is.
    communicator_id add_connected(communicator_id local, std::uint64_t groups, int tag,
                                  communicator_members const& members) {
        return add_of_groups(UINT64_MAX - 1, groups, tag, local, members);
    }

    /// Enters a communicator that a group of ranks made among themselves, out of `parent` or of none. Other
    /// ranks do not know of it, so that it does not count as a creating call on the parent: its members know
    /// who they are (`group` is a number for them) and the tag, and how many-th such it is.
    communicator_id add_created_by_group(communicator_id parent, std::uint64_t group, int tag,
                                         communicator_members const& members) {
        return add_of_groups(static_cast<std::uint64_t>(parent), group, tag, parent, members);
    }

    /// Enters a communicator whose making was not seen; `first_world_rank` as above.
    communicator_id add_met(int first_world_rank, communicator_members const& members) {
        std::lock_guard const lock{mutex_};
        auto const first = static_cast<std::uint64_t>(static_cast<std::int64_t>(first_world_rank));
        auto const kind = first << 32 | static_cast<std::uint64_t>(members.size);
        auto const id = detail::hash_identity(UINT64_MAX, kind, met_[kind]++);
        keep({members, id, "", unknown_communicator, true});
        return id;
    }

    /// Enters a communicator whose id is given: the world, self, or a foreign library's own.
    void add(communicator_entry const& known) {
        std::lock_guard const lock{mutex_};
        if (!entries_.contains(known.id)) keep(known);
    }

    /// A communicator is freed: nothing will be made of it any more. What is known of it stays.
    void freed(communicator_id id) {
        std::lock_guard const lock{mutex_};
        creations_.erase(id);
    }

    void rename(communicator_id id, std::string const& name) {
        std::lock_guard const lock{mutex_};
        auto const found = entries_.find(id);
        if (found != entries_.end()) found->second.name = name;
    }

    /// What is known of one; nothing, if there is none of this identity or there was no room for it.
    std::optional<communicator_entry> find(communicator_id id) const {
        std::lock_guard const lock{mutex_};
        auto const found = entries_.find(id);
        if (found == entries_.end()) return std::nullopt;
        return found->second;
    }

    std::vector<communicator_entry> entries() const {
        std::lock_guard const lock{mutex_};
        std::vector<communicator_entry> all;
        for (auto const& [id, known] : entries_) all.push_back(known);
        return all;
    }

  private:
    communicator_registry() { sinks::describe_communicator.store(&describe, std::memory_order_release); }

    /// For a trace, which keeps what is known of those that it meets.
    static bool describe(communicator_id id, sinks::described_communicator& into) noexcept {
        MPIPROF_INTERNAL_TRY {
            auto const known = instance().find(id);
            if (!known) return false;
            bool const between = known->remote_size != not_applicable;
            into.row.parent = known->parent;
            into.row.size = between ? known->size - known->remote_size : known->size;
            into.row.remote_size = known->remote_size;
            into.row.rank = known->rank;
            into.row.first = known->first;
            into.row.guessed = known->guessed ? 1 : 0;
            into.name[known->name.copy(into.name, sizeof into.name - 1)] = '\0';
            return true;
        }
        MPIPROF_INTERNAL_CATCH_ALL { return false; }
    }

    static constexpr std::size_t most_keys = 1 << 16;

    void keep(communicator_entry const& known) {
        if (entries_.size() < capacity || entries_.contains(known.id)) entries_[known.id] = known;
    }

    communicator_id add_of_groups(std::uint64_t kind, std::uint64_t groups, int tag, communicator_id parent,
                                  communicator_members const& members) {
        auto const key =
            static_cast<std::uint64_t>(detail::hash_identity(kind, groups, static_cast<std::uint64_t>(tag)));
        std::lock_guard const lock{mutex_};
        // Past the bound, which a program reaches that goes on making them with other tags, none is counted.
        std::uint64_t number = 0;
        if (of_groups_.size() < most_keys || of_groups_.contains(key)) number = of_groups_[key]++;
        auto const id = detail::hash_identity(UINT64_MAX - 1, key, number);
        keep({members, id, "", parent, false});
        return id;
    }

    mutable std::mutex mutex_;
    std::map<communicator_id, communicator_entry> entries_;
    std::map<communicator_id, std::uint64_t> creations_;
    std::map<std::uint64_t, std::uint64_t> met_;
    std::map<std::uint64_t, std::uint64_t> of_groups_;
};

}  // namespace mpiprof::inline v1
