// all_gather on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/gather_archives.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// `out`: a vector or a pointer.
template <class Base, class I, class T, class Out, class Real>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, array<T const> in, Out& out,
                                              call_site site, Real real) {
    if constexpr (exchanged_here<T, I>) {
        auto const room = [&] { return room_for(out, std::int64_t{comm.plain().size()} * in.size()); };
        gather_archives<operation::allgather>(comm, gather_to_all{}, in, room, slots{}, site);
    } else {
        collective<operation::allgather>(comm, {}, site, real, [&](call& record) {
            record.sent = known_nbytes(in.data(), in.size());
            record.received = for_each_rank(record.sent, partners_in(comm.plain()));
        });
    }
}

}  // namespace detail

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, T const& in,
                                              std::vector<T>& out, call_site site = call_site::current()) {
    detail::all_gather(comm, detail::array{&in, 1}, out, site,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gather(comm.plain(), in, out); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, T const& in, T* out,
                                              call_site site = call_site::current()) {
    detail::all_gather(comm, detail::array{&in, 1}, out, site,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gather(comm.plain(), in, out); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, T const* in, int n,
                                              std::vector<T>& out, call_site site = call_site::current()) {
    detail::all_gather(comm, detail::array{in, n}, out, site,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gather(comm.plain(), in, n, out); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, T const* in, int n, T* out,
                                              call_site site = call_site::current()) {
    detail::all_gather(comm, detail::array{in, n}, out, site,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gather(comm.plain(), in, n, out); });
}

}  // namespace mpiprof::inline v1::boost_mpi
