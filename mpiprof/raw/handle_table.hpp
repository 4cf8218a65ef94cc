// What messages, windows and files stand for, by handle.
#pragma once

#include <mpiprof/core/call.hpp>

#include <atomic>
#include <cstddef>
#include <mpi.h>
#include <mutex>
#include <unordered_map>

namespace mpiprof::inline v1::raw {

/// The communicators over which handles of one kind were made, until they are freed.
template <class Handle>
class handle_table {
  public:
    void put(Handle handle, communicator_id communicator) noexcept {
        MPIPROF_INTERNAL_TRY {
            std::lock_guard const lock{mutex_};
            communicators_[handle] = communicator;
            size_.store(communicators_.size(), std::memory_order_relaxed);
        }
        MPIPROF_INTERNAL_CATCH_ALL {
            // No memory: calls with it are of an unknown communicator.
        }
    }

    /// unknown_communicator for a handle that is not here.
    communicator_id find(Handle handle) noexcept {
        if (size() == 0) return unknown_communicator;
        std::lock_guard const lock{mutex_};
        auto const found = communicators_.find(handle);
        return found == communicators_.end() ? unknown_communicator : found->second;
    }

    /// The same, and the handle is not here any more.
    communicator_id take(Handle handle) noexcept {
        if (size() == 0) return unknown_communicator;
        std::lock_guard const lock{mutex_};
        auto const found = communicators_.find(handle);
        if (found == communicators_.end()) return unknown_communicator;
        auto const communicator = found->second;
        communicators_.erase(found);
        size_.store(communicators_.size(), std::memory_order_relaxed);
        return communicator;
    }

    std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }

  private:
    std::mutex mutex_;
    std::unordered_map<Handle, communicator_id> communicators_;
    std::atomic<std::size_t> size_{0};
};

// The process's tables; never destroyed. With MPICH some of the handles are of one type.

/// Messages that a matched probe found and nobody received yet.
inline handle_table<MPI_Message>& known_messages() {
    static auto* const table = new handle_table<MPI_Message>;
    return *table;
}

inline handle_table<MPI_Win>& known_windows() {
    static auto* const table = new handle_table<MPI_Win>;
    return *table;
}

inline handle_table<MPI_File>& known_files() {
    static auto* const table = new handle_table<MPI_File>;
    return *table;
}

}  // namespace mpiprof::inline v1::raw
