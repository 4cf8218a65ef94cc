// Which communicator a handle stands for: handles are recycled and local to a process, identities are
// neither.
#pragma once

#include <mpiprof/raw/sessions.hpp>
#include <mpiprof/run/communicators.hpp>

#include <algorithm>
#include <atomic>
#include <mpi.h>
#include <mutex>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace mpiprof::inline v1::raw {

namespace detail {

/// World ranks of `n` of a group's ranks; MPI_UNDEFINED outside MPI_COMM_WORLD. A program of sessions alone
/// has the process set "mpi://WORLD" in its place. (With MPICH a group is an int, as a communicator is: no
/// overloads.)
inline void translate_to_world(MPI_Group group, int n, int const* ranks, int* world_ranks) noexcept {
    std::fill(world_ranks, world_ranks + n, MPI_UNDEFINED);
    MPI_Group world = MPI_GROUP_NULL;
    if (!job_group(world)) return;
    PMPI_Group_translate_ranks(group, n, ranks, world, world_ranks);
    PMPI_Group_free(&world);
}

/// World rank of a group's rank 0; -1 if it lies outside MPI_COMM_WORLD.
inline int first_world_rank_of_group(MPI_Group group) noexcept {
    int size = 0;
    PMPI_Group_size(group, &size);
    if (size == 0) return -1;
    int const first = 0;
    int rank = MPI_UNDEFINED;
    translate_to_world(group, 1, &first, &rank);
    return rank == MPI_UNDEFINED ? -1 : rank;
}

/// A number for a group's members, in their order.
inline std::uint64_t hash_of_group(MPI_Group group) {
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<int> world_ranks(ranks.size());
    translate_to_world(group, size, ranks.data(), world_ranks.data());
    std::uint64_t hash = 0;
    for (int const rank : world_ranks) {
        hash = static_cast<std::uint64_t>(mpiprof::detail::hash_identity(
            hash, static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(size)));
    }
    return hash;
}

/// Who is in a communicator. Asks no other process.
inline communicator_members members_of(MPI_Comm comm) noexcept {
    communicator_members members;
    PMPI_Comm_size(comm, &members.size);
    PMPI_Comm_rank(comm, &members.rank);
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    members.first = first_world_rank_of_group(group);
    PMPI_Group_free(&group);
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    if (between == 0) return members;
    PMPI_Comm_remote_size(comm, &members.remote_size);
    members.size += members.remote_size;
    return members;
}

/// World rank of a communicator's rank 0; for an intercommunicator the lower of both groups', so that both
/// agree.
inline int first_world_rank(MPI_Comm comm, communicator_members const& members) noexcept {
    if (members.remote_size == not_applicable) return members.first;
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_remote_group(comm, &group);
    int const remote = first_world_rank_of_group(group);
    PMPI_Group_free(&group);
    return std::min(members.first, remote);
}

/// A number for an intercommunicator's two groups, the same on both sides.
inline std::uint64_t hash_of_groups(MPI_Comm between) {
    MPI_Group local = MPI_GROUP_NULL;
    MPI_Group remote = MPI_GROUP_NULL;
    PMPI_Comm_group(between, &local);
    PMPI_Comm_remote_group(between, &remote);
    auto const [lower, higher] = std::minmax({hash_of_group(local), hash_of_group(remote)});
    PMPI_Group_free(&local);
    PMPI_Group_free(&remote);
    return static_cast<std::uint64_t>(mpiprof::detail::hash_identity(lower, higher, 0));
}

}  // namespace detail

/// The identities of this process's communicators by handle. A handle is forgotten when its communicator is
/// freed, by whatever call, which an attribute's delete callback tells.
class communicator_identities {
  public:
    /// The process's table; never destroyed.
    static communicator_identities& instance() {
        static auto* const table = new communicator_identities;
        return *table;
    }

