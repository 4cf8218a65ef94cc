// What all collectives share: how one is measured, and by what its bytes are.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/values.hpp>
#include <mpiprof/boost_mpi/communicator.hpp>
#include <mpiprof/raw/participation.hpp>
#include <mpiprof/run/measure.hpp>

#include <numeric>
#include <optional>

namespace mpiprof::inline v1::boost_mpi::detail {

using mpiprof::detail::measure;

/// Our own questions go past other tools.
inline int rank_in(boost::mpi::communicator const& comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}
inline int size_of(boost::mpi::communicator const& comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

/// The root, of a collective that has one.
using root_rank = std::optional<int>;

[[gnu::always_inline]] inline mpiprof::detail::envelope of_root(root_rank root) noexcept {
    if (!root) return {};
    return {.root = raw::detail::recorded_root(*root)};
}

/// What this rank does in a collective, also on an intercommunicator. It asks MPI.
using raw::detail::part_in;
using raw::detail::partners_in;

/// This rank's entry in the sizes of all ranks.
inline int own_size(boost::mpi::communicator const& comm, std::vector<int> const& sizes) {
    return sizes[static_cast<std::size_t>(rank_in(comm))];
}
inline std::int64_t sum_of(std::vector<int> const& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

/// Measures a collective whose call is `real()`. Where bytes are counted, `fill(record)` fills in what moved.
template <operation Operation, class Base, class I, class Real, class Fill, class Root = root_rank>
[[gnu::always_inline]] inline auto collective(operations<Base, I> const& comm, Root root, call_site site,
                                              Real real, Fill fill) {
    // Off, the root stays an int: g++ would inline otherwise for what was once a root_rank.
    if constexpr (!I::enabled) {
        return real();
    } else {
        return measure<Operation, I>(
            comm.identity(), site, real,
            [&](auto& measured, auto&...) {
                if (I::sizes) fill(measured.record());
            },
            of_root(root));
    }
}

}  // namespace mpiprof::inline v1::boost_mpi::detail
