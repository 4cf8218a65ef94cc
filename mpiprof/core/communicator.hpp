// What a communicator must be, and the functions that generic code reaches it by.
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/core/operators.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace mpiprof::inline v1 {

/// Opt-in of a communicator type: specialise it for yours. See `communicator` for what it must hold.
template <class T>
struct communicator_traits;

namespace detail {

/// A const communicator has the traits of a plain one.
template <class T>
using traits_of = communicator_traits<std::remove_cv_t<T>>;

// The concept in parts, so that a compiler's message names the part that is missing.

template <class T>
concept has_communicator_traits = requires { sizeof(traits_of<T>); };

template <class T>
concept has_request_type = std::movable<typename traits_of<T>::request>;

template <class T>
concept has_ranks = requires(T const& comm) {
    { traits_of<T>::rank(comm) } -> std::same_as<int>;
    { traits_of<T>::size(comm) } -> std::same_as<int>;
};

template <class T>
concept has_identity = requires(T const& comm) {
    { traits_of<T>::identity(comm) } -> std::same_as<communicator_id>;
};

template <class T, class Value>
concept sends_and_receives = requires(T const& comm, Value const* in, Value* out, call_site site) {
    traits_of<T>::send(comm, 0, 0, in, std::size_t{1}, site);
    traits_of<T>::recv(comm, 0, 0, out, std::size_t{1}, site);
};

template <class T, class Value, class Request = typename traits_of<T>::request>
concept starts_requests = requires(T const& comm, Value const* in, Value* out, call_site site) {
    { traits_of<T>::isend(comm, 0, 0, in, std::size_t{1}, site) } -> std::same_as<Request>;
    { traits_of<T>::irecv(comm, 0, 0, out, std::size_t{1}, site) } -> std::same_as<Request>;
};

template <class T>
concept completes_requests =
    requires(T const& comm, typename traits_of<T>::request* requests, call_site site) {
        traits_of<T>::wait_all(comm, requests, std::size_t{1}, site);
    };

template <class T, class Value>
concept has_collectives = requires(T const& comm, Value const* in, Value* out, call_site site) {
    traits_of<T>::barrier(comm, site);
    traits_of<T>::bcast(comm, out, std::size_t{1}, 0, site);
    traits_of<T>::reduce(comm, in, out, std::size_t{1}, maximum{}, 0, site);
    traits_of<T>::allreduce(comm, in, out, std::size_t{1}, minimum{}, site);
};

}  // namespace detail

/// A communicator: ranks that exchange typed values. Matches a type T for which `communicator_traits<T>` is
/// specialised with a `request` type and static functions
///
///     int rank(T const&);  int size(T const&);  communicator_id identity(T const&);
///     send(T const&, int peer, int tag, V const* first, std::size_t n, call_site);
///     recv(T const&, int peer, int tag, V* first, std::size_t n, call_site);
///     request isend(…as send…);  request irecv(…as recv…);
///     wait_all(T const&, request* first, std::size_t n, call_site);
///     barrier(T const&, call_site);  bcast(T const&, V* first, std::size_t n, int root, call_site);
///     reduce(T const&, V const* in, V* out, std::size_t n, Operator, int root, call_site);
///     allreduce(T const&, V const* in, V* out, std::size_t n, Operator, call_site);
///
/// for V at least int and double, and Operator at least std::plus<>, mpiprof::minimum and mpiprof::maximum.
/// What they return, and how errors are told, is the library's own; generic code does not use it. Peers and
/// tags may be any_source, any_tag and null_process.
///
/// Laws: 0 <= rank < size; what is sent to (peer, tag) is received there, messages of one (source, tag) in
/// order; a transfer with null_process does nothing; after wait_all a receive's values are there; bcast gives
/// all ranks the root's values; reduce on the root, and allreduce on all, give the operator's fold over the
/// ranks. Satisfied by raw_communicator, boost::mpi::communicator, profiled<C, I> of both.
template <class T>
concept communicator =
    detail::has_communicator_traits<T> && detail::has_request_type<T> && detail::has_ranks<T> &&
    detail::has_identity<T> && detail::sends_and_receives<T, int> && detail::sends_and_receives<T, double> &&
    detail::starts_requests<T, int> && detail::completes_requests<T> && detail::has_collectives<T, double>;

/// The type of a request of `Comm`.
template <communicator Comm>
using request_of = typename detail::traits_of<Comm>::request;

/// The functions of generic code, called as `mpiprof::send(comm, …)`. They stand apart so that a user's own
/// `size(world)` stays the user's: argument-dependent look-up does not go by a using-directive.
namespace generic {

/// Rank of the calling process in `comm`.
template <communicator Comm>
[[gnu::always_inline]] inline int rank(Comm const& comm) {
    return communicator_traits<Comm>::rank(comm);
}

/// Number of ranks of `comm`.
template <communicator Comm>
[[gnu::always_inline]] inline int size(Comm const& comm) {
    return communicator_traits<Comm>::size(comm);
}

/// The communicator's identity, the same on every member; unknown_communicator where nobody kept it.
template <communicator Comm>
[[gnu::always_inline]] inline communicator_id identity(Comm const& comm) {
    return communicator_traits<Comm>::identity(comm);
}

/// Sends `n` values from `first` to `peer`; returns what the library returns.
template <communicator Comm, class Value>
[[gnu::always_inline]] inline auto send(Comm const& comm, int peer, int tag, Value const* first,
                                        std::size_t n, call_site site = call_site::current()) {
    return communicator_traits<Comm>::send(comm, peer, tag, first, n, site);
}

/// Receives at most `n` values from `peer` to `first`.
template <communicator Comm, class Value>
[[gnu::always_inline]] inline auto recv(Comm const& comm, int peer, int tag, Value* first, std::size_t n,
                                        call_site site = call_site::current()) {
    return communicator_traits<Comm>::recv(comm, peer, tag, first, n, site);
}

/// Starts a send; the values must stay until it completed.
template <communicator Comm, class Value>
[[gnu::always_inline]] inline request_of<Comm> isend(Comm const& comm, int peer, int tag, Value const* first,
                                                     std::size_t n, call_site site = call_site::current()) {
    return communicator_traits<Comm>::isend(comm, peer, tag, first, n, site);
}

/// Starts a receive of at most `n` values.
template <communicator Comm, class Value>
[[gnu::always_inline]] inline request_of<Comm> irecv(Comm const& comm, int peer, int tag, Value* first,
                                                     std::size_t n, call_site site = call_site::current()) {
    return communicator_traits<Comm>::irecv(comm, peer, tag, first, n, site);
}

/// Returns when all ranks have called it.
template <communicator Comm>
[[gnu::always_inline]] inline auto barrier(Comm const& comm, call_site site = call_site::current()) {
    return communicator_traits<Comm>::barrier(comm, site);
}

/// Gives all ranks the root's `n` values.
template <communicator Comm, class Value>
[[gnu::always_inline]] inline auto bcast(Comm const& comm, Value* first, std::size_t n, int root,
                                         call_site site = call_site::current()) {
    return communicator_traits<Comm>::bcast(comm, first, n, root, site);
}

/// Folds `n` values element by element over the ranks with `op`; the result is the root's.
template <communicator Comm, class Value, class Operator>
[[gnu::always_inline]] inline auto reduce(Comm const& comm, Value const* in, Value* out, std::size_t n,
                                          Operator op, int root, call_site site = call_site::current()) {
    return communicator_traits<Comm>::reduce(comm, in, out, n, op, root, site);
}

/// Folds `n` values element by element over the ranks with `op`; all ranks get the result.
template <communicator Comm, class Value, class Operator>
[[gnu::always_inline]] inline auto allreduce(Comm const& comm, Value const* in, Value* out, std::size_t n,
                                             Operator op, call_site site = call_site::current()) {
    return communicator_traits<Comm>::allreduce(comm, in, out, n, op, site);
}

}  // namespace generic

using namespace generic;

// Not among them, since it has overloads that are found by their requests.

/// Completes `n` requests.
template <communicator Comm>
[[gnu::always_inline]] inline auto wait_all(Comm const& comm, request_of<Comm>* first, std::size_t n,
                                            call_site site = call_site::current()) {
    return communicator_traits<Comm>::wait_all(comm, first, n, site);
}

}  // namespace mpiprof::inline v1
