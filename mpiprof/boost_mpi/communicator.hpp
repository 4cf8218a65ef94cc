// Boost.MPI's communicator, profiled.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/identified.hpp>
#include <mpiprof/boost_mpi/operations.hpp>

namespace mpiprof::inline v1::boost_mpi {

template <class Instrumentation>
class basic_cartesian_communicator;
template <class Instrumentation>
class basic_graph_communicator;
template <class Instrumentation>
class basic_intercommunicator;

// Apart from detail, whose functions a user's calls would find by their arguments.
namespace holders {

/// The communicator is the object itself.
class owned_communicator : public boost::mpi::communicator {
  public:
    owned_communicator() : id_{world_communicator} {}
    owned_communicator(boost::mpi::communicator const& comm, communicator_id id)
        : boost::mpi::communicator(comm),
          id_{id} {}

    boost::mpi::communicator const& plain() const noexcept { return *this; }
    communicator_id id() const noexcept { return id_; }

  private:
    communicator_id id_;
};

}  // namespace holders

namespace detail {

/// The optional of Boost's, which newer versions may take from elsewhere, with its value profiled.
template <class Profiled, template <class...> class Optional, class Plain>
Optional<Profiled> profiled_value(Optional<Plain> const& plain) {
    if (!plain) return {};
    return Profiled(*plain);
}

}  // namespace detail

/// Boost.MPI's communicator with its calls recorded: it derives from Boost's, converts from it, and goes
/// wherever a boost::mpi::communicator goes; calls made there, through Boost's own type, are not seen.
/// Communicators made from it are profiled too.
template <class Instrumentation>
class basic_communicator : public operations<holders::owned_communicator, Instrumentation> {
    using base = operations<holders::owned_communicator, Instrumentation>;

  public:
    /// MPI_COMM_WORLD.
    basic_communicator() = default;

    /// A communicator of MPI's. To duplicate it is comm_dup.
    basic_communicator(MPI_Comm const& comm, boost::mpi::comm_create_kind kind,
                       call_site site = call_site::current())
        : basic_communicator(detail::of_handle<boost::mpi::communicator, Instrumentation>(comm, kind, site)) {
    }

    /// The members of `subgroup`; on other ranks empty. It is comm_create.
    basic_communicator(boost::mpi::communicator const& comm, boost::mpi::group const& subgroup,
                       call_site site = call_site::current())
        : basic_communicator(detail::create<operation::comm_create, Instrumentation>(
              detail::identify<Instrumentation>(comm).id, site,
              [&] { return boost::mpi::communicator(comm, subgroup); })) {}

    /// Profiles a communicator of Boost's.
    basic_communicator(boost::mpi::communicator const& comm)
        : basic_communicator(detail::identify<Instrumentation>(comm)) {}

    /// Profiles a communicator of Boost's whose identity is known.
    template <class Plain>
    explicit basic_communicator(detail::identified<Plain> const& known) : base(known.comm, known.id) {}

    basic_communicator split(int color, call_site site = call_site::current()) const {
        return split_with(site, [&] { return this->plain().split(color); });
    }
    basic_communicator split(int color, int key, call_site site = call_site::current()) const {
        return split_with(site, [&] { return this->plain().split(color, key); });
    }

    /// This communicator as what it is, profiled, in Boost's optional; that is empty if it is no such thing.
    auto as_intercommunicator() const {
        return detail::profiled_value<basic_intercommunicator<Instrumentation>>(
            this->plain().as_intercommunicator());
    }
    auto as_graph_communicator() const {
        return detail::profiled_value<basic_graph_communicator<Instrumentation>>(
            this->plain().as_graph_communicator());
    }
    auto as_cartesian_communicator() const {
        return detail::profiled_value<basic_cartesian_communicator<Instrumentation>>(
            this->plain().as_cartesian_communicator());
    }

  private:
    template <class Real>
    basic_communicator split_with(call_site site, Real real) const {
        return basic_communicator(
            detail::create<operation::comm_split, Instrumentation>(this->identity(), site, real));
    }
};

}  // namespace mpiprof::inline v1::boost_mpi
