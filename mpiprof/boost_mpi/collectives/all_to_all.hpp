// all_to_all on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/exchange.hpp>

#include <algorithm>
#include <boost/assert.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// Of values that Boost serialises a rank keeps its own: it hands MPI no archive of them.
template <class Base, class I, class T, class Room>
void all_to_all_archives(operations<Base, I> const& comm, T const* in, int n, Room room, call_site site) {
    auto const& plain = comm.plain();
    int const self = plain.rank();
    T* out = nullptr;
    exchange<operation::alltoall>(
        comm, exchange_between_all{}, site,
        [&](archives& mine) {
            out = room();
            for (int rank = 0; rank < plain.size(); ++rank) mine.save(in + rank * n, rank == self ? 0 : n);
        },
        [&](archives& given) {
            for (int rank = 0; rank < plain.size(); ++rank) {
                if (rank == self) std::copy(in + rank * n, in + (rank + 1) * n, out + rank * n);
                else given.load(rank, out + rank * n, n);
            }
        });
}

/// `n` values for each rank. `in` and `out`: vectors or pointers.
template <class T, class Base, class I, class In, class Out, class Real>
[[gnu::always_inline]] inline void all_to_all(operations<Base, I> const& comm, In const& in, int n, Out& out,
                                              call_site site, Real real) {
    if constexpr (exchanged_here<T, I>) {
        auto const all = std::int64_t{size_of(comm.plain())} * n;
        BOOST_ASSERT(has_size(in, all));
        all_to_all_archives(comm, first_of(in), n, [&] { return room_for(out, all); }, site);
    } else {
        collective<operation::alltoall>(comm, {}, site, real, [&](call& record) {
            record.sent = record.received =
                for_each_rank(known_nbytes(first_of(in), n), partners_in(comm.plain()));
        });
    }
}

}  // namespace detail

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_to_all(operations<Base, I> const& comm, std::vector<T> const& in,
                                              std::vector<T>& out, call_site site = call_site::current()) {
    detail::all_to_all<T>(comm, in, 1, out, site,
                          [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_to_all(comm.plain(), in, out); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_to_all(operations<Base, I> const& comm, T const* in, T* out,
                                              call_site site = call_site::current()) {
    detail::all_to_all<T>(comm, in, 1, out, site,
                          [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_to_all(comm.plain(), in, out); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_to_all(operations<Base, I> const& comm, std::vector<T> const& in,
                                              int n, std::vector<T>& out,
                                              call_site site = call_site::current()) {
    detail::all_to_all<T>(comm, in, n, out, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::all_to_all(comm.plain(), in, n, out);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_to_all(operations<Base, I> const& comm, T const* in, int n, T* out,
                                              call_site site = call_site::current()) {
    detail::all_to_all<T>(comm, in, n, out, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::all_to_all(comm.plain(), in, n, out);
    });
}

}  // namespace mpiprof::inline v1::boost_mpi
