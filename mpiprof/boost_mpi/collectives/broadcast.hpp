// broadcast on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/exchange.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// Measures a broadcast of what is `nbytes()` bytes, which is asked after the call.
template <class Base, class I, class Nbytes, class Real>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm, int root, Nbytes nbytes,
                                             call_site site, Real real) {
    collective<operation::bcast>(comm, root, site, real, [&](call& record) {
        auto const part = part_in(comm.plain(), root);
        if (part.is_root) record.sent = nbytes();
        else if (part.is_member) record.received = nbytes();
    });
}

/// The same of values that Boost serialises.
template <class Base, class I, class T>
void broadcast_archive(operations<Base, I> const& comm, T* values, int n, int root, call_site site) {
    exchange<operation::bcast>(
        comm, broadcast_from_root{root}, site,
        [&](archives& own) {
            if (rank_in(comm.plain()) == root) own.save(values, n);
        },
        [&](archives& given) {
            if (!given.sizes.empty()) given.load(0, values, n);
        });
}

/// Bytes of what is broadcast otherwise; of an archive, once it has been sent or has come.
template <class T>
std::int64_t broadcast_nbytes(T const* first, std::int64_t n) {
    if constexpr (requires { first->get_skeleton(); })
        return static_cast<std::int64_t>(first->get_skeleton().size());
    else if constexpr (std::is_same_v<T, boost::mpi::packed_iarchive>)
        return static_cast<std::int64_t>(first->size());
    else return known_nbytes(first, n);
}

/// Makes the skeleton's archive and broadcasts it, as Boost does.
template <class T>
std::int64_t exchange_skeleton(boost::mpi::communicator const& comm,
                               boost::mpi::skeleton_proxy<T> const& proxy, int root) {
    if (comm.rank() == root) {
        boost::mpi::packed_skeleton_oarchive skeleton(comm);
        skeleton << proxy.object;
        boost::mpi::broadcast(comm, skeleton, root);
        return broadcast_nbytes(&skeleton, 1);
    }
    boost::mpi::packed_skeleton_iarchive skeleton(comm);
    boost::mpi::broadcast(comm, skeleton, root);
    skeleton >> proxy.object;
    return broadcast_nbytes(&skeleton, 1);
}

template <class Base, class I, class T, class Real>
[[gnu::always_inline]] inline void broadcast_skeleton(operations<Base, I> const& comm,
                                                      boost::mpi::skeleton_proxy<T> const& proxy, int root,
                                                      call_site site, Real real) {
    std::int64_t bytes = 0;
    detail::broadcast(
        comm, root, [&] { return bytes; }, site,
        [&]() MPIPROF_INTERNAL_INLINE {
            // Where nobody counts bytes, Boost's own.
            if constexpr (I::sizes) bytes = exchange_skeleton(comm.plain(), proxy, root);
            else real();
        });
}

}  // namespace detail

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm, T& value, int root,
                                             call_site site = call_site::current()) {
    if constexpr (detail::exchanged_here<T, I>) {
        detail::broadcast_archive(comm, &value, 1, root, site);
    } else {
        detail::broadcast(
            comm, root, [&] { return detail::broadcast_nbytes(&value, 1); }, site,
            [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::broadcast(comm.plain(), value, root); });
    }
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm, T* values, int n, int root,
                                             call_site site = call_site::current()) {
    if constexpr (detail::exchanged_here<T, I>) {
        detail::broadcast_archive(comm, values, n, root, site);
    } else {
        detail::broadcast(
            comm, root, [&] { return detail::broadcast_nbytes(values, n); }, site,
            [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::broadcast(comm.plain(), values, n, root); });
    }
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm,
                                             boost::mpi::skeleton_proxy<T>& proxy, int root,
                                             call_site site = call_site::current()) {
    detail::broadcast_skeleton(comm, proxy, root, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::broadcast(comm.plain(), proxy, root);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void broadcast(operations<Base, I> const& comm,
                                             boost::mpi::skeleton_proxy<T> const& proxy, int root,
                                             call_site site = call_site::current()) {
    detail::broadcast_skeleton(comm, proxy, root, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::broadcast(comm.plain(), proxy, root);
    });
}

}  // namespace mpiprof::inline v1::boost_mpi
