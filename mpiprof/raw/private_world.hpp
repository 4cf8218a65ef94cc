// What all ranks ask each other, and over which communicator.
#pragma once

#include <mpiprof/raw/sessions.hpp>

#include <mpi.h>

namespace mpiprof::inline v1::raw::detail {

/// Do all ranks of `comm` want this?
[[gnu::cold]] inline bool all_want(bool wanted, MPI_Comm comm) noexcept {
    int const mine = wanted ? 1 : 0;
    int all = 0;
    return PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && all != 0;
}

/// A private communicator of all ranks: messages of the program's own that nobody received are on its
/// communicators. A duplicate would call the program's attribute callbacks. MPI_COMM_NULL where it cannot be
/// made, as in a program of sessions alone.
[[gnu::cold]] inline MPI_Comm private_world() noexcept {
    if (!world_runs()) return MPI_COMM_NULL;
    MPI_Group everybody = MPI_GROUP_NULL;
    MPI_Comm own = MPI_COMM_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &everybody);
    bool const made = PMPI_Comm_create(MPI_COMM_WORLD, everybody, &own) == MPI_SUCCESS;
    PMPI_Group_free(&everybody);
    if (!made) return MPI_COMM_NULL;
    PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    return own;
}

}  // namespace mpiprof::inline v1::raw::detail
