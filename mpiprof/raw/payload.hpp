// How many payload bytes a message is.
#pragma once

#include <mpiprof/raw/arguments.hpp>
#include <mpiprof/raw/message.hpp>
#include <mpiprof/raw/type_sizes.hpp>

#include <mpi.h>

namespace mpiprof::inline v1::raw {

namespace detail {

/// Bytes of `count` elements of `type`; where MPI may not be asked, -1 for types whose sizes are not at hand.
template <bool Ask>
[[gnu::always_inline]] inline std::int64_t nbytes(std::int64_t count, MPI_Datatype type) noexcept {
    if (count == 0) return 0;
    if (count < 0) return -1;
    auto size = type_sizes::find(type);
    if constexpr (Ask) {
        if (size < 0) size = ask_size_of(type);
    }
    std::int64_t bytes = 0;
    return size < 0 || __builtin_mul_overflow(count, size, &bytes) ? -1 : bytes;
}

}  // namespace detail

/// Bytes of `count` elements of `type`: count times MPI_Type_size_x, never the extent. 0 for a count of 0,
/// whatever the type, which is not asked then; -1 where it cannot be known (a negative count, an error, 2^63
/// or more).
inline std::int64_t message_nbytes(std::int64_t count, MPI_Datatype type) noexcept {
    return detail::nbytes<true>(count, type);
}

/// Bytes of a message; -1 where it cannot be known.
inline std::int64_t message_nbytes(message const& value) noexcept {
    return message_nbytes(value.count, value.datatype);
}

namespace detail {

/// `bytes` for each of `ranks` ranks; -1 stays -1.
constexpr std::int64_t for_each_rank(std::int64_t bytes, std::int64_t ranks) noexcept {
    std::int64_t sum = 0;
    return bytes < 0 || __builtin_mul_overflow(bytes, ranks, &sum) ? -1 : sum;
}

/// a + b; -1 where one of them is.
constexpr std::int64_t add_known(std::int64_t a, std::int64_t b) noexcept {
    std::int64_t sum = 0;
    return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum) ? -1 : sum;
}

template <class Arguments>
[[gnu::always_inline]] inline std::int64_t sent_nbytes(Arguments const& call) noexcept {
    return nbytes<Arguments::asks>(static_cast<std::int64_t>(call.template get<role::send_count>()),
                                   call.template get<role::send_type>());
}

template <class Arguments>
[[gnu::always_inline]] inline std::int64_t received_nbytes(Arguments const& call) noexcept {
    return nbytes<Arguments::asks>(static_cast<std::int64_t>(call.template get<role::receive_count>()),
                                   call.template get<role::receive_type>());
}

/// With MPI_IN_PLACE for a buffer its count and type are not significant, and the other side's stand for
/// them.
template <class Arguments>
[[gnu::always_inline]] inline bool sends_in_place(Arguments const& call) noexcept {
    return call.template get<role::send_buffer>() == MPI_IN_PLACE;
}

template <class Arguments>
[[gnu::always_inline]] inline bool receives_in_place(Arguments const& call) noexcept {
    return call.template get<role::receive_buffer>() == MPI_IN_PLACE;
}

}  // namespace detail

}  // namespace mpiprof::inline v1::raw
