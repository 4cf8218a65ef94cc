// all_reduce on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/reduction.hpp>

namespace mpiprof::inline v1::boost_mpi {

template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void all_reduce(operations<Base, I> const& comm, T const* in, int n, T* out,
                                              Op op, call_site site = call_site::current()) {
    detail::reduction<operation::allreduce>(
        comm, {}, detail::array{in, n}, detail::array{out, n}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::all_reduce(comm.plain(), in, n, out, op); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void all_reduce(operations<Base, I> const& comm, T const& in, T& out, Op op,
                                              call_site site = call_site::current()) {
    detail::reduction<operation::allreduce>(
        comm, {}, detail::array{&in, 1}, detail::array{&out, 1}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::all_reduce(comm.plain(), in, out, op); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline T all_reduce(operations<Base, I> const& comm, T const& in, Op op,
                                           call_site site = call_site::current()) {
    return detail::reduction<operation::allreduce>(
        comm, {}, detail::array{&in, 1}, detail::array<T>{nullptr, 0}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::all_reduce(comm.plain(), in, op); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void all_reduce(operations<Base, I> const& comm,
                                              boost::mpi::inplace_t<T*> inout, int n, Op op,
                                              call_site site = call_site::current()) {
    detail::reduction<operation::allreduce>(
        comm, {}, detail::array{inout.buffer, n}, detail::array{inout.buffer, n}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::all_reduce(comm.plain(), inout, n, op); },
        call_in_place);
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void all_reduce(operations<Base, I> const& comm, boost::mpi::inplace_t<T> inout,
                                              Op op, call_site site = call_site::current()) {
    detail::reduction<operation::allreduce>(
        comm, {}, detail::array{&inout.buffer, 1}, detail::array{&inout.buffer, 1}, site,
        [&]() MPIPROF_INTERNAL_INLINE { return boost::mpi::all_reduce(comm.plain(), inout, op); },
        call_in_place);
}

}  // namespace mpiprof::inline v1::boost_mpi
