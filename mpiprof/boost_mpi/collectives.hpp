// Boost.MPI's collectives on profiled communicators. The overloads, and the heads of the templates, are
// Boost's.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/communicator.hpp>
#include <mpiprof/boost_mpi/names.hpp>
#include <mpiprof/boost_mpi/nonblocking.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

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

/// Measures a collective. `fill(record, bytes of the n values)` fills in what moved; `n` values from `first`
/// are this rank's part. Bytes of serialised values are unknown.
template <operation Operation, class Base, class I, class T, class Real, class Fill>
[[gnu::always_inline]] inline auto collective(operations<Base, I> const& comm, T const* first, std::int64_t n,
                                              call_site site, Real real, Fill fill) {
    return measure<Operation, I>(comm.identity(), site, real, [&](auto& measured, auto&...) {
        fill(measured.record(), I::sizes ? known_nbytes(first, n) : 0);
    });
}

template <class Base, class I, class T, class Real>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm, T const* first, std::int64_t n,
                                             int root, call_site site, Real real) {
    collective<operation::bcast>(comm, first, n, site, real, [&](call& record, std::int64_t bytes) {
        record.root = root;
        (rank_in(comm.plain()) == root ? record.sent : record.received) = bytes;
    });
}

/// Boost's broadcast of serialised values, call by call: the archive's size, then the archive. It works with
/// ranks that call Boost's own; the record has the archive's bytes, and the size's as overhead.
template <class Base, class I, class T>
void broadcast_archive(operations<Base, I> const& comm, T* values, int n, int root, call_site site) {
    auto const& plain = comm.plain();
    bool const is_root = plain.rank() == root;
    std::size_t size = 0;
    measure<operation::bcast, I>(
        comm.identity(), site,
        [&]() MPIPROF_INTERNAL_INLINE {
            boost::mpi::packed_oarchive out(plain);
            boost::mpi::packed_iarchive in(plain);
            if (is_root) {
                for (int i = 0; i < n; ++i) out << values[i];
                size = out.size();
            }
            boost::mpi::broadcast(plain, size, root);
            if (!is_root) in.resize(size);
            void* const address = is_root ? const_cast<void*>(out.address()) : in.address();
            BOOST_MPI_CHECK_RESULT(MPI_Bcast,
                                   (address, static_cast<int>(size), MPI_BYTE, root, MPI_Comm(plain)));
            if (!is_root) {
                for (int i = 0; i < n; ++i) in >> values[i];
            }
        },
        [&](auto& measured) {
            auto& record = measured.record();
            record.root = root;
            if (!I::sizes) return;
            (is_root ? record.sent : record.received) = static_cast<std::int64_t>(size);
            record.overhead = sizeof size;
        });
}

template <class Base, class I, class T, class Real>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, T const* first, std::int64_t n,
                                          int root, call_site site, Real real) {
    collective<operation::reduce>(comm, first, n, site, real, [&](call& record, std::int64_t bytes) {
        record.root = root;
        record.sent = bytes;
        if (rank_in(comm.plain()) == root) record.received = bytes;
    });
}

template <class Base, class I, class T, class Real>
[[gnu::always_inline]] inline auto all_reduce(operations<Base, I> const& comm, T const* first, std::int64_t n,
                                              call_site site, bool in_place, Real real) {
    return collective<operation::allreduce>(comm, first, n, site, real,
                                            [&](call& record, std::int64_t bytes) {
                                                record.sent = record.received = bytes;
                                                if (in_place) record.flags |= call_in_place;
                                            });
}

template <class Base, class I, class T, class Real>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const* first, std::int64_t n,
                                          int root, call_site site, Real real) {
    collective<operation::gather>(comm, first, n, site, real, [&](call& record, std::int64_t bytes) {
        record.root = root;
        record.sent = bytes;
        if (rank_in(comm.plain()) == root) record.received = for_each_rank(bytes, size_of(comm.plain()));
    });
}

