// How many payload bytes values are that MPI has a datatype for.
#pragma once

#include <mpiprof/raw/payload.hpp>
#include <mpiprof/raw/typed_buffer.hpp>

namespace mpiprof::inline v1::raw {

/// Bytes of values as MPI counts their datatype; 0 of none.
template <mpi_values Values>
std::int64_t message_nbytes(Values const& values) noexcept {
    return message_nbytes(message_of(values));
}

}  // namespace mpiprof::inline v1::raw
