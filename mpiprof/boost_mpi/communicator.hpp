// Boost.MPI's communicator, profiled: as an object of its own, and as a view of the user's.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/operations.hpp>
#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/run/profiled.hpp>

#include <utility>

namespace mpiprof::inline v1 {

namespace boost_mpi {

namespace detail {

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

/// The communicator is an object of the caller's, which must outlive this one.
class referred_communicator {
  public:
    referred_communicator(boost::mpi::communicator const& comm, communicator_id id) noexcept
        : plain_{&comm},
          id_{id} {}

    boost::mpi::communicator const& plain() const noexcept { return *plain_; }
    communicator_id id() const noexcept { return id_; }
    int rank() const { return plain_->rank(); }
    int size() const { return plain_->size(); }
    explicit operator bool() const { return static_cast<bool>(*plain_); }

  private:
    boost::mpi::communicator const* plain_;
    communicator_id id_;
};

/// With profiling off, the view is one pointer.
class plain_reference {
  public:
    [[gnu::always_inline]] explicit plain_reference(boost::mpi::communicator const& comm) noexcept
        : plain_{&comm} {}

    [[gnu::always_inline]] boost::mpi::communicator const& plain() const noexcept { return *plain_; }
    [[gnu::always_inline]] static constexpr communicator_id id() noexcept { return unknown_communicator; }
    [[gnu::always_inline]] int rank() const { return plain_->rank(); }
    [[gnu::always_inline]] int size() const { return plain_->size(); }
    explicit operator bool() const { return static_cast<bool>(*plain_); }

  private:
    boost::mpi::communicator const* plain_;
};

}  // namespace detail

/// Boost.MPI's communicator with its calls recorded: it derives from Boost's, converts from it, and goes
/// wherever a boost::mpi::communicator goes; calls made there, through Boost's own type, are not seen.
/// Communicators made from it are profiled too.
template <class Instrumentation>
class basic_communicator : public operations<detail::owned_communicator, Instrumentation> {
    using base = operations<detail::owned_communicator, Instrumentation>;

  public:
    /// MPI_COMM_WORLD.
    basic_communicator() = default;

    basic_communicator(MPI_Comm const& comm, boost::mpi::comm_create_kind kind)
        : basic_communicator(boost::mpi::communicator(comm, kind), comm, kind) {}

    basic_communicator(boost::mpi::communicator const& comm, boost::mpi::group const& subgroup)
        : basic_communicator(raw::detail::identity_of<Instrumentation>(comm),
                             boost::mpi::communicator(comm, subgroup)) {}

    /// Profiles a communicator of Boost's.
    basic_communicator(boost::mpi::communicator const& comm)
        : base(comm, raw::detail::identity_of<Instrumentation>(comm)) {}

    basic_communicator split(int color, call_site site = call_site::current()) const {
        return split_with(site, [&] { return this->plain().split(color); });
    }
    basic_communicator split(int color, int key, call_site site = call_site::current()) const {
        return split_with(site, [&] { return this->plain().split(color, key); });
    }

  private:
    /// A communicator just made from the parent of this identity.
    basic_communicator(communicator_id parent, boost::mpi::communicator const& made)
        : base(made, raw::detail::identify_created<Instrumentation>(parent, made)) {}

    basic_communicator(boost::mpi::communicator const& comm, MPI_Comm const& parent,
                       boost::mpi::comm_create_kind kind)
        : base(comm, kind == boost::mpi::comm_duplicate
                         ? raw::detail::identify_created<Instrumentation>(
                               raw::detail::identity_of<Instrumentation>(parent), comm)
                         : raw::detail::identity_of<Instrumentation>(comm)) {}

    template <class Real>
    basic_communicator split_with(call_site site, Real real) const {
        auto const made = detail::measure<operation::comm_split, Instrumentation>(this->identity(), site,
                                                                                  real, [](auto&, auto&) {});
        return basic_communicator(this->identity(), made);
    }
};

}  // namespace boost_mpi

/// A profiled view of the caller's Boost.MPI communicator.
template <class Instrumentation>
    requires(Instrumentation::enabled)
class profiled<boost::mpi::communicator, Instrumentation>
    : public boost_mpi::operations<boost_mpi::detail::referred_communicator, Instrumentation> {
  public:
    explicit profiled(boost::mpi::communicator const& comm)
        : boost_mpi::operations<boost_mpi::detail::referred_communicator, Instrumentation>(
              comm, raw::detail::identity_of<Instrumentation>(comm)) {}
};

template <class Instrumentation>
    requires(!Instrumentation::enabled)
class profiled<boost::mpi::communicator, Instrumentation>
    : public boost_mpi::operations<boost_mpi::detail::plain_reference, Instrumentation> {
  public:
    explicit profiled(boost::mpi::communicator const& comm) noexcept
        : boost_mpi::operations<boost_mpi::detail::plain_reference, Instrumentation>(comm) {}
};

}  // namespace mpiprof::inline v1
