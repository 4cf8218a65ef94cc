// MPI's reduction operator for a C++ function object.
#pragma once

#include <mpiprof/core/function_objects.hpp>
#include <mpiprof/core/operators.hpp>

#include <mpi.h>

namespace mpiprof::inline v1::raw {

namespace detail {

template <class Operator>
struct named_operator;

#define MPIPROF_OPERATOR(CPLUSPLUS, NAMED)                                                                   \
    template <>                                                                                              \
    struct named_operator<CPLUSPLUS> {                                                                       \
        [[gnu::always_inline]] static MPI_Op get() noexcept { return NAMED; }                                \
    };
MPIPROF_OPERATOR(maximum, MPI_MAX)
MPIPROF_OPERATOR(minimum, MPI_MIN)
#undef MPIPROF_OPERATOR

#define MPIPROF_OPERATOR(CPLUSPLUS, NAMED)                                                                   \
    template <class T>                                                                                       \
    struct named_operator<CPLUSPLUS<T>> {                                                                    \
        [[gnu::always_inline]] static MPI_Op get() noexcept { return NAMED; }                                \
    };
MPIPROF_OPERATOR(std::plus, MPI_SUM)
MPIPROF_OPERATOR(std::multiplies, MPI_PROD)
MPIPROF_OPERATOR(std::logical_and, MPI_LAND)
MPIPROF_OPERATOR(std::logical_or, MPI_LOR)
MPIPROF_OPERATOR(std::bit_and, MPI_BAND)
MPIPROF_OPERATOR(std::bit_or, MPI_BOR)
MPIPROF_OPERATOR(std::bit_xor, MPI_BXOR)
#undef MPIPROF_OPERATOR

}  // namespace detail

/// An operator that MPI has a name for.
template <class Operator>
concept mpi_operator = requires { detail::named_operator<Operator>::get(); };

/// MPI's named operator for a function object type.
template <mpi_operator Operator>
[[gnu::always_inline]] inline MPI_Op operator_of() noexcept {
    return detail::named_operator<Operator>::get();
}

}  // namespace mpiprof::inline v1::raw
