// The profiled view of a communicator of Boost.MPI's.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/operations.hpp>
#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/run/profiled.hpp>

#include <concepts>

namespace mpiprof::inline v1 {

namespace boost_mpi::holders {

/// The communicator is an object of the caller's, which must outlive this one.
template <class Comm>
class referred_communicator {
  public:
    referred_communicator(Comm const& comm, communicator_id id) noexcept : plain_{&comm}, id_{id} {}

    Comm const& plain() const noexcept { return *plain_; }
    communicator_id id() const noexcept { return id_; }
    int rank() const { return plain_->rank(); }
    int size() const { return plain_->size(); }
    explicit operator bool() const { return static_cast<bool>(*plain_); }

  private:
    Comm const* plain_;
    communicator_id id_;
};

/// With profiling off, the view is one pointer.
template <class Comm>
class plain_reference {
  public:
    [[gnu::always_inline]] explicit plain_reference(Comm const& comm) noexcept : plain_{&comm} {}

    [[gnu::always_inline]] Comm const& plain() const noexcept { return *plain_; }
    [[gnu::always_inline]] static constexpr communicator_id id() noexcept { return unknown_communicator; }
    [[gnu::always_inline]] int rank() const { return plain_->rank(); }
    [[gnu::always_inline]] int size() const { return plain_->size(); }
    explicit operator bool() const { return static_cast<bool>(*plain_); }

  private:
    Comm const* plain_;
};

}  // namespace boost_mpi::holders

/// A profiled view of the caller's communicator of Boost.MPI's, of whatever class derived from that. What the
/// class has beside a communicator's calls is reached by `plain()`.
template <std::derived_from<boost::mpi::communicator> Comm, class Instrumentation>
    requires(Instrumentation::enabled)
class profiled<Comm, Instrumentation>
    : public boost_mpi::operations<boost_mpi::holders::referred_communicator<Comm>, Instrumentation> {
  public:
    using plain_type = Comm;

    explicit profiled(Comm const& comm)
        : boost_mpi::operations<boost_mpi::holders::referred_communicator<Comm>, Instrumentation>(
              comm, raw::detail::identify<Instrumentation>(comm)) {}
};

template <std::derived_from<boost::mpi::communicator> Comm, class Instrumentation>
    requires(!Instrumentation::enabled)
class profiled<Comm, Instrumentation>
    : public boost_mpi::operations<boost_mpi::holders::plain_reference<Comm>, Instrumentation> {
  public:
    using plain_type = Comm;

    explicit profiled(Comm const& comm) noexcept
        : boost_mpi::operations<boost_mpi::holders::plain_reference<Comm>, Instrumentation>(comm) {}
};

}  // namespace mpiprof::inline v1
