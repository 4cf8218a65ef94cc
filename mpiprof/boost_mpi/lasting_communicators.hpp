// Communicator objects that stay.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/core/config.hpp>

#include <mutex>
#include <unordered_map>

namespace mpiprof::inline v1::boost_mpi::detail {

/// Boost's request for a receive that it probes for refers to the object of the communicator. Where only the
/// plain communicator was the user's, ours is a temporary: so such requests are made through these. There is
/// one for each handle that such a receive was made on; it frees nothing.
class lasting_communicators {
  public:
    /// The process's; never destroyed.
    static lasting_communicators& instance() {
        static auto* const all = new lasting_communicators;
        return *all;
    }

    boost::mpi::communicator const& of(MPI_Comm comm) {
        std::lock_guard const lock{mutex_};
        return kept_.try_emplace(comm, comm, boost::mpi::comm_attach).first->second;
    }

  private:
    std::mutex mutex_;
    std::unordered_map<MPI_Comm, boost::mpi::communicator> kept_;
};

}  // namespace mpiprof::inline v1::boost_mpi::detail
