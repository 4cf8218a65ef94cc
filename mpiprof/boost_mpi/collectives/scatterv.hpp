// scatterv on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/scatter_archives.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// `n()`: how many values this rank gets. `in`: a vector or a pointer. `in` and `sizes` are looked at on the
/// root only; `sizes` may be nullptr elsewhere. Values that Boost serialises go out one behind the other,
/// whatever their displacements.
template <class Base, class I, class In, class T, class Size, class Real>
[[gnu::always_inline]] inline void scatterv(operations<Base, I> const& comm, In const& in,
                                            std::vector<int> const* sizes, T* out, Size n, int root,
                                            call_site site, Real real) {
    if constexpr (exchanged_here<T, I>) {
        BOOST_ASSERT(rank_in(comm.plain()) != root ||
                     (sizes != nullptr && own_size(comm.plain(), *sizes) == n()));
        auto const size_for = [&](int rank) { return (*sizes)[static_cast<std::size_t>(rank)]; };
        scatter_archives<operation::scatterv, own_values::loaded>(comm, first_of(in), size_for,
                                                                  array{out, n()}, root, site);
    } else {
        collective<operation::scatterv>(comm, root, site, real, [&](call& record) {
            auto const part = part_in(comm.plain(), root);
            if (part.is_root) record.sent = known_nbytes(first_of(in), sum_of(*sizes));
            if (part.is_member) record.received = known_nbytes(out, n());
        });
    }
}

}  // namespace detail

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatterv(operations<Base, I> const& comm, std::vector<T> const& in,
                                            std::vector<int> const& sizes, std::vector<int> const& displs,
                                            T* out, int n, int root, call_site site = call_site::current()) {
    detail::scatterv(
        comm, in, &sizes, out, [&] { return n; }, root, site,
        [&]()
            MPIPROF_INTERNAL_INLINE { boost::mpi::scatterv(comm.plain(), in, sizes, displs, out, n, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatterv(operations<Base, I> const& comm, T const* in,
                                            std::vector<int> const& sizes, std::vector<int> const& displs,
                                            T* out, int n, int root, call_site site = call_site::current()) {
    detail::scatterv(
        comm, in, &sizes, out, [&] { return n; }, root, site,
        [&]()
            MPIPROF_INTERNAL_INLINE { boost::mpi::scatterv(comm.plain(), in, sizes, displs, out, n, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatterv(operations<Base, I> const& comm, T* out, int n, int root,
                                            call_site site = call_site::current()) {
    T const* const nothing = nullptr;
    detail::scatterv(
        comm, nothing, nullptr, out, [&] { return n; }, root, site,
        [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatterv(comm.plain(), out, n, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatterv(operations<Base, I> const& comm, T const* in,
                                            std::vector<int> const& sizes, T* out, int root,
                                            call_site site = call_site::current()) {
    detail::scatterv(
        comm, in, &sizes, out, [&] { return detail::own_size(comm.plain(), sizes); }, root, site,
        [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatterv(comm.plain(), in, sizes, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatterv(operations<Base, I> const& comm, std::vector<T> const& in,
                                            std::vector<int> const& sizes, T* out, int root,
                                            call_site site = call_site::current()) {
    detail::scatterv(
        comm, in, &sizes, out, [&] { return detail::own_size(comm.plain(), sizes); }, root, site,
        [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatterv(comm.plain(), in, sizes, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatterv(operations<Base, I> const& comm, T const* in, T* out, int n,
                                            int root, call_site site = call_site::current()) {
    detail::scatterv(
        comm, in, nullptr, out, [&] { return n; }, root, site,
        [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatterv(comm.plain(), in, out, n, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatterv(operations<Base, I> const& comm, std::vector<T> const& in, T* out,
                                            int n, int root, call_site site = call_site::current()) {
    detail::scatterv(
        comm, in, nullptr, out, [&] { return n; }, root, site,
        [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatterv(comm.plain(), in, out, n, root); });
}

}  // namespace mpiprof::inline v1::boost_mpi
