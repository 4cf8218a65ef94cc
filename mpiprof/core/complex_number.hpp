// std::complex, known by its form: <complex> takes a quarter of a second to include.
#pragma once

#include <mpiprof/core/config.hpp>

#include <concepts>
#include <type_traits>

namespace mpiprof::inline v1::detail {

template <class T>
concept standard_floating_point =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, long double>;

/// A class of the form of std::complex: a real and an imaginary number, and nothing else.
template <class T>
concept complex_number = std::is_class_v<T> && requires(T const& value) {
    requires standard_floating_point<typename T::value_type>;
    { value.real() } -> std::same_as<typename T::value_type>;
    { value.imag() } -> std::same_as<typename T::value_type>;
    T(value.real(), value.imag());
    requires sizeof(T) == 2 * sizeof(typename T::value_type) && std::is_trivially_copyable_v<T>;
};

}  // namespace mpiprof::inline v1::detail
