// all_gatherv on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/gather_archives.hpp>

#include <boost/mpi/collectives/all_gatherv.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// This rank has as many values as `sizes` says. `in`: a pointer, an array or a vector. `out`: a pointer or a
/// vector. `displs` may be nullptr.
template <class T, class Base, class I, class In, class Out, class Real>
[[gnu::always_inline]] inline void all_gatherv(operations<Base, I> const& comm, In const& in, Out& out,
                                               std::vector<int> const& sizes, std::vector<int> const* displs,
                                               call_site site, Real real) {
    if constexpr (exchanged_here<T, I>) {
        BOOST_ASSERT(static_cast<int>(sizes.size()) == size_of(comm.plain()));
        int const n = own_size(comm.plain(), sizes);
        BOOST_ASSERT(has_size(in, n));
        // Before `in` is looked at, which may be the same vector.
        auto* const room = room_for(out, sum_of(sizes));
        gather_archives<operation::allgatherv>(
            comm, gather_to_all{}, array{first_of(in), n}, [&] { return room; },
            slots{comm.plain(), sizes, displs}, site);
    } else {
        collective<operation::allgatherv>(comm, {}, site, real, [&](call& record) {
            record.sent = known_nbytes(first_of(in), own_size(comm.plain(), sizes));
            record.received = known_nbytes(first_of(out), sum_of(sizes));
        });
    }
}

}  // namespace detail

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gatherv(operations<Base, I> const& comm, T const& in, T* out,
                                               std::vector<int> const& sizes,
                                               call_site site = call_site::current()) {
    detail::all_gatherv<T>(
        comm, detail::array{&in, 1}, out, sizes, nullptr, site,
        [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gatherv(comm.plain(), in, out, sizes); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gatherv(operations<Base, I> const& comm, T const* in, T* out,
                                               std::vector<int> const& sizes,
                                               call_site site = call_site::current()) {
    detail::all_gatherv<T>(comm, in, out, sizes, nullptr, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::all_gatherv(comm.plain(), in, out, sizes);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gatherv(operations<Base, I> const& comm, std::vector<T> const& in,
                                               std::vector<T>& out, std::vector<int> const& sizes,
                                               call_site site = call_site::current()) {
    detail::all_gatherv<T>(comm, in, out, sizes, nullptr, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::all_gatherv(comm.plain(), in, out, sizes);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gatherv(operations<Base, I> const& comm, T const& in, T* out,
                                               std::vector<int> const& sizes, std::vector<int> const& displs,
                                               call_site site = call_site::current()) {
    detail::all_gatherv<T>(
        comm, detail::array{&in, 1}, out, sizes, &displs, site,
        [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gatherv(comm.plain(), in, out, sizes, displs); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gatherv(operations<Base, I> const& comm, T const* in, T* out,
                                               std::vector<int> const& sizes, std::vector<int> const& displs,
                                               call_site site = call_site::current()) {
    detail::all_gatherv<T>(comm, in, out, sizes, &displs, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::all_gatherv(comm.plain(), in, out, sizes, displs);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gatherv(operations<Base, I> const& comm, std::vector<T> const& in,
                                               std::vector<T>& out, std::vector<int> const& sizes,
                                               std::vector<int> const& displs,
                                               call_site site = call_site::current()) {
    detail::all_gatherv<T>(comm, in, out, sizes, &displs, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::all_gatherv(comm.plain(), in, out, sizes, displs);
    });
}

}  // namespace mpiprof::inline v1::boost_mpi
