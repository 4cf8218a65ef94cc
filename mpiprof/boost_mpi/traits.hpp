// Boost.MPI's communicators, profiled or not, as communicators of generic code.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives.hpp>
#include <mpiprof/boost_mpi/profiled.hpp>
#include <mpiprof/core/communicator.hpp>
#include <mpiprof/raw/constants.hpp>

#include <climits>
#include <functional>
#include <type_traits>

namespace mpiprof::inline v1 {

namespace boost_mpi::detail {

template <class T>
inline constexpr bool is_boost_view = false;

template <std::derived_from<boost::mpi::communicator> Comm, class Instrumentation>
inline constexpr bool is_boost_view<profiled<Comm, Instrumentation>> = true;

template <class Comm>
struct request_of {
    using type = boost::mpi::request;
};

template <class Comm>
    requires requires { typename Comm::instrumentation_type; }
struct request_of<Comm> {
    using type = typename Comm::request;
};

/// Boost's operators are templates of the value's type; the generic ones are not.
template <class Value, class Operator>
[[gnu::always_inline]] inline auto operator_for(Operator op) {
    if constexpr (std::is_same_v<Operator, mpiprof::maximum>) return boost::mpi::maximum<Value>{};
    else if constexpr (std::is_same_v<Operator, mpiprof::minimum>) return boost::mpi::minimum<Value>{};
    else if constexpr (std::is_same_v<Operator, std::plus<>>) return std::plus<Value>{};
    else if constexpr (std::is_same_v<Operator, std::multiplies<>>) return std::multiplies<Value>{};
    else return op;
}

/// A number that no int holds becomes a count that MPI rejects.
[[gnu::always_inline]] constexpr int int_count(std::size_t n) noexcept {
    return n > INT_MAX ? -1 : static_cast<int>(n);
}

}  // namespace boost_mpi::detail

/// Errors are thrown, as Boost does.
template <class Comm>
    requires(std::derived_from<Comm, boost::mpi::communicator> || boost_mpi::detail::is_boost_view<Comm>)
struct communicator_traits<Comm> {
  private:
    [[gnu::always_inline]] static int count(std::size_t n) { return boost_mpi::detail::int_count(n); }
    [[gnu::always_inline]] static int peer(int value) { return raw::detail::mpi_peer(value); }
    [[gnu::always_inline]] static int tagged(int value) { return raw::detail::mpi_tag(value); }

    /// Calls `function(site)` on profiled communicators, `function()` on plain ones.
    template <class Function>
    [[gnu::always_inline]] static auto at(call_site site, Function function) {
        if constexpr (requires { typename Comm::instrumentation_type; }) return function(site);
        else return function();
    }

  public:
    using request = typename boost_mpi::detail::request_of<Comm>::type;

    [[gnu::always_inline]] static int rank(Comm const& comm) { return comm.rank(); }
    [[gnu::always_inline]] static int size(Comm const& comm) { return comm.size(); }
    [[gnu::always_inline]] static communicator_id identity(Comm const& comm) {
        if constexpr (requires { comm.identity(); }) return comm.identity();
        else return unknown_communicator;
    }

    template <class Value>
    [[gnu::always_inline]] static void send(Comm const& comm, int to, int tag, Value const* first,
                                            std::size_t n, call_site site) {
        at(site, [&](auto... where)
                     MPIPROF_INTERNAL_INLINE { comm.send(peer(to), tag, first, count(n), where...); });
    }
    template <class Value>
    [[gnu::always_inline]] static boost::mpi::status recv(Comm const& comm, int from, int tag, Value* first,
                                                          std::size_t n, call_site site) {
        return at(site, [&](auto... where) MPIPROF_INTERNAL_INLINE {
            return comm.recv(peer(from), tagged(tag), first, count(n), where...);
        });
    }
    template <class Value>
    [[gnu::always_inline]] static request isend(Comm const& comm, int to, int tag, Value const* first,
                                                std::size_t n, call_site site) {
        return at(site, [&](auto... where) MPIPROF_INTERNAL_INLINE {
            return comm.isend(peer(to), tag, first, count(n), where...);
        });
    }
    template <class Value>
    [[gnu::always_inline]] static request irecv(Comm const& comm, int from, int tag, Value* first,
                                                std::size_t n, call_site site) {
        return at(site, [&](auto... where) MPIPROF_INTERNAL_INLINE {
            return comm.irecv(peer(from), tagged(tag), first, count(n), where...);
        });
    }
    [[gnu::always_inline]] static void wait_all(Comm const&, request* first, std::size_t n, call_site site) {
        if constexpr (std::is_same_v<request, boost::mpi::request>) boost::mpi::wait_all(first, first + n);
        else boost_mpi::wait_all(first, first + n, site);
    }
    [[gnu::always_inline]] static void barrier(Comm const& comm, call_site site) {
        at(site, [&](auto... where) MPIPROF_INTERNAL_INLINE { (comm.barrier)(where...); });
    }
    template <class Value>
    [[gnu::always_inline]] static void bcast(Comm const& comm, Value* first, std::size_t n, int root,
                                             call_site site) {
        at(site, [&](auto... where) MPIPROF_INTERNAL_INLINE {
            boost_mpi::broadcast(comm, first, count(n), root, where...);
        });
    }
    template <class Value, class Operator>
    [[gnu::always_inline]] static void reduce(Comm const& comm, Value const* in, Value* out, std::size_t n,
                                              Operator op, int root, call_site site) {
        at(site, [&](auto... where) MPIPROF_INTERNAL_INLINE {
            boost_mpi::reduce(comm, in, count(n), out, boost_mpi::detail::operator_for<Value>(op), root,
                              where...);
        });
    }
    template <class Value, class Operator>
    [[gnu::always_inline]] static void allreduce(Comm const& comm, Value const* in, Value* out, std::size_t n,
                                                 Operator op, call_site site) {
        at(site, [&](auto... where) MPIPROF_INTERNAL_INLINE {
            boost_mpi::all_reduce(comm, in, count(n), out, boost_mpi::detail::operator_for<Value>(op),
                                  where...);
        });
    }
};

}  // namespace mpiprof::inline v1