template <class Base, class I, class T, class Real>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, T const* first, std::int64_t n,
                                              call_site site, Real real) {
    collective<operation::allgather>(comm, first, n, site, real, [&](call& record, std::int64_t bytes) {
        record.sent = bytes;
        record.received = for_each_rank(bytes, size_of(comm.plain()));
    });
}

template <class Base, class I, class T, class Real>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, T const* first, std::int64_t n,
                                           int root, call_site site, Real real) {
    collective<operation::scatter>(comm, first, n, site, real, [&](call& record, std::int64_t bytes) {
        record.root = root;
        record.received = bytes;
        if (rank_in(comm.plain()) == root) record.sent = for_each_rank(bytes, size_of(comm.plain()));
    });
}

}  // namespace detail

// broadcast

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm, T& value, int root,
                                             call_site site = call_site::current()) {
    if constexpr (detail::serialized<T> && I::enabled) {
        detail::broadcast_archive(comm, &value, 1, root, site);
    } else {
        detail::broadcast(comm, &value, 1, root, site, [&]() MPIPROF_INTERNAL_INLINE {
            boost::mpi::broadcast(comm.plain(), value, root);
        });
    }
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm, T* values, int n, int root,
                                             call_site site = call_site::current()) {
    if constexpr (detail::serialized<T> && I::enabled) {
        detail::broadcast_archive(comm, values, n, root, site);
    } else {
        detail::broadcast(comm, values, n, root, site, [&]() MPIPROF_INTERNAL_INLINE {
            boost::mpi::broadcast(comm.plain(), values, n, root);
        });
    }
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm,
                                             boost::mpi::skeleton_proxy<T>& value, int root,
                                             call_site site = call_site::current()) {
    detail::broadcast(comm, &value, 1, root, site,
                      [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::broadcast(comm.plain(), value, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm,
                                             boost::mpi::skeleton_proxy<T> const& value, int root,
                                             call_site site = call_site::current()) {
    detail::broadcast(comm, &value, 1, root, site,
                      [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::broadcast(comm.plain(), value, root); });
}

// reduce

template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, T const& in, T& out, Op op,
                                          int root, call_site site = call_site::current()) {
    detail::reduce(comm, &in, 1, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::reduce(comm.plain(), in, out, op, root); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, T const& in, Op op, int root,
                                          call_site site = call_site::current()) {
    detail::reduce(comm, &in, 1, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::reduce(comm.plain(), in, op, root); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, T const* in, int n, T* out, Op op,
                                          int root, call_site site = call_site::current()) {
    detail::reduce(comm, in, n, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::reduce(comm.plain(), in, n, out, op, root); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, T const* in, int n, Op op,
                                          int root, call_site site = call_site::current()) {
    detail::reduce(comm, in, n, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::reduce(comm.plain(), in, n, op, root); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, std::vector<T> const& in, Op op,
                                          int root, call_site site = call_site::current()) {
    auto const real = [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::reduce(comm.plain(), in, op, root); };
    // Off, the vector is not even looked at.
    if constexpr (!I::enabled) real();
    else detail::reduce(comm, in.data(), static_cast<std::int64_t>(in.size()), root, site, real);
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void reduce(operations<Base, I> const& comm, std::vector<T> const& in,
                                          std::vector<T>& out, Op op, int root,
                                          call_site site = call_site::current()) {
    auto const real = [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::reduce(comm.plain(), in, out, op, root); };
    // Off, the vector is not even looked at.
    if constexpr (!I::enabled) real();
    else detail::reduce(comm, in.data(), static_cast<std::int64_t>(in.size()), root, site, real);
}

// all_reduce

template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void all_reduce(operations<Base, I> const& comm, T const* in, int n, T* out,
                                              Op op, call_site site = call_site::current()) {
    detail::all_reduce(comm, in, n, site, false, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::all_reduce(comm.plain(), in, n, out, op);
    });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void all_reduce(operations<Base, I> const& comm, T const& in, T& out, Op op,
                                              call_site site = call_site::current()) {
    detail::all_reduce(comm, &in, 1, site, false,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_reduce(comm.plain(), in, out, op); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline T all_reduce(operations<Base, I> const& comm, T const& in, Op op,
                                           call_site site = call_site::current()) {
    return detail::all_reduce(comm, &in, 1, site, false, [&]() MPIPROF_INTERNAL_INLINE {
        return boost::mpi::all_reduce(comm.plain(), in, op);
    });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void all_reduce(operations<Base, I> const& comm,
                                              boost::mpi::inplace_t<T*> inout, int n, Op op,
                                              call_site site = call_site::current()) {
    detail::all_reduce(comm, inout.buffer, n, site, true,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_reduce(comm.plain(), inout, n, op); });
}
template <typename T, typename Op, class Base, class I>
[[gnu::always_inline]] inline void all_reduce(operations<Base, I> const& comm, boost::mpi::inplace_t<T> inout,
                                              Op op, call_site site = call_site::current()) {
    detail::all_reduce(comm, &inout.buffer, 1, site, true,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_reduce(comm.plain(), inout, op); });
}

// gather

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const& in, std::vector<T>& out,
                                          int root, call_site site = call_site::current()) {
    detail::gather(comm, &in, 1, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const& in, T* out, int root,
                                          call_site site = call_site::current()) {
    detail::gather(comm, &in, 1, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const& in, int root,
                                          call_site site = call_site::current()) {
    detail::gather(comm, &in, 1, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const* in, int n,
                                          std::vector<T>& out, int root,
                                          call_site site = call_site::current()) {
    detail::gather(comm, in, n, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, n, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const* in, int n, T* out,
                                          int root, call_site site = call_site::current()) {
    detail::gather(comm, in, n, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, n, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const* in, int n, int root,
                                          call_site site = call_site::current()) {
    detail::gather(comm, in, n, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, n, root); });
}

// all_gather

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, T const& in,
                                              std::vector<T>& out, call_site site = call_site::current()) {
    detail::all_gather(comm, &in, 1, site,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gather(comm.plain(), in, out); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, T const& in, T* out,
                                              call_site site = call_site::current()) {
    detail::all_gather(comm, &in, 1, site,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gather(comm.plain(), in, out); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, T const* in, int n,
                                              std::vector<T>& out, call_site site = call_site::current()) {
    detail::all_gather(comm, in, n, site,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gather(comm.plain(), in, n, out); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void all_gather(operations<Base, I> const& comm, T const* in, int n, T* out,
                                              call_site site = call_site::current()) {
    detail::all_gather(comm, in, n, site,
                       [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::all_gather(comm.plain(), in, n, out); });
}

// scatter

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, std::vector<T> const& in, T& out,
                                           int root, call_site site = call_site::current()) {
    detail::scatter(comm, &out, 1, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatter<T>(comm.plain(), in, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, T const* in, T& out, int root,
                                           call_site site = call_site::current()) {
    detail::scatter(comm, &out, 1, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatter<T>(comm.plain(), in, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, T& out, int root,
                                           call_site site = call_site::current()) {
    detail::scatter(comm, &out, 1, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatter<T>(comm.plain(), out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, std::vector<T> const& in, T* out,
                                           int n, int root, call_site site = call_site::current()) {
    detail::scatter(comm, out, n, root, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::scatter<T>(comm.plain(), in, out, n, root);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, T const* in, T* out, int n,
                                           int root, call_site site = call_site::current()) {
    detail::scatter(comm, out, n, root, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::scatter<T>(comm.plain(), in, out, n, root);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, T* out, int n, int root,
                                           call_site site = call_site::current()) {
    detail::scatter(comm, out, n, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatter<T>(comm.plain(), out, n, root); });
}

}  // namespace mpiprof::inline v1::boost_mpi
