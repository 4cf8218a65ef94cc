// The counts of collective calls from the sizes of their buffers. A size that does not fit is a count of -1,
// which MPI rejects as MPI_ERR_COUNT, with the communicator's error handler.
#pragma once

#include <mpiprof/raw/participation.hpp>
#include <mpiprof/raw/typed_buffer.hpp>

namespace mpiprof::inline v1::raw::detail {

/// The count of each of `parts` equal parts.
constexpr int count_of_each(std::size_t n, int parts) noexcept {
    if (parts <= 0) return n == 0 ? 0 : -1;
    auto const divisor = static_cast<std::size_t>(parts);
    return n % divisor == 0 ? mpi_count(n / divisor) : -1;
}

/// The count of one buffer where that of the other is `other`: not every call looks at both.
constexpr int count_beside(int other, int count) noexcept { return other < 0 ? -1 : count; }

/// Of two buffers of the same length.
[[gnu::always_inline]] constexpr int common_count(std::size_t one, std::size_t other) noexcept {
    return one == other ? mpi_count(one) : -1;
}

/// Of a reduction, whose buffers have the same length.
template <class In, class Out>
[[gnu::always_inline]] inline int count_to_reduce(In& in, Out& out) noexcept {
    if constexpr (is_in_place<In>) return count_of(out);
    else return common_count(length(in), length(out));
}

/// Of a reduction to a root: the root alone has a result, and has only that in an intercommunicator.
template <class In, class Out>
[[gnu::always_inline]] inline int count_to_reduce(In& in, Out& out, int root, MPI_Comm comm) noexcept {
    if (is_in_place<In> || length(in) == length(out)) return count_to_reduce(in, out);
    if (root == MPI_ROOT) return count_of(out);
    return part_in(comm, root).is_root ? -1 : count_of(in);
}

/// Of the part of a reduction that each rank of the group gets.
template <class In, class Out>
inline int count_to_reduce_and_scatter(In& in, Out& out, MPI_Comm comm) noexcept {
    int const ranks = size_of_group(comm);
    if constexpr (is_in_place<In>) return count_of_each(length(out), ranks);
    else return length(in) == length(out) * static_cast<std::size_t>(ranks) ? count_of(out) : -1;
}

/// Of the part for, or of, each rank in the buffer that only the root has; 0 on others.
template <class Values>
inline int count_of_each_at_root(Values& values, int root, MPI_Comm comm) noexcept {
    auto const part = part_in(comm, root);
    return part.is_root ? count_of_each(length(values), part.ranks) : 0;
}

/// How many ranks or neighbours a call of the row's function exchanges with.
template <class Row, neighbors Which>
inline int number_of_parts(MPI_Comm comm) noexcept {
    if constexpr (Row::movement == movement::neighbor_allgather ||
                  Row::movement == movement::neighbor_alltoall)
        return number_of_neighbors(comm, Which);
    else return partners_in(comm);
}

/// Of the part of each rank or neighbour.
template <class Row, class Out>
inline int count_of_each_received(Out& out, MPI_Comm comm) noexcept {
    return count_of_each(length(out), number_of_parts<Row, neighbors::in>(comm));
}

struct counts_of_each {
    int sent;
    int received;
};

/// Does the library refuse counts that differ where there are no neighbours to send to, or none to receive
/// from? Open MPI 4 does; MPICH refuses a count of what there is not.
#ifdef OPEN_MPI
inline constexpr bool wants_equal_counts = true;
#else
inline constexpr bool wants_equal_counts = false;
#endif

/// Of the parts for and of each rank or neighbour.
template <class Row, class In, class Out>
inline counts_of_each counts_to_exchange(In& in, Out& out, MPI_Comm comm) noexcept {
    int const from = number_of_parts<Row, neighbors::in>(comm);
    int const received = count_of_each(length(out), from);
    if constexpr (is_in_place<In>) return {received, received};
    int const to = number_of_parts<Row, neighbors::out>(comm);
    int const sent = count_of_each(length(in), to);
    if (sent < 0 || received < 0) return {-1, -1};
    if (!wants_equal_counts) return {sent, received};
    return {to == 0 ? received : sent, from == 0 ? sent : received};
}

/// Counts or displacements as MPI takes them.
template <class List, bool Later>
[[gnu::always_inline]] inline int const* list_of(std::remove_reference_t<List> const& list) noexcept {
    static_assert(std::is_same_v<part_of<List>, int>, "mpiprof: counts and displacements are ranges of int");
    return static_cast<int const*>(source<List, Later>(list));
}

}  // namespace mpiprof::inline v1::raw::detail