    /// The identity of a communicator. One whose making was not seen gets a guessed one when it is first met.
    /// Makes no MPI call for MPI_COMM_WORLD, MPI_COMM_SELF and what the calling thread asked for last.
    communicator_id find(MPI_Comm comm) {
        if (comm == MPI_COMM_WORLD) return world_communicator;
        if (comm == MPI_COMM_SELF) return self_communicator;
        if (comm == MPI_COMM_NULL) return unknown_communicator;
        auto const epoch = epoch_.load(std::memory_order_acquire);
        if (last_.epoch != epoch || last_.comm != comm) last_ = {epoch, comm, find_or_meet(comm)};
        return last_.id;
    }

    /// The identity of a communicator that was met before, else unknown_communicator. Makes no MPI call, so
    /// the handle may be wrong.
    communicator_id known(MPI_Comm comm) {
        if (comm == MPI_COMM_WORLD) return world_communicator;
        if (comm == MPI_COMM_SELF) return self_communicator;
        std::lock_guard const lock{mutex_};
        auto const found = ids_.find(comm);
        return found == ids_.end() ? unknown_communicator : found->second;
    }

    /// Enters a communicator made by creating call number `creation` on the communicator `parent`.
    communicator_id created(communicator_id parent, std::uint64_t creation, MPI_Comm comm) {
        auto const members = detail::members_of(comm);
        auto const id = communicator_registry::instance().add_created(
            parent, creation, detail::first_world_rank(comm, members), members);
        enter(comm, id);
        return id;
    }

    /// Enters an intercommunicator made of two communicators, of which `local` is this side's.
    communicator_id connected(communicator_id local, int tag, MPI_Comm comm) {
        auto const id = communicator_registry::instance().add_connected(local, detail::hash_of_groups(comm),
                                                                        tag, detail::members_of(comm));
        enter(comm, id);
        return id;
    }

    /// Enters a communicator that its members made among themselves, out of `parent` or of none.
    communicator_id created_by_group(communicator_id parent, int tag, MPI_Comm comm) {
        MPI_Group group = MPI_GROUP_NULL;
        PMPI_Comm_group(comm, &group);
        auto const members = detail::hash_of_group(group);
        PMPI_Group_free(&group);
        auto const id = communicator_registry::instance().add_created_by_group(parent, members, tag,
                                                                               detail::members_of(comm));
        enter(comm, id);
        return id;
    }

    /// Takes the present names of all communicators over to the registry.
    void update_names() {
        std::lock_guard const lock{mutex_};
        for (auto const& [comm, id] : ids_) update_name(comm, id);
        if (!detail::world_runs()) return;
        update_name(MPI_COMM_WORLD, world_communicator);
        update_name(MPI_COMM_SELF, self_communicator);
    }

  private:
    struct last_found {
        std::uint64_t epoch;
        MPI_Comm comm;
        communicator_id id;
    };

    // No MPI call here: it is made for a global of the program's, maybe before MPI_Init.
    communicator_identities() = default;

    communicator_id find_or_meet(MPI_Comm comm) {
        if (auto const id = known(comm); id != unknown_communicator) return id;
        auto const members = detail::members_of(comm);
        int const first = detail::first_world_rank(comm, members);
        auto id = unknown_communicator;
        {
            std::lock_guard const lock{mutex_};
            // Another thread may have met it meanwhile.
            if (auto const found = ids_.find(comm); found != ids_.end()) return found->second;
            id = communicator_registry::instance().add_met(first, members);
            remember(comm, id);
        }
        watch(comm);
        return id;
    }

    void enter(MPI_Comm comm, communicator_id id) {
        bool is_new = false;
        {
            std::lock_guard const lock{mutex_};
            is_new = !ids_.contains(comm);
            remember(comm, id);
        }
        // Setting the attribute a second time would call `freed`.
        if (is_new) watch(comm);
        else epoch_.fetch_add(1, std::memory_order_release);
    }

