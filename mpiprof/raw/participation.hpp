// A rank's place in a collective call, and whom it exchanges with.
#pragma once

#include <mpiprof/core/config.hpp>

#include <mpi.h>

namespace mpiprof::inline v1::raw::detail {

/// The calling rank's place in a collective.
struct participation {
    /// Ranks that it exchanges with: all of an intracommunicator, the remote group of an intercommunicator.
    int ranks = 0;
    /// The calling rank in its own group.
    int rank = 0;
    /// Does it give the root's data, or get the root's result?
    bool is_root = false;
    /// Does it take part as one of those who are not the root, or not only the root?
    bool is_member = true;
};

inline int size_of_group(MPI_Comm comm) noexcept {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

inline int rank_in_group(MPI_Comm comm) noexcept {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

inline bool is_intercommunicator(MPI_Comm comm) noexcept {
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    return between != 0;
}

inline int size_of_remote_group(MPI_Comm comm) noexcept {
    int size = 0;
    PMPI_Comm_remote_size(comm, &size);
    return size;
}

/// How many ranks a rank exchanges with in a collective: all of an intracommunicator, the remote group of an
/// intercommunicator.
inline int partners_in(MPI_Comm comm) noexcept {
    return is_intercommunicator(comm) ? size_of_remote_group(comm) : size_of_group(comm);
}

/// In a collective with a root. In the root's group of an intercommunicator only MPI_ROOT moves anything (MPI
/// 3.1, section 5.2.3).
inline participation part_in(MPI_Comm comm, int root) noexcept {
    int const rank = rank_in_group(comm);
    if (!is_intercommunicator(comm)) return {size_of_group(comm), rank, rank == root, true};
    bool const other_group = root != MPI_ROOT && root != MPI_PROC_NULL;
    return {size_of_remote_group(comm), rank, root == MPI_ROOT, other_group};
}

/// Which neighbours.
enum class neighbors { in, out };

inline int topology_of(MPI_Comm comm) noexcept {
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &topology);
    return topology;
}

/// How many the calling rank has, with those of a grid that do not exist: for each one there is a place in
/// the buffers (MPI 3.1, section 7.6). 0 where there is no topology.
inline int number_of_neighbors(MPI_Comm comm, [[maybe_unused]] neighbors which) noexcept {
    int count = 0;
    int const topology = topology_of(comm);
    if (topology == MPI_CART) {
        PMPI_Cartdim_get(comm, &count);
        return 2 * count;
    }
    if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, rank_in_group(comm), &count);
    } else if (topology == MPI_DIST_GRAPH) {
        int from = 0;
        int to = 0;
        int weighted = 0;
        PMPI_Dist_graph_neighbors_count(comm, &from, &to, &weighted);
        count = which == neighbors::in ? from : to;
    }
    return count;
}

/// Calls function(place) for each neighbour of the calling rank that exists, `place` being where it stands in
/// the order of MPI 3.1, section 7.6.
template <class Function>
void for_each_neighbor(MPI_Comm comm, neighbors which, Function function) noexcept {
    int const count = number_of_neighbors(comm, which);
    if (topology_of(comm) != MPI_CART) {
        for (int place = 0; place < count; ++place) function(place);
        return;
    }
    for (int dimension = 0; dimension < count / 2; ++dimension) {
        int before = MPI_PROC_NULL;
        int after = MPI_PROC_NULL;
        PMPI_Cart_shift(comm, dimension, 1, &before, &after);
        if (before != MPI_PROC_NULL) function(2 * dimension);
        if (after != MPI_PROC_NULL) function(2 * dimension + 1);
    }
}

}  // namespace mpiprof::inline v1::raw::detail
