// MPI's datatype for a C++ type.
#pragma once

#include <mpiprof/core/complex_number.hpp>

#include <cstddef>
#include <mpi.h>
#include <type_traits>

namespace mpiprof::inline v1::raw {

namespace detail {

template <class T>
struct named_type;

// MPI 3.1, section 3.2.2 and annex A.1.1.
#define MPIPROF_TYPE(CPLUSPLUS, NAMED)                                                                       \
    template <>                                                                                              \
    struct named_type<CPLUSPLUS> {                                                                           \
        [[gnu::always_inline]] static MPI_Datatype get() noexcept { return NAMED; }                          \
    };
MPIPROF_TYPE(char, MPI_CHAR)
MPIPROF_TYPE(signed char, MPI_SIGNED_CHAR)
MPIPROF_TYPE(unsigned char, MPI_UNSIGNED_CHAR)
MPIPROF_TYPE(wchar_t, MPI_WCHAR)
MPIPROF_TYPE(char8_t, MPI_UINT8_T)
MPIPROF_TYPE(char16_t, MPI_UINT16_T)
MPIPROF_TYPE(char32_t, MPI_UINT32_T)
MPIPROF_TYPE(short, MPI_SHORT)
MPIPROF_TYPE(unsigned short, MPI_UNSIGNED_SHORT)
MPIPROF_TYPE(int, MPI_INT)
MPIPROF_TYPE(unsigned, MPI_UNSIGNED)
MPIPROF_TYPE(long, MPI_LONG)
MPIPROF_TYPE(unsigned long, MPI_UNSIGNED_LONG)
MPIPROF_TYPE(long long, MPI_LONG_LONG)
MPIPROF_TYPE(unsigned long long, MPI_UNSIGNED_LONG_LONG)
MPIPROF_TYPE(float, MPI_FLOAT)
MPIPROF_TYPE(double, MPI_DOUBLE)
MPIPROF_TYPE(long double, MPI_LONG_DOUBLE)
MPIPROF_TYPE(bool, MPI_CXX_BOOL)
MPIPROF_TYPE(std::byte, MPI_BYTE)
#undef MPIPROF_TYPE

template <class T>
    requires std::is_enum_v<T>
struct named_type<T> : named_type<std::underlying_type_t<T>> {};

template <mpiprof::detail::complex_number T>
struct named_type<T> {
    [[gnu::always_inline]] static MPI_Datatype get() noexcept {
        using number = typename T::value_type;
        if constexpr (std::is_same_v<number, float>) return MPI_CXX_FLOAT_COMPLEX;
        else if constexpr (std::is_same_v<number, double>) return MPI_CXX_DOUBLE_COMPLEX;
        else return MPI_CXX_LONG_DOUBLE_COMPLEX;
    }
};

}  // namespace detail

/// A type that MPI has a name for: an arithmetic type, an enumeration (by the type that it is kept as),
/// std::byte, std::complex of a floating-point type.
template <class T>
concept mpi_type = requires { detail::named_type<std::remove_cv_t<T>>::get(); };

/// MPI's named datatype for T.
template <mpi_type T>
[[gnu::always_inline]] inline MPI_Datatype datatype_of() noexcept {
    return detail::named_type<std::remove_cv_t<T>>::get();
}

}  // namespace mpiprof::inline v1::raw
