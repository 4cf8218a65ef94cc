// A plate in thermal equilibrium, in blocks on a grid of ranks: Boost.MPI's cartesian communicator.
#pragma once

#include "block.hpp"

#include <mpiprof/boost_mpi.hpp>

#include <ostream>
#include <vector>

// The one-line switch. Without mpiprof it reads:  namespace mpi = boost::mpi;
namespace mpi = mpiprof::boost_mpi;

namespace halo {

/// All ranks in a grid that is as square as can be.
inline mpi::cartesian_communicator grid_of(mpi::communicator const& world) {
    std::vector<int> sizes(2);
    mpi::cartesian_dimensions(world.size(), sizes);
    return {world, mpi::cartesian_topology(sizes, std::vector<bool>(2))};
}

/// This rank's block of a plate of `cells` times `cells` cells.
inline block block_of(mpi::cartesian_communicator const& grid, int cells) {
    auto const dimensions = grid.topology();
    auto const mine = grid.coordinates(grid.rank());
    return {share(cells, mine[vertical], dimensions[vertical].size),
            share(cells, mine[horizontal], dimensions[horizontal].size)};
}

/// Sends this way the cells on that side, and fills the halo on the other with what comes from there. Beyond
/// the plate's edge is the null process: nothing comes, and the edge stays as it is.
inline void shift(mpi::cartesian_communicator const& grid, block& mine, int direction, int way) {
    constexpr int tag = 1;
    auto const [from, to] = grid.shifted_ranks(direction, way);
    auto const sent = mine.nearest(direction, way);
    auto arrived = sent;
    int const cells = static_cast<int>(sent.size());
    mpi::request requests[] = {grid.irecv(from, tag, arrived.data(), cells),
                               grid.isend(to, tag, sent.data(), cells)};
    mpi::wait_all(requests, requests + 2);
    if (from != MPI_PROC_NULL) mine.fill_halo(direction, -way, arrived);
}

/// Relaxes until nothing changes much any more, at most `sweeps` times. Rank 0 tells on `out` how it goes; no
/// number depends on how many ranks there are.
inline void relax(mpi::cartesian_communicator const& grid, int cells, int sweeps, std::ostream& out) {
    constexpr int between_checks = 100;
    constexpr double small = 1e-5;
    bool const is_root = grid.rank() == 0;
    auto mine = block_of(grid, cells);
    for (int sweep = 1; sweep <= sweeps; ++sweep) {
        for (int const direction : {vertical, horizontal}) {
            for (int const way : {backward, forward}) shift(grid, mine, direction, way);
        }
        double const change = mine.relax();
        if (sweep % between_checks != 0 && sweep != sweeps) continue;
        double const residual = mpi::all_reduce(grid, change, mpi::maximum<double>());
        if (is_root) out << "sweep " << sweep << ": residual " << residual << '\n';
        if (residual < small) break;
    }
    long const warm = mpi::all_reduce(grid, mine.warmer_than(0.5), std::plus<long>());
    if (is_root) out << warm << " of " << cells << " x " << cells << " cells are warm\n";
}

}  // namespace halo
