// How large values become in an archive, without making it.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/size_oarchive.hpp>
#include <mpiprof/boost_mpi/wire.hpp>

#include <cstdint>
#include <memory>

namespace mpiprof::inline v1::boost_mpi {

/// Bytes of `n` values in one boost::mpi::packed_oarchive, which is what Boost.MPI sends of types that are no
/// MPI datatype; -1 where Boost.Serialization cannot save one of them. Their `serialize` is called. What can
/// be counted is told at size_oarchive; it needs no MPI.
template <class T>
std::int64_t serialized_size(T const* first, std::int64_t n) {
    try {
        size_oarchive archive;
        for (std::int64_t i = 0; i < n; ++i) archive << first[i];
        return static_cast<std::int64_t>(archive.size());
    } catch (boost::archive::archive_exception const&) {
        return -1;
    }
}

/// Bytes of one value in a boost::mpi::packed_oarchive of its own.
template <class T>
std::int64_t serialized_size(T const& value) {
    return serialized_size(std::addressof(value), 1);
}

namespace detail {

template <class Bytes>
    requires(Bytes::serialized)
struct archive_counter<Bytes> {
    template <class T>
    static std::int64_t nbytes(T const* first, std::int64_t n) {
        return serialized_size(first, n);
    }
};

}  // namespace detail

}  // namespace mpiprof::inline v1::boost_mpi
