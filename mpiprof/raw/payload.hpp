// How many payload bytes a call sends and receives (DESIGN section 4: each byte once).
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/raw/arguments.hpp>
#include <mpiprof/raw/arrived.hpp>
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

/// A message as the C API describes it.
struct message {
    void const* buffer;
    std::int64_t count;
    MPI_Datatype datatype;
};

/// Bytes of a message; -1 where it cannot be known.
inline std::int64_t message_nbytes(message const& value) noexcept {
    return message_nbytes(value.count, value.datatype);
}

namespace detail {

struct moved_bytes {
    std::int64_t sent = 0;
    std::int64_t received = 0;
};

/// `bytes` for each of `ranks` ranks; -1 stays -1.
constexpr std::int64_t for_each_rank(std::int64_t bytes, std::int64_t ranks) noexcept {
    std::int64_t sum = 0;
    return bytes < 0 || __builtin_mul_overflow(bytes, ranks, &sum) ? -1 : sum;
}

/// The calling rank's place in a collective.
struct participation {
    /// Ranks that it exchanges with: all of an intracommunicator, the remote group of an intercommunicator.
    int ranks = 0;
    /// Does it give the root's data, or get the root's result?
    bool is_root = false;
    /// Does it take part as one of those who are not the root, or not only the root?
    bool is_member = true;
};

inline int ranks_of(MPI_Comm comm, bool between) noexcept {
    int ranks = 0;
    between ? PMPI_Comm_remote_size(comm, &ranks) : PMPI_Comm_size(comm, &ranks);
    return ranks;
}

inline participation part_in(MPI_Comm comm) noexcept {
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    return {ranks_of(comm, between != 0), true, true};
}

/// In the root's group of an intercommunicator only MPI_ROOT moves anything (MPI 3.1, section 5.2.3).
inline participation part_in(MPI_Comm comm, int root) noexcept {
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    if (between != 0) {
        bool const other_group = root != MPI_ROOT && root != MPI_PROC_NULL;
        return {ranks_of(comm, true), root == MPI_ROOT, other_group};
    }
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return {ranks_of(comm, false), rank == root, true};
}

template <class Arguments>
[[gnu::always_inline]] inline std::int64_t sent_nbytes(Arguments const& call) noexcept {
    return nbytes<Arguments::asks>(call.template get<role::send_count>(),
                                   call.template get<role::send_type>());
}

template <class Arguments>
[[gnu::always_inline]] inline std::int64_t received_nbytes(Arguments const& call) noexcept {
    return nbytes<Arguments::asks>(call.template get<role::receive_count>(),
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

/// Bytes of a collective. Arguments that are significant at the root only are looked at by the root only.
template <class Row, class Arguments>
[[gnu::always_inline]] inline moved_bytes collective_nbytes(Arguments const& call) noexcept {
    constexpr auto how = Row::movement;
    moved_bytes moved;
    if constexpr (how == movement::bcast) {
        auto const part = part_in(call.template get<role::comm>(), call.template get<role::root>());
        if (part.is_root) moved.sent = sent_nbytes(call);
        else if (part.is_member) moved.received = sent_nbytes(call);
    } else if constexpr (how == movement::reduce) {
        auto const part = part_in(call.template get<role::comm>(), call.template get<role::root>());
        if (part.is_member) moved.sent = sent_nbytes(call);
        if (part.is_root) moved.received = sent_nbytes(call);
    } else if constexpr (how == movement::allreduce) {
        moved.sent = moved.received = sent_nbytes(call);
    } else if constexpr (how == movement::gather) {
        auto const part = part_in(call.template get<role::comm>(), call.template get<role::root>());
        if (part.is_member)
            moved.sent = part.is_root && sends_in_place(call) ? received_nbytes(call) : sent_nbytes(call);
        if (part.is_root) moved.received = for_each_rank(received_nbytes(call), part.ranks);
    } else if constexpr (how == movement::scatter) {
        auto const part = part_in(call.template get<role::comm>(), call.template get<role::root>());
        if (part.is_root) moved.sent = for_each_rank(sent_nbytes(call), part.ranks);
        if (part.is_member) {
            moved.received =
                part.is_root && receives_in_place(call) ? sent_nbytes(call) : received_nbytes(call);
        }
    } else if constexpr (how == movement::allgather) {
        auto const part = part_in(call.template get<role::comm>());
        moved.sent = sends_in_place(call) ? received_nbytes(call) : sent_nbytes(call);
        moved.received = for_each_rank(received_nbytes(call), part.ranks);
    } else if constexpr (how == movement::alltoall) {
        auto const part = part_in(call.template get<role::comm>());
        moved.sent =
            for_each_rank(sends_in_place(call) ? received_nbytes(call) : sent_nbytes(call), part.ranks);
        moved.received = for_each_rank(received_nbytes(call), part.ranks);
    }
    return moved;
}

}  // namespace detail

}  // namespace mpiprof::inline v1::raw