    /// Under the mutex.
    void remember(MPI_Comm comm, communicator_id id) {
        ids_[comm] = id;
        if (keyval_ == MPI_KEYVAL_INVALID)
            PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &freed, &keyval_, nullptr);
    }

    /// Has MPI call `freed` when the communicator is freed.
    void watch(MPI_Comm comm) {
        epoch_.fetch_add(1, std::memory_order_release);
        PMPI_Comm_set_attr(comm, keyval_, nullptr);
    }

    static int freed(MPI_Comm comm, int, void*, void*) noexcept {
        auto& self = instance();
        std::lock_guard const lock{self.mutex_};
        auto const found = self.ids_.find(comm);
        if (found != self.ids_.end()) {
            MPIPROF_INTERNAL_TRY { update_name(comm, found->second); }
            MPIPROF_INTERNAL_CATCH_ALL {
                // No memory: it keeps the name that it had before.
            }
            communicator_registry::instance().freed(found->second);
            self.ids_.erase(found);
        }
        self.epoch_.fetch_add(1, std::memory_order_release);
        return MPI_SUCCESS;
    }

    static void update_name(MPI_Comm comm, communicator_id id) {
        char name[MPI_MAX_OBJECT_NAME] = {};
        int length = 0;
        if (PMPI_Comm_get_name(comm, name, &length) == MPI_SUCCESS && length > 0) {
            communicator_registry::instance().rename(id, name);
        }
    }

    static inline constinit thread_local last_found last_{0, {}, unknown_communicator};

    std::mutex mutex_;
    std::unordered_map<MPI_Comm, communicator_id> ids_;
    // From 1, so that a thread's empty memory is out of date.
    std::atomic<std::uint64_t> epoch_{1};
    int keyval_ = MPI_KEYVAL_INVALID;
};

namespace detail {

/// The identity of a communicator whose handle is known to be right, or else of one that was met before.
template <bool Failed>
[[gnu::noinline]] communicator_id find_identity(MPI_Comm comm) noexcept {
    MPIPROF_INTERNAL_TRY {
        auto& identities = communicator_identities::instance();
        return Failed ? identities.known(comm) : identities.find(comm);
    }
    MPIPROF_INTERNAL_CATCH_ALL { return unknown_communicator; }
}

/// The number of a creating call on `parent` that succeeded. It counts also on a rank that got none.
inline std::uint64_t count_creation(communicator_id parent) noexcept {
    MPIPROF_INTERNAL_TRY { return communicator_registry::instance().next_creation(parent); }
    MPIPROF_INTERNAL_CATCH_ALL { return 0; }
}

/// Gives a communicator that creating call number `creation` on `parent` made its identity.
inline void enter_created(communicator_id parent, std::uint64_t creation, MPI_Comm made) noexcept {
    MPIPROF_INTERNAL_TRY {
        if (made != MPI_COMM_NULL) communicator_identities::instance().created(parent, creation, made);
    }
    MPIPROF_INTERNAL_CATCH_ALL {
        // No memory: it will be met as one whose making was not seen.
    }
}

/// Gives a communicator that its members made among themselves its identity.
inline void enter_created_by_group(communicator_id parent, int tag, MPI_Comm made) noexcept {
    MPIPROF_INTERNAL_TRY {
        if (made != MPI_COMM_NULL) communicator_identities::instance().created_by_group(parent, tag, made);
    }
    MPIPROF_INTERNAL_CATCH_ALL {
        // As above.
    }
}

/// Gives an intercommunicator that was made of two communicators, of which `local` is this side's, its
/// identity.
inline void enter_connected(communicator_id local, int tag, MPI_Comm made) noexcept {
    MPIPROF_INTERNAL_TRY {
        if (made != MPI_COMM_NULL) communicator_identities::instance().connected(local, tag, made);
    }
    MPIPROF_INTERNAL_CATCH_ALL {
        // As above.
    }
}

}  // namespace detail

}  // namespace mpiprof::inline v1::raw
