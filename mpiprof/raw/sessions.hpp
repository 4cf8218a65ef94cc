// Programs of MPI sessions alone, which have no MPI_COMM_WORLD (MPI 4.0, section 11.3).
#pragma once

#include <mpiprof/raw/features.hpp>

#include <algorithm>
#include <mpi.h>
#include <mutex>
#include <vector>

namespace mpiprof::inline v1::raw::detail {

/// Is MPI running since MPI_Init, and until MPI_Finalize?
inline bool world_runs() noexcept {
    int initialized = 0;
    int finalized = 0;
    PMPI_Initialized(&initialized);
    if (initialized != 0) PMPI_Finalized(&finalized);
    return initialized != 0 && finalized == 0;
}

#if MPIPROF_INTERNAL_SESSIONS

/// The sessions that the program is known to have open.
class open_sessions {
  public:
    /// The process's; never destroyed.
    static open_sessions& instance() {
        static auto* const only = new open_sessions;
        return *only;
    }

    void add(MPI_Session session) {
        std::lock_guard const lock{mutex_};
        sessions_.push_back(session);
    }

    /// Returns whether it was the only one.
    bool remove(MPI_Session session) noexcept {
        std::lock_guard const lock{mutex_};
        auto const found = std::find(sessions_.begin(), sessions_.end(), session);
        if (found == sessions_.end()) return false;
        sessions_.erase(found);
        return sessions_.empty();
    }

    /// The group of all processes of the job, which no message is needed for; false where no session is open.
    bool job_group(MPI_Group& group) noexcept {
        std::lock_guard const lock{mutex_};
        return !sessions_.empty() &&
               PMPI_Group_from_session_pset(sessions_.front(), "mpi://WORLD", &group) == MPI_SUCCESS;
    }

  private:
    open_sessions() = default;

    std::mutex mutex_;
    std::vector<MPI_Session> sessions_;
};

#endif

/// The group of all processes of the job: MPI_COMM_WORLD's, or that of a program of sessions alone. False
/// where there is none. The caller frees it.
inline bool job_group(MPI_Group& group) noexcept {
    if (world_runs()) return PMPI_Comm_group(MPI_COMM_WORLD, &group) == MPI_SUCCESS;
#if MPIPROF_INTERNAL_SESSIONS
    return open_sessions::instance().job_group(group);
#else
    return false;
#endif
}

}  // namespace mpiprof::inline v1::raw::detail
