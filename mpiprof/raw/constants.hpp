// The MPI libraries' special numbers, which differ from library to library, as mpiprof's own, and back.
#pragma once

#include <mpiprof/core/call.hpp>

#include <mpi.h>

namespace mpiprof::inline v1::raw::detail {

/// A destination or source as records have it.
constexpr int recorded_peer(int peer) noexcept {
    if (peer == MPI_PROC_NULL) return null_process;
    if (peer == MPI_ANY_SOURCE) return any_source;
    return peer;
}

/// A tag as records have it.
constexpr int recorded_tag(int tag) noexcept { return tag == MPI_ANY_TAG ? any_tag : tag; }

/// A root as records have it.
constexpr int recorded_root(int root) noexcept {
    if (root == MPI_ROOT) return intercommunicator_root;
    if (root == MPI_PROC_NULL) return null_process;
    return root;
}

/// A peer of generic code as MPI wants it.
[[gnu::always_inline]] constexpr int mpi_peer(int peer) noexcept {
    if (peer == null_process) return MPI_PROC_NULL;
    if (peer == any_source) return MPI_ANY_SOURCE;
    return peer;
}

/// A tag of generic code as MPI wants it.
[[gnu::always_inline]] constexpr int mpi_tag(int tag) noexcept { return tag == any_tag ? MPI_ANY_TAG : tag; }

}  // namespace mpiprof::inline v1::raw::detail
