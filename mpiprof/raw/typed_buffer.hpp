// The arguments of typed calls as MPI wants them: where values are, how many, and their datatype.
#pragma once

#include <mpiprof/raw/functions.hpp>
#include <mpiprof/raw/message.hpp>
#include <mpiprof/raw/operators.hpp>
#include <mpiprof/raw/values_diagnosis.hpp>

#include <climits>

namespace mpiprof::inline v1::raw {

namespace detail {

/// A number that no int holds becomes a count that MPI rejects, with its own error handling.
[[gnu::always_inline]] constexpr int mpi_count(std::size_t n) noexcept {
    return n > INT_MAX ? -1 : static_cast<int>(n);
}

template <class T>
inline constexpr bool is_in_place = std::is_same_v<std::remove_cvref_t<T>, in_place_type>;

/// Does an argument of type T&& outlive the call, or refer to what does?
template <class T>
inline constexpr bool outlives_call =
    std::is_lvalue_reference_v<T> || std::ranges::enable_borrowed_range<std::remove_cvref_t<T>>;

/// The type whose datatype a call names for these values. Of what is refused some type, so that the compiler
/// says no more than why.
template <class Values>
struct named_part {
    using type = char;
};
template <class Values>
    requires mpi_value<Values>
struct named_part<Values> : parts_of<Values> {};
template <class Values>
    requires(!mpi_value<Values> && mpi_range<Values>)
struct named_part<Values> : parts_of<std::ranges::range_value_t<Values>> {};

template <class Values>
using part_of = typename named_part<std::remove_reference_t<Values>>::type;

/// Of how many parts the values are.
template <class Values>
[[gnu::always_inline]] constexpr std::size_t length(Values& values) noexcept {
    if constexpr (mpi_value<Values>) return parts_of<Values>::count;
    else if constexpr (mpi_range<Values>)
        return static_cast<std::size_t>(std::ranges::size(values)) *
               parts_of<std::ranges::range_value_t<Values>>::count;
    else return 0;
}

/// Where the first one is.
template <class Values>
[[gnu::always_inline]] constexpr auto* first_of(Values& values) noexcept {
    if constexpr (mpi_value<Values>) return &values;
    else return std::ranges::data(values);
}

/// Where a call reads `Values&&`; one that posts a request reads them later.
template <class Values, bool Later>
[[gnu::always_inline]] inline void const* source(std::remove_reference_t<Values> const& values) noexcept {
    if constexpr (mpi_values<Values>) {
        static_assert(
            !Later || outlives_call<Values>,
            "mpiprof: a temporary is gone before the request completes: keep the values in a variable");
        return first_of(values);
    } else {
        refuse<std::remove_reference_t<Values>>();
        return nullptr;
    }
}

/// The same for a collective call, whose values may be in the other buffer.
template <class Values, bool Later>
[[gnu::always_inline]] inline void const*
source_or_in_place([[maybe_unused]] std::remove_reference_t<Values> const& values) noexcept {
    if constexpr (is_in_place<Values>) return MPI_IN_PLACE;
    else return source<Values, Later>(values);
}

/// Where a call writes into `Values&&`.
template <class Values>
[[gnu::always_inline]] inline void* target(std::remove_reference_t<Values>& values) noexcept {
    if constexpr (mpi_values<Values>) {
        constexpr bool writable = std::is_convertible_v<decltype(first_of(values)), void*>;
        static_assert(writable, "mpiprof: the values are const, and would be written to");
        static_assert(outlives_call<Values>,
                      "mpiprof: what is received in a temporary is lost: receive it in a variable");
        if constexpr (writable) return first_of(values);
    } else {
        refuse<std::remove_reference_t<Values>>();
    }
    return nullptr;
}

template <class Values>
[[gnu::always_inline]] inline void*
target_or_in_place([[maybe_unused]] std::remove_reference_t<Values>& values) noexcept {
    if constexpr (is_in_place<Values>) return MPI_IN_PLACE;
    else return target<Values>(values);
}

/// The count of the values of a call.
template <class Values>
[[gnu::always_inline]] constexpr int count_of(Values& values) noexcept {
    return mpi_count(length(values));
}

/// The datatype of the values of a call.
template <class Values>
[[gnu::always_inline]] inline MPI_Datatype type_of() noexcept {
    return datatype_of<part_of<Values>>();
}

/// The datatype of both buffers of a call, one of which may be in place.
template <class One, class Other>
[[gnu::always_inline]] inline MPI_Datatype type_of() noexcept {
    if constexpr (is_in_place<One>) {
        return type_of<Other>();
    } else {
        static_assert(is_in_place<Other> || std::is_same_v<part_of<One>, part_of<Other>>,
                      "mpiprof: the values sent and those received are of different types");
        return type_of<One>();
    }
}

/// MPI's operator for an argument of a call: a function object, or an MPI_Op.
template <class Operator>
[[gnu::always_inline]] inline MPI_Op op_of(Operator const& op) noexcept {
    if constexpr (std::is_same_v<Operator, MPI_Op>) {
        return op;
    } else if constexpr (mpi_operator<Operator>) {
        return operator_of<Operator>();
    } else {
        static_assert(mpi_operator<Operator>,
                      "mpiprof: MPI has no operator of this name: use an MPI_Op, made with MPI_Op_create");
        return MPI_OP_NULL;
    }
}

}  // namespace detail

/// The message that the values are: where they are, how many MPI counts, and their datatype, for MPI's own
/// form of a call. It refers to the values.
template <class Values>
[[gnu::always_inline]] inline message message_of(Values&& values) noexcept {
    return {detail::source<Values, true>(values), static_cast<std::int64_t>(detail::length(values)),
            detail::type_of<Values>()};
}

}  // namespace mpiprof::inline v1::raw
