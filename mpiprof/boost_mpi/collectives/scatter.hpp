// scatter on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/scatter_archives.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// `in`: a vector or a pointer, which may be nullptr where this is not the root.
template <class Base, class I, class In, class T, class Real>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, In const& in, array<T> out,
                                           int root, call_site site, Real real) {
    if constexpr (exchanged_here<T, I>) {
        scatter_archives<operation::scatter, own_values::copied>(
            comm, first_of(in), [&](int) { return out.size(); }, out, root, site);
    } else {
        collective<operation::scatter>(comm, root, site, real, [&](call& record) {
            auto const part = part_in(comm.plain(), root);
            auto const bytes = known_nbytes(out.data(), out.size());
            if (part.is_root) record.sent = for_each_rank(bytes, part.ranks);
            if (part.is_member) record.received = bytes;
        });
    }
}

}  // namespace detail

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, std::vector<T> const& in, T& out,
                                           int root, call_site site = call_site::current()) {
    detail::scatter(comm, in, detail::array{&out, 1}, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatter<T>(comm.plain(), in, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, T const* in, T& out, int root,
                                           call_site site = call_site::current()) {
    detail::scatter(comm, in, detail::array{&out, 1}, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatter<T>(comm.plain(), in, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, T& out, int root,
                                           call_site site = call_site::current()) {
    T const* const nothing = nullptr;
    detail::scatter(comm, nothing, detail::array{&out, 1}, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatter<T>(comm.plain(), out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, std::vector<T> const& in, T* out,
                                           int n, int root, call_site site = call_site::current()) {
    detail::scatter(comm, in, detail::array{out, n}, root, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::scatter<T>(comm.plain(), in, out, n, root);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, T const* in, T* out, int n,
                                           int root, call_site site = call_site::current()) {
    detail::scatter(comm, in, detail::array{out, n}, root, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::scatter<T>(comm.plain(), in, out, n, root);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void scatter(operations<Base, I> const& comm, T* out, int n, int root,
                                           call_site site = call_site::current()) {
    T const* const nothing = nullptr;
    detail::scatter(comm, nothing, detail::array{out, n}, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::scatter<T>(comm.plain(), out, n, root); });
}

}  // namespace mpiprof::inline v1::boost_mpi
