// scan on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/reduction.hpp>

namespace mpiprof::inline v1::boost_mpi {

template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void scan(operations<Base, I> const& comm, T const& in, T& out, Op op,
                                        call_site site = call_site::current()) {
    detail::reduction<operation::scan>(
        comm, {}, detail::array{&in, 1}, detail::array{&out, 1}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::scan(comm.plain(), in, out, op); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline T scan(operations<Base, I> const& comm, T const& in, Op op,
                                     call_site site = call_site::current()) {
    return detail::reduction<operation::scan>(
        comm, {}, detail::array{&in, 1}, detail::array<T>{nullptr, 0}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::scan(comm.plain(), in, op); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void scan(operations<Base, I> const& comm, T const* in, int n, T* out, Op op,
                                        call_site site = call_site::current()) {
    detail::reduction<operation::scan>(
        comm, {}, detail::array{in, n}, detail::array{out, n}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::scan(comm.plain(), in, n, out, op); });
}

}  // namespace mpiprof::inline v1::boost_mpi
