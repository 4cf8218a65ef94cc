// What the MPI library has beyond MPI 3.1: 1 or 0 each.
#pragma once

#include <mpi.h>

// Large counts: the functions that end in _c (MPI 4.0, section 2.5.8). Open MPI 5 says that it is MPI 3.1,
// and has of MPI 4.0 the others.
#define MPIPROF_INTERNAL_LARGE_COUNTS (MPI_VERSION >= 4)

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define MPIPROF_INTERNAL_OF_MPI_4 1
#else
#define MPIPROF_INTERNAL_OF_MPI_4 0
#endif

/// MPI_Bcast_init and its like (MPI 4.0, section 6.13).
#define MPIPROF_INTERNAL_PERSISTENT_COLLECTIVES MPIPROF_INTERNAL_OF_MPI_4
/// MPI_Psend_init, MPI_Pready and their like (MPI 4.0, chapter 4).
#define MPIPROF_INTERNAL_PARTITIONED MPIPROF_INTERNAL_OF_MPI_4
/// MPI_Session_init and what makes communicators of its groups (MPI 4.0, section 11.3).
#define MPIPROF_INTERNAL_SESSIONS MPIPROF_INTERNAL_OF_MPI_4
/// MPI_Isendrecv and MPI_Isendrecv_replace (MPI 4.0, section 3.10).
#define MPIPROF_INTERNAL_ISENDRECV MPIPROF_INTERNAL_OF_MPI_4
/// Does the status of their requests tell what arrived? MPICH leaves it as the request's last owner had it.
#ifdef MPICH_NUMVERSION
#define MPIPROF_INTERNAL_ISENDRECV_STATUS 0
#else
#define MPIPROF_INTERNAL_ISENDRECV_STATUS 1
#endif
/// MPI_Comm_idup_with_info (MPI 4.0, section 7.4.2).
#define MPIPROF_INTERNAL_IDUP_WITH_INFO MPIPROF_INTERNAL_OF_MPI_4
