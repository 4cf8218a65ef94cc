// The profiled view of any communicator.
#pragma once

#include <mpiprof/core/communicator.hpp>
#include <mpiprof/run/profiler.hpp>

#include <type_traits>

namespace mpiprof::inline v1 {

/// A profiled view of a communicator: it refers to the caller's object, which must outlive it, and never
/// copies, moves, duplicates or compares it. This one profiles what `communicator_traits` offers, for any
/// type that models `communicator`; the MPI libraries' own communicators have richer specialisations. With
/// `off` it is one pointer.
template <class Comm, class Instrumentation>
class profiled {
  public:
    using plain_type = Comm;
    using instrumentation_type = Instrumentation;
    /// It is not one of the richer specialisations.
    using known_by_traits_alone = void;

    explicit constexpr profiled(Comm const& comm) noexcept : comm_{&comm} {}

    constexpr Comm const& plain() const noexcept { return *comm_; }

  private:
    Comm const* comm_;
};

/// A profiled view of `comm`, which must be an object that outlives it. A profiled communicator is returned
/// as it is.
template <class Instrumentation = default_instrumentation, communicator Comm>
constexpr decltype(auto) profile(Comm& comm) {
    using plain = std::remove_const_t<Comm>;
    if constexpr (requires { typename plain::instrumentation_type; }) {
        return (comm);
    } else {
        return profiled<plain, Instrumentation>{comm};
    }
}

template <class Comm, class Instrumentation>
constexpr profiled<Comm, Instrumentation> profile(profiled<Comm, Instrumentation> const& comm) {
    return comm;
}

/// The same, recorded by `profiler`.
template <communicator Comm, class Instrumentation>
constexpr decltype(auto) profile(Comm& comm, profiler<Instrumentation> const&) {
    return profile<Instrumentation>(comm);
}

/// The plain communicator behind a profiled one; any other argument is returned as it is.
template <class Comm>
constexpr decltype(auto) unwrap(Comm const& comm) noexcept {
    if constexpr (requires { typename Comm::instrumentation_type; }) {
        return comm.plain();
    } else {
        return (comm);
    }
}

/// With profiling off the view's calls are the communicator's own.
template <communicator Comm, class Instrumentation>
    requires(!Instrumentation::enabled &&
             requires { typename profiled<Comm, Instrumentation>::known_by_traits_alone; })
struct communicator_traits<profiled<Comm, Instrumentation>> {
  private:
    using view = profiled<Comm, Instrumentation>;
    using plain = communicator_traits<Comm>;

  public:
    using request = typename plain::request;

    static int rank(view const& comm) { return plain::rank(comm.plain()); }
    static int size(view const& comm) { return plain::size(comm.plain()); }
    static communicator_id identity(view const& comm) { return plain::identity(comm.plain()); }

    static auto send(view const& comm, auto... arguments) { return plain::send(comm.plain(), arguments...); }
    static auto recv(view const& comm, auto... arguments) { return plain::recv(comm.plain(), arguments...); }
    static request isend(view const& comm, auto... arguments) {
        return plain::isend(comm.plain(), arguments...);
    }
    static request irecv(view const& comm, auto... arguments) {
        return plain::irecv(comm.plain(), arguments...);
    }
    static auto wait_all(view const& comm, auto... arguments) {
        return plain::wait_all(comm.plain(), arguments...);
    }
    static auto barrier(view const& comm, auto... arguments) {
        return plain::barrier(comm.plain(), arguments...);
    }
    static auto bcast(view const& comm, auto... arguments) {
        return plain::bcast(comm.plain(), arguments...);
    }
    static auto reduce(view const& comm, auto... arguments) {
        return plain::reduce(comm.plain(), arguments...);
    }
    static auto allreduce(view const& comm, auto... arguments) {
        return plain::allreduce(comm.plain(), arguments...);
    }
};

}  // namespace mpiprof::inline v1
