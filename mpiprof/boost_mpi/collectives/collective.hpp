// What all collectives share: how one is measured, and by what its bytes are.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/values.hpp>
#include <mpiprof/boost_mpi/communicator.hpp>
#include <mpiprof/raw/constants.hpp>
#include <mpiprof/raw/payload.hpp>
#include <mpiprof/run/measure.hpp>

#include <numeric>

namespace mpiprof::inline v1::boost_mpi::detail {

using mpiprof::detail::measure;

using raw::detail::part_in;
using raw::detail::recorded_root;

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

/// This rank's entry in the sizes of all ranks.
inline int own_size(boost::mpi::communicator const& comm, std::vector<int> const& sizes) {
    return sizes[static_cast<std::size_t>(rank_in(comm))];
}
inline std::int64_t sum_of(std::vector<int> const& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

/// Measures a collective with this root as records have it, if it has one, whose call is `real()`.
/// `fill(record, bytes)` fills in what moved by the bytes of this rank's values, an array or a vector; it
/// gets 0 where bytes are not counted.
template <operation Operation, class Base, class I, class Values, class Real, class Fill>
[[gnu::always_inline]] inline auto collective(operations<Base, I> const& comm, int root, Values const& values,
                                              call_site site, Real real, Fill fill) {
    return measure<Operation, I>(
        comm.identity(), site, real,
        [&](auto& measured, auto&...) {
            fill(measured.record(),
                 I::sizes ? known_nbytes(values.data(), static_cast<std::int64_t>(values.size())) : 0);
        },
        {.root = root});
}

}  // namespace mpiprof::inline v1::boost_mpi::detail
