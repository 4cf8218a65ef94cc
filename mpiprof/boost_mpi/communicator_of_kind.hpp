// What the profiled communicators of a kind of their own have in common.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/communicator.hpp>

namespace mpiprof::inline v1::boost_mpi {

/// A profiled communicator of a kind for which Boost.MPI has a class of its own, `Plain`. It derives from the
/// profiled communicator, as Boost's class does from Boost's, and converts to a `Plain` that is only read.
/// (Between functions for a Boost communicator and for a `Plain` it chooses the first, and what is assigned
/// to its base does not reach the `Plain`.)
template <class Plain, class Instrumentation>
class communicator_of_kind : public basic_communicator<Instrumentation> {
  public:
    using plain_type = Plain;

    /// A communicator of MPI's. To duplicate it is comm_dup.
    communicator_of_kind(MPI_Comm const& comm, boost::mpi::comm_create_kind kind,
                         call_site site = call_site::current())
        : communicator_of_kind(detail::of_handle<Plain, Instrumentation>(comm, kind, site)) {}

    /// Profiles a communicator of Boost's.
    communicator_of_kind(Plain const& comm) : communicator_of_kind(detail::identify<Instrumentation>(comm)) {}

    /// Profiles a communicator of Boost's whose identity is known.
    explicit communicator_of_kind(detail::identified<Plain> const& known)
        : basic_communicator<Instrumentation>(known),
          plain_(known.comm) {}

    /// Boost's object, which shares the handle.
    Plain const& plain() const noexcept { return plain_; }
    operator Plain const&() const noexcept { return plain_; }

  private:
    Plain plain_;
};

}  // namespace mpiprof::inline v1::boost_mpi
