// What the arguments of MPI's functions are for, and how bytes move: the words of the table of functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>

namespace mpiprof::inline v1::raw {

/// What an argument is for.
enum class role : std::uint8_t {
    // A message. bcast and the *_replace functions have one buffer for both sides: it is the send side's.
    send_buffer,
    send_count,
    send_type,
    receive_buffer,
    receive_count,
    receive_type,
    // Its parts, one for each rank or neighbour.
    send_counts,
    send_displacements,
    send_types,
    receive_counts,
    receive_displacements,
    receive_types,
    destination,
    source,
    send_tag,
    receive_tag,
    op,
    root,
    comm,
    comm_pointer,       ///< of a communicator that the call frees
    new_comm,           ///< made of `comm`
    new_comm_of_group,  ///< made by the members of a group; the call's `tag` tells apart those made at once
    new_intercomm,      ///< made of `comm`, which is this side's, and a remote group; `tag` as above
    spawned_comm,       ///< an intercommunicator to processes of another world
    tag,                ///< of a call that makes a communicator: a number, or MPI 4's text
    new_request,        ///< made by the call, which starts it
    new_persistent_request,  ///< made by the call and not started
    request,  ///< given to the call: a pointer, or the handle where the call leaves it as it is
    requests,
    request_count,
    status,
    statuses,
    flag,
    index,
    indices,
    completed_count,
    message,      ///< from a matched probe, used up by the call
    new_message,  ///< found by a matched probe
    window,
    window_pointer,  ///< of a window that the call frees
    new_window,
    target,  ///< rank in the window's communicator
    target_offset,
    target_count,
    target_type,
    file,
    file_pointer,  ///< of a file that the call closes
    new_file,
    partitions,  ///< of a message, each of send_count or receive_count elements
    length,      ///< of the arrays that follow
    in_array,
    out_array,
    in,      ///< any other that is read; callbacks too
    out,     ///< any other that is written
    in_out,  ///< any other that is read and written
};

/// How the bytes of a call follow from its arguments (raw/payload.hpp has the rules). The forms with parts
/// move as their plain form does, nonblocking forms as the blocking one; with a role `new_persistent_request`
/// it is what each start moves.
enum class movement : std::uint8_t {
    nothing,
    send,
    receive,
    exchange,
    bcast,
    reduce,
    allreduce,  ///< scan too
    exscan,
    gather,
    scatter,
    allgather,
    alltoall,
    reduce_scatter,
    neighbor_allgather,
    neighbor_alltoall,
    put,  ///< accumulate too
    get,
    fetch,  ///< what brings back the target's data and changes it
    write,
    read,
};

/// Who writes what an argument refers to. A handle or number that is passed by value is `in`.
enum class direction : std::uint8_t {
    in,
    out,
    in_out,
};

/// What is the length of an array?
enum class array_length : std::uint8_t {
    none,       ///< it is no array, or its length is in no argument
    requests,   ///< the call's request_count
    completed,  ///< what completed_count has after the call; request_count in a call without it
    ranks,      ///< one element for each rank that the call exchanges with, or for each neighbour
    preceding,  ///< the nearest `length` before it
};

/// The direction of an argument of this role. `send_buffer` is `in` though bcast and *_replace write it.
constexpr direction direction_of(role what) noexcept {
    switch (what) {
    case role::receive_buffer:
    case role::new_comm:
    case role::new_comm_of_group:
    case role::new_intercomm:
    case role::spawned_comm:
    case role::new_request:
    case role::new_persistent_request:
    case role::status:
    case role::statuses:
    case role::flag:
    case role::index:
    case role::indices:
    case role::completed_count:
    case role::new_message:
    case role::new_window:
    case role::new_file:
    case role::out_array:
    case role::out:
        return direction::out;
    case role::comm_pointer:
    case role::request:
    case role::requests:
    case role::message:
    case role::window_pointer:
    case role::file_pointer:
    case role::in_out:
        return direction::in_out;
    default:
        return direction::in;
    }
}

/// What tells the length of an array of this role.
constexpr array_length length_of(role what) noexcept {
    switch (what) {
    case role::requests:
        return array_length::requests;
    case role::statuses:
    case role::indices:
        return array_length::completed;
    case role::send_counts:
    case role::send_displacements:
    case role::send_types:
    case role::receive_counts:
    case role::receive_displacements:
    case role::receive_types:
        return array_length::ranks;
    case role::in_array:
    case role::out_array:
        return array_length::preceding;
    default:
        return array_length::none;
    }
}

/// The roles of a function's arguments in order. A function may have none.
template <std::size_t Count>
struct roles {
    role values[Count == 0 ? 1 : Count];

