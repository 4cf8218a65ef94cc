// What is left of the C API's adapter with profiling off.
#pragma once

#include <mpiprof/core/call.hpp>

#include <mpi.h>

namespace mpiprof::inline v1::raw {

struct pending;

namespace detail {

/// Where the requests of a call's request objects are kept, one beside each handle; nullptr for MPI's own
/// form, whose requests are found by handle.
using kept_requests = pending* const*;

/// The row's function, and nothing else. Always inlined, as what leads here is, since g++ -O1 would otherwise
/// not make the plain call's code of it.
template <class Row, class I, class... Arguments>
    requires(!I::enabled)
[[gnu::always_inline]] inline int invoke(communicator_id, kept_requests, call_site, Arguments... values) {
    return Row::function(values...);
}

/// The same for a call that names no communicator of ours.
template <class Row, class I, class... Arguments>
    requires(!I::enabled)
[[gnu::always_inline]] inline int invoke_function(call_site, Arguments... values) {
    return Row::function(values...);
}

template <class I>
    requires(!I::enabled)
constexpr void use_hook() noexcept {}

// No communicator is looked for.
template <class I>
    requires(!I::enabled)
constexpr communicator_id identify(MPI_Comm) noexcept {
    return unknown_communicator;
}
template <class I>
    requires(!I::enabled)
constexpr communicator_id identity_of(MPI_Comm) noexcept {
    return unknown_communicator;
}
template <class I>
    requires(!I::enabled)
constexpr communicator_id identify_created(communicator_id, MPI_Comm) noexcept {
    return unknown_communicator;
}
template <class I>
    requires(!I::enabled)
constexpr communicator_id identify_connected(communicator_id, int, MPI_Comm) noexcept {
    return unknown_communicator;
}

}  // namespace detail

}  // namespace mpiprof::inline v1::raw
