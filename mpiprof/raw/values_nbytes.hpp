// How many payload bytes values are that MPI has a datatype for.
#pragma once

#include <mpiprof/raw/datatype.hpp>
#include <mpiprof/raw/payload.hpp>

#include <span>

namespace mpiprof::inline v1::raw {

/// Bytes of a value as MPI counts its named datatype.
template <mpi_type T>
std::int64_t message_nbytes(T const&) noexcept {
    return message_nbytes(1, datatype_of<T>());
}

/// Bytes of values as MPI counts their named datatype; 0 of none.
template <mpi_type T, std::size_t Extent>
std::int64_t message_nbytes(std::span<T, Extent> values) noexcept {
    return message_nbytes(static_cast<std::int64_t>(values.size()), datatype_of<T>());
}

}  // namespace mpiprof::inline v1::raw