    static constexpr std::size_t size() noexcept { return Count; }
    constexpr role const* begin() const noexcept { return values; }
    constexpr role const* end() const noexcept { return values + Count; }
};
template <class... Role>
roles(Role...) -> roles<sizeof...(Role)>;

namespace detail {

// <type_traits> takes longer to include than all of this.
template <class Type, class Other>
inline constexpr bool is_same = false;
template <class Type>
inline constexpr bool is_same<Type, Type> = true;

template <class Type, class... Others>
inline constexpr bool is_one_of = (is_same<Type, Others> || ...);

template <class Type>
inline constexpr bool is_pointer = false;
template <class Type>
inline constexpr bool is_pointer<Type*> = true;

/// May what it points to be written?
template <class Type>
inline constexpr bool is_pointer_to_writable = is_pointer<Type>;
template <class Type>
inline constexpr bool is_pointer_to_writable<Type const*> = false;

/// May an argument of this role have this type? Numbers of elements are int, or MPI_Count in the functions
/// for large counts; offsets are int, MPI_Aint or MPI_Count.
template <class Argument>
constexpr bool fits(role what) noexcept {
    switch (what) {
    case role::send_buffer:
        return is_one_of<Argument, void const*, void*>;
    case role::receive_buffer:
        return is_same<Argument, void*>;
    case role::send_count:
    case role::receive_count:
    case role::target_count:
        return is_one_of<Argument, int, MPI_Count>;
    case role::send_counts:
    case role::receive_counts:
        return is_one_of<Argument, int const*, MPI_Count const*>;
    case role::send_displacements:
    case role::receive_displacements:
        return is_one_of<Argument, int const*, MPI_Aint const*>;
    case role::send_type:
    case role::receive_type:
    case role::target_type:
        return is_same<Argument, MPI_Datatype>;
    case role::send_types:
    case role::receive_types:
        return is_same<Argument, MPI_Datatype const*>;
    case role::destination:
    case role::source:
    case role::send_tag:
    case role::receive_tag:
    case role::root:
    case role::request_count:
    case role::target:
    case role::partitions:
    case role::length:
        return is_same<Argument, int>;
    case role::tag:
        return is_one_of<Argument, int, char const*>;
    case role::op:
        return is_same<Argument, MPI_Op>;
    case role::comm:
        return is_same<Argument, MPI_Comm>;
    case role::comm_pointer:
    case role::new_comm:
    case role::new_comm_of_group:
    case role::new_intercomm:
    case role::spawned_comm:
        return is_same<Argument, MPI_Comm*>;
    case role::request:
        return is_one_of<Argument, MPI_Request*, MPI_Request>;
    case role::new_request:
    case role::new_persistent_request:
    case role::requests:
        return is_same<Argument, MPI_Request*>;
    case role::status:
    case role::statuses:
        return is_same<Argument, MPI_Status*>;
    case role::flag:
    case role::index:
    case role::indices:
    case role::completed_count:
        return is_same<Argument, int*>;
    case role::message:
    case role::new_message:
        return is_same<Argument, MPI_Message*>;
    case role::window:
        return is_same<Argument, MPI_Win>;
    case role::window_pointer:
    case role::new_window:
        return is_same<Argument, MPI_Win*>;
    case role::target_offset:
        return is_same<Argument, MPI_Aint>;
    case role::file:
        return is_same<Argument, MPI_File>;
    case role::file_pointer:
    case role::new_file:
        return is_same<Argument, MPI_File*>;
    case role::in_array:
        return is_pointer<Argument>;
    case role::out_array:
    case role::out:
    case role::in_out:
        return is_pointer_to_writable<Argument>;
    case role::in:
        return true;
    }
    return false;
}

/// Do the roles fit the function's prototype, one for one?
template <std::size_t Count, class... Arguments>
constexpr bool fit(roles<Count> const& given, int (*)(Arguments...)) noexcept {
    if (Count != sizeof...(Arguments)) return false;
    [[maybe_unused]] auto const* each = given.begin();
    return (fits<Arguments>(*each++) && ...);
}

}  // namespace detail

}  // namespace mpiprof::inline v1::raw
