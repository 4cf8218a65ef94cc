// reduce on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/reduction.hpp>

namespace mpiprof::inline v1::boost_mpi {

template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, T const& in, T& out, Op op,
                                          int root, call_site site = call_site::current()) {
    detail::reduction<operation::reduce>(
        comm, root, detail::array{&in, 1}, detail::array{&out, 1}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::reduce(comm.plain(), in, out, op, root); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, T const& in, Op op, int root,
                                          call_site site = call_site::current()) {
    detail::reduction<operation::reduce>(
        comm, root, detail::array{&in, 1}, detail::array<T>{nullptr, 0}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::reduce(comm.plain(), in, op, root); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, T const* in, int n, T* out, Op op,
                                          int root, call_site site = call_site::current()) {
    detail::reduction<operation::reduce>(
        comm, root, detail::array{in, n}, detail::array{out, n}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::reduce(comm.plain(), in, n, out, op, root); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, T const* in, int n, Op op,
                                          int root, call_site site = call_site::current()) {
    detail::reduction<operation::reduce>(
        comm, root, detail::array{in, n}, detail::array<T>{nullptr, 0}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::reduce(comm.plain(), in, n, op, root); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, std::vector<T> const& in, Op op,
                                          int root, call_site site = call_site::current()) {
    detail::reduction<operation::reduce>(
        comm, root, in, detail::array<T>{nullptr, 0}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::reduce(comm.plain(), in, op, root); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, std::vector<T> const& in,
                                          std::vector<T>& out, Op op, int root,
                                          call_site site = call_site::current()) {
    detail::reduction<operation::reduce>(comm, root, in, out, site, [&]() MPIPROF_INTERNAL_INLINE {
        return boost::mpi::reduce(comm.plain(), in, out, op, root);
    });
}

}  // namespace mpiprof::inline v1::boost_mpi
