// Gathers of values that Boost serialises.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/exchange.hpp>

#include <algorithm>
#include <boost/assert.hpp>
#include <boost/mpi/detail/antiques.hpp>
#include <boost/mpi/detail/offsets.hpp>
#include <memory>

namespace mpiprof::inline v1::boost_mpi::detail {

/// How many values come from each rank, if not as many as from this one, and how many places are left out
/// before them. Boost counts those from the first rank's values on, whatever that rank's displacement.
class slots {
  public:
    slots() = default;
    slots(boost::mpi::communicator const& comm, std::vector<int> const& sizes, std::vector<int> const* displs)
        : sizes_{boost::mpi::detail::c_data(sizes)},
          skipped_{displs == nullptr ? nullptr
                                     : boost::mpi::detail::make_skipped_slots(
                                           comm, sizes_, boost::mpi::detail::c_data(*displs))} {}

    int size(int rank, int own) const { return sizes_ == nullptr ? own : sizes_[rank]; }
    int skipped(int rank) const { return skipped_ == nullptr ? 0 : skipped_[static_cast<std::size_t>(rank)]; }

  private:
    int const* sizes_ = nullptr;
    std::unique_ptr<int[]> skipped_;
};

/// Gives the values of each rank their place, on a rank that is given any. As Boost does, it copies its own.
template <class T>
void load_from_each(archives& all, int rank, array<T const> own, T* out, slots const& places) {
    for (int source = 0; source < static_cast<int>(all.sizes.size()); ++source) {
        int const n = places.size(source, own.size());
        out += places.skipped(source);
        BOOST_ASSERT(out != nullptr || n == 0);
        if (source == rank) {
            BOOST_ASSERT(n == own.size());
            std::copy(own.data(), own.data() + n, out);
        } else {
            all.load(source, out, n);
        }
        out += n;
    }
}

/// `room()` gives the place for the first value, on each rank.
template <operation Operation, class Base, class I, class Functions, class T, class Room>
void gather_archives(operations<Base, I> const& comm, Functions functions, array<T const> in, Room room,
                     slots const& places, call_site site) {
    T* out = nullptr;
    exchange<Operation>(
        comm, functions, site,
        [&](archives& own) {
            out = room();
            own.save(in.data(), in.size());
        },
        [&](archives& all) { load_from_each(all, comm.plain().rank(), in, out, places); });
}

}  // namespace mpiprof::inline v1::boost_mpi::detail
