// How many payload bytes a value is, as far as its type tells.
#pragma once

#include <mpiprof/core/complex_number.hpp>

#include <cstdint>
#include <span>  // brings the concepts of ranges, and takes a quarter of the time of <ranges>
#include <type_traits>

namespace mpiprof::inline v1 {

namespace detail {

template <class T>
inline constexpr bool is_scalar_payload = std::is_arithmetic_v<T> || std::is_enum_v<T> || complex_number<T>;

/// vector<bool> and the like hold no bools that could be sent.
template <class Range>
inline constexpr bool yields_proxies =
    !std::is_reference_v<std::ranges::range_reference_t<Range>> &&
    !std::is_same_v<std::ranges::range_reference_t<Range>, std::ranges::range_value_t<Range>>;

template <class T>
concept payload_range = std::ranges::sized_range<T const> && std::ranges::forward_range<T const> &&
                        std::ranges::range<T> && !yields_proxies<T>;

}  // namespace detail

/// Payload bytes of a value: of a number, enumeration or std::complex its size; of an array, span, string or
/// other sized range of such the sum over its elements, ranges of ranges included. -1 where the type does not
/// tell (pointers, pairs, structs, vector<bool>, ranges of these), also for an empty range of them. Never
/// looks at the elements' values.
template <class T>
constexpr std::int64_t message_nbytes(T const& value) {
    if constexpr (detail::is_scalar_payload<T>) {
        return static_cast<std::int64_t>(sizeof(T));
    } else if constexpr (detail::payload_range<T>) {
        using element = std::ranges::range_value_t<T const>;
        if constexpr (detail::is_scalar_payload<element>) {
            return static_cast<std::int64_t>(std::ranges::size(value)) *
                   static_cast<std::int64_t>(sizeof(element));
        } else if constexpr (detail::payload_range<element>) {
            std::int64_t sum = 0;
            for (auto const& inner : value) {
                auto const bytes = message_nbytes(inner);
                if (bytes < 0) return -1;
                sum += bytes;
            }
            return sum;
        } else {
            return -1;
        }
    } else {
        return -1;
    }
}

}  // namespace mpiprof::inline v1
