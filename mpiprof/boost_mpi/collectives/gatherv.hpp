// gatherv on profiled communicators.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/gather_archives.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// `in`: an array or a vector. `sizes` are looked at on the root only, where they are; `displs` may be
/// nullptr there too.
template <class Base, class I, class In, class T, class Real>
[[gnu::always_inline]] inline void gatherv(operations<Base, I> const& comm, In const& in, T* out,
                                           std::vector<int> const* sizes, std::vector<int> const* displs,
                                           int root, call_site site, Real real) {
    if constexpr (exchanged_here<T, I>) {
        bool const is_root = comm.plain().rank() == root;
        BOOST_ASSERT(!is_root || sizes != nullptr);
        array<T const> const own{in.data(), static_cast<int>(in.size())};
        gather_archives<operation::gatherv>(
            comm, gather_to_root{root}, own, [&] { return out; },
            is_root ? slots{comm.plain(), *sizes, displs} : slots{}, site);
    } else {
        collective<operation::gatherv>(comm, root, site, real, [&](call& record) {
            auto const part = part_in(comm.plain(), root);
            if (part.is_member) record.sent = known_nbytes(in.data(), static_cast<std::int64_t>(in.size()));
            if (part.is_root) record.received = known_nbytes(out, sum_of(*sizes));
        });
    }
}

}  // namespace detail

template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gatherv(operations<Base, I> const& comm, std::vector<T> const& in, T* out,
                                           std::vector<int> const& sizes, std::vector<int> const& displs,
                                           int root, call_site site = call_site::current()) {
    detail::gatherv(comm, in, out, &sizes, &displs, root, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::gatherv(comm.plain(), in, out, sizes, displs, root);
    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gatherv(operations<Base, I> const& comm, T const* in, int n, T* out,
                                           std::vector<int> const& sizes, std::vector<int> const& displs,
                                           int root, call_site site = call_site::current()) {
    detail::gatherv(comm, detail::array{in, n}, out, &sizes, &displs, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE {
                        boost::mpi::gatherv(comm.plain(), in, n, out, sizes, displs, root);
                    });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gatherv(operations<Base, I> const& comm, std::vector<T> const& in,
                                           int root, call_site site = call_site::current()) {
    T* const nowhere = nullptr;
    detail::gatherv(comm, in, nowhere, nullptr, nullptr, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gatherv(comm.plain(), in, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gatherv(operations<Base, I> const& comm, T const* in, int n, int root,
                                           call_site site = call_site::current()) {
    T* const nowhere = nullptr;
    detail::gatherv(comm, detail::array{in, n}, nowhere, nullptr, nullptr, root, site,
                    [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gatherv(comm.plain(), in, n, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gatherv(operations<Base, I> const& comm, T const* in, int n, T* out,
                                           std::vector<int> const& sizes, int root,
                                           call_site site = call_site::current()) {
    detail::gatherv(
        comm, detail::array{in, n}, out, &sizes, nullptr, root, site,
        [&]() MPIPROF_INTERNAL_INLINE { boost::mpi::gatherv(comm.plain(), in, n, out, sizes, root); });
}
template <typename T, class Base, class I>
[[gnu::always_inline]] inline void gatherv(operations<Base, I> const& comm, std::vector<T> const& in, T* out,
                                           std::vector<int> const& sizes, int root,
                                           call_site site = call_site::current()) {
    detail::gatherv(comm, in, out, &sizes, nullptr, root, site, [&]() MPIPROF_INTERNAL_INLINE {
        boost::mpi::gatherv(comm.plain(), in, out, sizes, root);
    });
}

}  // namespace mpiprof::inline v1::boost_mpi
