// The profiled view of an MPI_Comm.
#pragma once

#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/raw/raw_communicator.hpp>
#include <mpiprof/run/profiled.hpp>

namespace mpiprof::inline v1 {

/// A view of an MPI_Comm whose calls are recorded; it holds the communicator's identity. With `off` it is the
/// handle and nothing else, and its calls compile to MPI's. Communicators made from it are profiled too.
template <class Instrumentation>
class profiled<raw_communicator, Instrumentation>
    : public raw::detail::communicator_interface<profiled<raw_communicator, Instrumentation>,
                                                 Instrumentation> {
    static constexpr bool tracked = Instrumentation::enabled;

  public:
    using plain_type = raw_communicator;
    using instrumentation_type = Instrumentation;

    /// Makes no MPI call for MPI_COMM_WORLD and MPI_COMM_SELF, so these may be wrapped before MPI_Init.
    explicit profiled(MPI_Comm comm) noexcept : comm_{comm} {
        raw::detail::use_hook<Instrumentation>();
        if constexpr (tracked) id_ = raw::detail::identify<Instrumentation>(comm);
    }

    [[gnu::always_inline]] MPI_Comm native() const noexcept { return comm_; }
    raw_communicator plain() const noexcept { return raw_communicator{comm_}; }

    /// The communicator's identity; unknown with profiling off.
    communicator_id identity() const noexcept {
        if constexpr (tracked) return id_;
        else return unknown_communicator;
    }

    /// MPI_Comm_free, recorded; the view is empty then. Returns MPI's code.
    int free(call_site site = call_site::current()) {
        return raw::detail::invoke<raw::rows::Comm_free, Instrumentation>(identity(), {}, site, &comm_);
    }

    /// Calls a row's function, recorded on this communicator.
    template <class Row, class... Arguments>
    [[gnu::always_inline]] int invoke(call_site site, Arguments... values) const {
        return raw::detail::invoke<Row, Instrumentation>(identity(), {}, site, values...);
    }

    /// The same, with the request that it posts kept at `*details`.
    template <class Row, class... Arguments>
    [[gnu::always_inline]] int invoke_posting(raw::pending* const* details, call_site site,
                                              Arguments... values) const {
        return raw::detail::invoke<Row, Instrumentation>(identity(), details, site, values...);
    }

  private:
    struct unidentified {};

    MPI_Comm comm_;
    [[no_unique_address]] std::conditional_t<tracked, communicator_id, unidentified> id_{};
};

/// Profiles an MPI communicator.
template <class Instrumentation = default_instrumentation>
profiled<raw_communicator, Instrumentation> profile(raw_communicator comm) {
    return profiled<raw_communicator, Instrumentation>{comm.native()};
}

/// Profiles an MPI communicator, recorded by `profiler`.
template <class Instrumentation>
profiled<raw_communicator, Instrumentation> profile(raw_communicator comm, profiler<Instrumentation> const&) {
    return profiled<raw_communicator, Instrumentation>{comm.native()};
}

/// Profiles an MPI communicator.
template <class Instrumentation = default_instrumentation, std::same_as<MPI_Comm> Comm>
profiled<raw_communicator, Instrumentation> profile(Comm comm) {
    return profiled<raw_communicator, Instrumentation>{comm};
}

/// Profiles an MPI communicator, recorded by `profiler`.
template <std::same_as<MPI_Comm> Comm, class Instrumentation>
profiled<raw_communicator, Instrumentation> profile(Comm comm, profiler<Instrumentation> const&) {
    return profiled<raw_communicator, Instrumentation>{comm};
}

namespace raw::detail {

template <class T>
inline constexpr bool is_c_communicator = std::is_same_v<T, raw_communicator>;

template <class Instrumentation>
inline constexpr bool is_c_communicator<profiled<raw_communicator, Instrumentation>> = true;

}  // namespace raw::detail

/// Views of an MPI_Comm, profiled or not, are communicators. All that communicate return MPI's code.
template <class Comm>
    requires raw::detail::is_c_communicator<Comm>
struct communicator_traits<Comm> {
    using request = typename Comm::request;

    [[gnu::always_inline]] static int rank(Comm const& comm) { return comm.rank(); }
    [[gnu::always_inline]] static int size(Comm const& comm) { return comm.size(); }
    [[gnu::always_inline]] static communicator_id identity(Comm const& comm) {
        if constexpr (requires { comm.identity(); }) return comm.identity();
        else return unknown_communicator;
    }

    template <class Value>
    [[gnu::always_inline]] static int send(Comm const& comm, int peer, int tag, Value const* first,
                                           std::size_t n, call_site site) {
        return comm.send(raw::detail::mpi_peer(peer), tag, first, n, site);
    }
    template <class Value>
    [[gnu::always_inline]] static int recv(Comm const& comm, int peer, int tag, Value* first, std::size_t n,
                                           call_site site) {
        return comm.recv(raw::detail::mpi_peer(peer), raw::detail::mpi_tag(tag), first, n, MPI_STATUS_IGNORE,
                         site);
    }
    template <class Value>
    [[gnu::always_inline]] static request isend(Comm const& comm, int peer, int tag, Value const* first,
                                                std::size_t n, call_site site) {
        return comm.isend(raw::detail::mpi_peer(peer), tag, first, n, site);
    }
    template <class Value>
    [[gnu::always_inline]] static request irecv(Comm const& comm, int peer, int tag, Value* first,
                                                std::size_t n, call_site site) {
        return comm.irecv(raw::detail::mpi_peer(peer), raw::detail::mpi_tag(tag), first, n, site);
    }
    [[gnu::always_inline]] static int wait_all(Comm const&, request* first, std::size_t n, call_site site) {
        return mpiprof::wait_all(first, n, MPI_STATUSES_IGNORE, site);
    }
    [[gnu::always_inline]] static int barrier(Comm const& comm, call_site site) { return comm.barrier(site); }
    template <class Value>
    [[gnu::always_inline]] static int bcast(Comm const& comm, Value* first, std::size_t n, int root,
                                            call_site site) {
        return comm.bcast(first, n, root, site);
    }
    template <class Value, class Operator>
    [[gnu::always_inline]] static int reduce(Comm const& comm, Value const* in, Value* out, std::size_t n,
                                             Operator op, int root, call_site site) {
        return comm.reduce(in, out, n, op, root, site);
    }
    template <class Value, class Operator>
    [[gnu::always_inline]] static int allreduce(Comm const& comm, Value const* in, Value* out, std::size_t n,
                                                Operator op, call_site site) {
        return comm.allreduce(in, out, n, op, site);
    }
};

}  // namespace mpiprof::inline v1
