// How Boost.MPI sends a type, and how many bytes that is.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/raw/payload.hpp>

namespace mpiprof::inline v1::boost_mpi::detail {

template <class T>
inline constexpr bool has_own_protocol = false;
template <>
inline constexpr bool has_own_protocol<boost::mpi::packed_oarchive> = true;
template <>
inline constexpr bool has_own_protocol<boost::mpi::packed_iarchive> = true;
template <>
inline constexpr bool has_own_protocol<boost::mpi::packed_skeleton_oarchive> = true;
template <>
inline constexpr bool has_own_protocol<boost::mpi::packed_skeleton_iarchive> = true;
template <>
inline constexpr bool has_own_protocol<boost::mpi::content> = true;
template <class T>
inline constexpr bool has_own_protocol<boost::mpi::skeleton_proxy<T>> = true;

/// Sent as an MPI datatype.
template <class T>
inline constexpr bool by_datatype = boost::mpi::is_mpi_datatype<std::remove_cv_t<T>>::value;

/// Sent in an archive: everything else but archives and what stands for them.
template <class T>
inline constexpr bool serialized = !by_datatype<T> && !has_own_protocol<std::remove_cv_t<T>>;

/// Received by a request that posts nothing, and probes when it is waited for or tested.
template <class T>
inline constexpr bool probed = !by_datatype<T> && !std::is_same_v<std::remove_cv_t<T>, boost::mpi::content>;

/// A vector<bool> holds no bools that MPI could send.
template <class T>
inline constexpr bool has_values = !std::is_same_v<T, bool>;

/// Bytes of an archive on the wire.
inline std::int64_t archive_nbytes(boost::mpi::packed_oarchive const& archive) {
    return static_cast<std::int64_t>(archive.size());
}
inline std::int64_t archive_nbytes(boost::mpi::packed_skeleton_oarchive const& archive) {
    return archive_nbytes(archive.get_skeleton());
}

/// Bytes of `n` values from `first` on the wire, where their type alone tells; -1 for serialised ones.
template <class T>
std::int64_t known_nbytes([[maybe_unused]] T const* first, [[maybe_unused]] std::int64_t n) {
    if constexpr (by_datatype<T>) {
        // For a count of 0 there may be no value to ask for its type.
        return n == 0 ? 0 : raw::message_nbytes(n, boost::mpi::get_mpi_datatype<std::remove_cv_t<T>>(*first));
    } else if constexpr (has_own_protocol<T> && requires { archive_nbytes(*first); }) {
        return archive_nbytes(*first);
    } else if constexpr (std::is_same_v<T, boost::mpi::content>) {
        return raw::message_nbytes(1, first->get_mpi_datatype());
    } else {
        return -1;
    }
}

/// Counts `n` serialised values from `first` in one archive, where the byte policy wants that; else -1. The
/// archive that counts is not compiled without being asked for: every exported class would be compiled for
/// it.
template <class Bytes>
struct archive_counter {
    static_assert(!Bytes::serialized,
                  "bytes::serialized counts with <mpiprof/boost_mpi/serialized_size.hpp>: include it");

    template <class T>
    static std::int64_t nbytes(T const*, std::int64_t) {
        return -1;
    }
};

/// `bytes` for each of `ranks` ranks; -1 stays -1.
using raw::detail::for_each_rank;

}  // namespace mpiprof::inline v1::boost_mpi::detail
