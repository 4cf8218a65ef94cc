// gather on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/gather_archives.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// `out`: a vector, or a pointer, which may be nullptr where this is not the root.
template <class Base, class I, class T, class Out, class Real>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, array<T const> in, Out& out,
                                          int root, call_site site, Real real) {
    if constexpr (exchanged_here<T, I>) {
        auto const& plain = comm.plain();
        auto const room = [&]() -> T* {
            return plain.rank() == root ? room_for<T>(out, std::int64_t{plain.size()} * in.size()) : nullptr;
        };
        gather_archives<operation::gather>(comm, gather_to_root{root}, in, room, slots{}, site);
    } else {
        collective<operation::gather>(comm, root, site, real, [&](call& record) {
            auto const part = part_in(comm.plain(), root);
            auto const bytes = known_nbytes(in.data(), in.size());
            if (part.is_member) record.sent = bytes;
            if (part.is_root) record.received = for_each_rank(bytes, part.ranks);
        });
    }
}

/// On a rank that is not the root.
template <class Base, class I, class T, class Real>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, array<T const> in, int root,
                                          call_site site, Real real) {
    T* const nowhere = nullptr;
    detail::gather(comm, in, nowhere, root, site, real);
}

}  // namespace detail

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const& in, std::vector<T>& out,
                                          int root, call_site site = call_site::current()) {
    detail::gather(comm, detail::array{&in, 1}, out, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const& in, T* out, int root,
                                          call_site site = call_site::current()) {
    detail::gather(comm, detail::array{&in, 1}, out, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const& in, int root,
                                          call_site site = call_site::current()) {
    detail::gather(comm, detail::array{&in, 1}, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const* in, int n,
                                          std::vector<T>& out, int root,
                                          call_site site = call_site::current()) {
    detail::gather(comm, detail::array{in, n}, out, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, n, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const* in, int n, T* out,
                                          int root, call_site site = call_site::current()) {
    detail::gather(comm, detail::array{in, n}, out, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, n, out, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gather(operations<Base, I> const& comm, T const* in, int n, int root,
                                          call_site site = call_site::current()) {
    detail::gather(comm, detail::array{in, n}, root, site,
                   [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gather(comm.plain(), in, n, root); });
}

}  // namespace mpiprof::inline v1::boost_mpi
