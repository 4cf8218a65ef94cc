// What typed calls take: values in memory that MPI has a datatype for.
#pragma once

#include <mpiprof/raw/datatype.hpp>

#include <array>
#include <cstddef>
#include <span>  // brings the concepts of ranges, and takes a quarter of the time of <ranges>
#include <type_traits>

namespace mpiprof::inline v1::raw {

namespace detail {

/// What a value is made of for MPI: an array of its elements, down to the last; anything else of itself.
template <class T>
struct parts {
    using type = T;
    static constexpr std::size_t count = 1;
};

template <class T, std::size_t N>
struct parts<T[N]> {
    using type = typename parts<std::remove_cv_t<T>>::type;
    static constexpr std::size_t count = N * parts<std::remove_cv_t<T>>::count;
};

template <class T, std::size_t N>
struct parts<std::array<T, N>> {
    using type = typename parts<std::remove_cv_t<T>>::type;
    static constexpr std::size_t count = N * parts<std::remove_cv_t<T>>::count;
};

template <class T>
using parts_of = parts<std::remove_cv_t<T>>;

}  // namespace detail

/// A value of one datatype, or an array of such: a std::array or C array of any number of dimensions.
template <class T>
concept mpi_value = mpi_type<typename detail::parts_of<T>::type>;

/// A range of such values in one piece of memory, which knows its size: std::vector, std::span, std::string.
template <class T>
concept mpi_range = std::ranges::contiguous_range<T> && std::ranges::sized_range<T> &&
                    mpi_value<std::ranges::range_value_t<T>>;

/// What typed calls take. Satisfied by double, an enumeration, std::vector<std::array<int, 3>>,
/// std::span<float const>, char[6]; not by pointers, std::optional, std::vector<bool>, std::list,
/// std::vector<std::string>, structs.
template <class T>
concept mpi_values = mpi_value<std::remove_reference_t<T>> || mpi_range<std::remove_reference_t<T>>;

/// In the place of the values that a rank sends in a collective call: they are in the other buffer
/// (MPI_IN_PLACE, MPI 3.1, section 5.2.1). In a scatter, in the place of those that its root receives.
struct in_place_type {};
inline constexpr in_place_type in_place{};

}  // namespace mpiprof::inline v1::raw
