// How many payload bytes a rank sends and receives in a collective call.
#pragma once

#include <mpiprof/raw/participation.hpp>
#include <mpiprof/raw/payload.hpp>

#include <type_traits>

namespace mpiprof::inline v1::raw::detail {

struct moved_bytes {
    std::int64_t sent = 0;
    std::int64_t received = 0;
};

/// One side of a collective. `Count` is a number for each rank, or an array with one for each; so is `Type`.
/// Byte counts are -1 where they cannot be known.
template <bool Ask, class Count, class Type>
class side_of_collective {
  public:
    constexpr side_of_collective(Count count, Type type) noexcept : count_{count}, type_{type} {}

    /// To or from the rank at this place.
    std::int64_t at(int place) const noexcept {
        if constexpr (!std::is_pointer_v<Count>) return nbytes<Ask>(number(count_), type_);
        else if constexpr (std::is_same_v<Type, MPI_Datatype>)
            return nbytes<Ask>(number(count_[place]), type_);
        else return nbytes<Ask>(number(count_[place]), type_[place]);
    }

    /// To or from the ranks of a group of this size.
    std::int64_t all(int ranks) const noexcept {
        if constexpr (!std::is_pointer_v<Count>) return for_each_rank(at(0), ranks);
        std::int64_t bytes = 0;
        for (int place = 0; place < ranks; ++place) bytes = add_known(bytes, at(place));
        return bytes;
    }

    /// To or from the neighbours that exist.
    std::int64_t all(MPI_Comm comm, neighbors which) const noexcept {
        std::int64_t bytes = 0;
        for_each_neighbor(comm, which, [&](int place) { bytes = add_known(bytes, at(place)); });
        return bytes;
    }

  private:
    template <class Number>
    static constexpr std::int64_t number(Number value) noexcept {
        return static_cast<std::int64_t>(value);
    }

    Count count_;
    Type type_;
};

/// The side with these arguments.
template <class Row, role Count, role Counts, role Type, role Types, class Arguments>
[[gnu::always_inline]] inline auto side(Arguments const& call) noexcept {
    constexpr role count = has<Row>(Counts) ? Counts : Count;
    constexpr role type = has<Row>(Types) ? Types : Type;
    return side_of_collective<Arguments::asks, decltype(call.template get<count>()),
                              decltype(call.template get<type>())>{call.template get<count>(),
                                                                   call.template get<type>()};
}

template <class Row, class Arguments>
[[gnu::always_inline]] inline auto sending_side(Arguments const& call) noexcept {
    using enum role;
    return side<Row, send_count, send_counts, send_type, send_types>(call);
}

template <class Row, class Arguments>
[[gnu::always_inline]] inline auto receiving_side(Arguments const& call) noexcept {
    using enum role;
    return side<Row, receive_count, receive_counts, receive_type, receive_types>(call);
}

template <class Arguments>
MPI_Comm comm_of(Arguments const& call) noexcept {
    return call.template get<role::comm>();
}

template <class Row, class Arguments>
moved_bytes gather_nbytes(Arguments const& call) noexcept {
    auto const part = part_in(comm_of(call), call.template get<role::root>());
    moved_bytes moved;
    if (part.is_member) {
        moved.sent = part.is_root && sends_in_place(call) ? receiving_side<Row>(call).at(part.rank)
                                                          : sent_nbytes(call);
    }
    if (part.is_root) moved.received = receiving_side<Row>(call).all(part.ranks);
    return moved;
}

template <class Row, class Arguments>
moved_bytes scatter_nbytes(Arguments const& call) noexcept {
    auto const part = part_in(comm_of(call), call.template get<role::root>());
    moved_bytes moved;
    if (part.is_root) moved.sent = sending_side<Row>(call).all(part.ranks);
    if (part.is_member) {
        moved.received = part.is_root && receives_in_place(call) ? sending_side<Row>(call).at(part.rank)
                                                                 : received_nbytes(call);
    }
    return moved;
}

/// On an intercommunicator too the parts are those of the local group's ranks (MPI 3.1, section 5.10).
template <class Row, class Arguments>
moved_bytes reduce_scatter_nbytes(Arguments const& call) noexcept {
    auto const parts = receiving_side<Row>(call);
    return {parts.all(size_of_group(comm_of(call))), parts.at(rank_in_group(comm_of(call)))};
}

/// Bytes of a collective (DESIGN section 4: each byte once). Arguments that are significant at the root only
/// are looked at by the root only.
template <class Row, class Arguments>
[[gnu::always_inline]] inline moved_bytes collective_nbytes(Arguments const& call) noexcept {
    constexpr auto how = Row::movement;
    moved_bytes moved;
    if constexpr (how == movement::bcast) {
        auto const part = part_in(comm_of(call), call.template get<role::root>());
        if (part.is_root) moved.sent = sent_nbytes(call);
        else if (part.is_member) moved.received = sent_nbytes(call);
    } else if constexpr (how == movement::reduce) {
        auto const part = part_in(comm_of(call), call.template get<role::root>());
        if (part.is_member) moved.sent = sent_nbytes(call);
        if (part.is_root) moved.received = sent_nbytes(call);
    } else if constexpr (how == movement::allreduce) {
        moved.sent = moved.received = sent_nbytes(call);
    } else if constexpr (how == movement::exscan) {
        moved.sent = sent_nbytes(call);
        if (rank_in_group(comm_of(call)) != 0) moved.received = moved.sent;
    } else if constexpr (how == movement::gather) {
        moved = gather_nbytes<Row>(call);
    } else if constexpr (how == movement::scatter) {
        moved = scatter_nbytes<Row>(call);
    } else if constexpr (how == movement::allgather) {
        auto const received = receiving_side<Row>(call);
        moved.sent = sends_in_place(call) ? received.at(rank_in_group(comm_of(call))) : sent_nbytes(call);
        moved.received = received.all(partners_in(comm_of(call)));
    } else if constexpr (how == movement::alltoall) {
        int const partners = partners_in(comm_of(call));
        moved.received = receiving_side<Row>(call).all(partners);
        moved.sent = sends_in_place(call) ? moved.received : sending_side<Row>(call).all(partners);
    } else if constexpr (how == movement::reduce_scatter) {
        moved = reduce_scatter_nbytes<Row>(call);
    } else if constexpr (how == movement::neighbor_allgather || how == movement::neighbor_alltoall) {
        moved.sent = sending_side<Row>(call).all(comm_of(call), neighbors::out);
        moved.received = receiving_side<Row>(call).all(comm_of(call), neighbors::in);
    }
    return moved;
}

}  // namespace mpiprof::inline v1::raw::detail
