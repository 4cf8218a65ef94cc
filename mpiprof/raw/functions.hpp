// The rows of the table of MPI functions as types.
#pragma once

#include <mpiprof/core/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <type_traits>

namespace mpiprof::inline v1::raw {

/// What an argument is for.
enum class role : std::uint8_t {
    send_buffer,
    send_count,
    send_type,
    receive_buffer,
    receive_count,
    receive_type,
    destination,
    source,
    send_tag,
    receive_tag,
    op,
    root,
    comm,
    comm_pointer,
    new_comm,
    color,
    key,
    request,
    requests,
    request_count,
    status,
    statuses,
    flag,
    index,
};

/// How the bytes of a call follow from its arguments (raw/payload.hpp has the rules).
enum class movement : std::uint8_t {
    nothing,
    send,
    receive,
    exchange,
    bcast,
    reduce,
    allreduce,
    gather,
    scatter,
    allgather,
    alltoall,
};

namespace detail {

/// May an argument of this role have this type?
template <class Argument>
constexpr bool fits(role what) noexcept {
    switch (what) {
    case role::send_buffer:
    case role::receive_buffer:
        return std::is_same_v<Argument, void const*> || std::is_same_v<Argument, void*>;
    case role::send_type:
    case role::receive_type:
        return std::is_same_v<Argument, MPI_Datatype>;
    case role::op:
        return std::is_same_v<Argument, MPI_Op>;
    case role::comm:
        return std::is_same_v<Argument, MPI_Comm>;
    case role::comm_pointer:
    case role::new_comm:
        return std::is_same_v<Argument, MPI_Comm*>;
    case role::request:
    case role::requests:
        return std::is_same_v<Argument, MPI_Request*>;
    case role::status:
    case role::statuses:
        return std::is_same_v<Argument, MPI_Status*>;
    case role::flag:
    case role::index:
        return std::is_same_v<Argument, int*>;
    case role::send_count:
    case role::receive_count:
    case role::destination:
    case role::source:
    case role::send_tag:
    case role::receive_tag:
    case role::root:
    case role::color:
    case role::key:
    case role::request_count:
        return std::is_same_v<Argument, int>;
    }
    return false;
}

/// Do the roles fit the function's prototype, one for one?
template <std::size_t Count, class... Arguments>
constexpr bool fit(role const (&roles)[Count], int (*)(Arguments...)) noexcept {
    if (Count != sizeof...(Arguments)) return false;
    std::size_t i = 0;
    return (fits<Arguments>(roles[i++]) && ...);
}

}  // namespace detail

/// The place of the argument with this role in the row's function, -1 if it has none.
template <class Row>
constexpr int place_of(role what) noexcept {
    int place = 0;
    for (auto const each : Row::roles) {
        if (each == what) return place;
        ++place;
    }
    return -1;
}

/// Has the row's function an argument with this role?
template <class Row>
constexpr bool has(role what) noexcept {
    return place_of<Row>(what) >= 0;
}

/// One type for each row, named as the function is without MPI_.
namespace rows {

using enum role;

#define MPIPROF_FUNCTION(NAME, OPERATION, MOVEMENT, ...)                                                     \
    struct NAME {                                                                                            \
        static constexpr auto function = &MPI_##NAME;                                                        \
        static constexpr mpiprof::operation operation = mpiprof::operation::OPERATION;                       \
        static constexpr raw::movement movement = raw::movement::MOVEMENT;                                   \
        static constexpr role roles[] = {__VA_ARGS__};                                                       \
        static constexpr char const* name = "MPI_" #NAME;                                                    \
    };                                                                                                       \
    static_assert(detail::fit(NAME::roles, NAME::function), "the roles do not fit MPI_" #NAME);
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

}  // namespace rows

}  // namespace mpiprof::inline v1::raw
