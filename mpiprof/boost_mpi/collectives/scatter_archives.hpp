// Scatters of values that Boost serialises.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/exchange.hpp>

#include <algorithm>
#include <boost/assert.hpp>

namespace mpiprof::inline v1::boost_mpi::detail {

/// How the root gets its own values.
enum class own_values { copied, loaded };

/// The root gives each rank `size_for(rank)` of the values from `in` on.
template <operation Operation, own_values Own, class Base, class I, class T, class Sizes>
void scatter_archives(operations<Base, I> const& comm, T const* in, Sizes size_for, array<T> out, int root,
                      call_site site) {
    auto const& plain = comm.plain();
    T const* own = nullptr;
    exchange<Operation>(
        comm, scatter_from_root{root}, site,
        [&](archives& all) {
            if (plain.rank() != root) return;
            for (int rank = 0; rank < plain.size(); ++rank) {
                int const n = size_for(rank);
                BOOST_ASSERT(in != nullptr || n == 0);
                if (rank == root && Own == own_values::copied) own = in;
                all.save(in, n);
                in += n;
            }
        },
        [&](archives& mine) {
            if (own != nullptr) std::copy(own, own + out.size(), out.data());
            else mine.load(0, out.data(), out.size());
        });
}

}  // namespace mpiprof::inline v1::boost_mpi::detail
