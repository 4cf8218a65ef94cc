// The one table of operations: the vocabulary shared by calls, region names, files and reports.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace mpiprof::inline v1 {

/// What kind of thing an operation does.
enum class kind : std::uint8_t {
    none,
    point_to_point,
    collective,
    wait,
    request,
    one_sided,
    io,
    communicator,
    environment,
    query,
};

// Name (the MPI name in lower case without MPI_; see MPI 3.1, annex A.1.1 for the functions) and kind.
#define MPIPROF_OPERATIONS(ROW)                                                                              \
    ROW(send, point_to_point)                                                                                \
    ROW(bsend, point_to_point)                                                                               \
    ROW(ssend, point_to_point)                                                                               \
    ROW(rsend, point_to_point)                                                                               \
    ROW(isend, point_to_point)                                                                               \
    ROW(ibsend, point_to_point)                                                                              \
    ROW(issend, point_to_point)                                                                              \
    ROW(irsend, point_to_point)                                                                              \
    ROW(recv, point_to_point)                                                                                \
    ROW(irecv, point_to_point)                                                                               \
    ROW(mrecv, point_to_point)                                                                               \
    ROW(imrecv, point_to_point)                                                                              \
    ROW(sendrecv, point_to_point)                                                                            \
    ROW(sendrecv_replace, point_to_point)                                                                    \
    ROW(probe, point_to_point)                                                                               \
    ROW(iprobe, point_to_point)                                                                              \
    ROW(mprobe, point_to_point)                                                                              \
    ROW(improbe, point_to_point)                                                                             \
    ROW(send_init, point_to_point)                                                                           \
    ROW(bsend_init, point_to_point)                                                                          \
    ROW(ssend_init, point_to_point)                                                                          \
    ROW(rsend_init, point_to_point)                                                                          \
    ROW(recv_init, point_to_point)                                                                           \
    ROW(wait, wait)                                                                                          \
    ROW(waitall, wait)                                                                                       \
    ROW(waitany, wait)                                                                                       \
    ROW(waitsome, wait)                                                                                      \
    ROW(test, wait)                                                                                          \
    ROW(testall, wait)                                                                                       \
    ROW(testany, wait)                                                                                       \
    ROW(testsome, wait)                                                                                      \
    ROW(start, request)                                                                                      \
    ROW(startall, request)                                                                                   \
    ROW(cancel, request)                                                                                     \
    ROW(request_free, request)                                                                               \
    ROW(barrier, collective)                                                                                 \
    ROW(bcast, collective)                                                                                   \
    ROW(reduce, collective)                                                                                  \
    ROW(allreduce, collective)                                                                               \
    ROW(scan, collective)                                                                                    \
    ROW(exscan, collective)                                                                                  \
    ROW(gather, collective)                                                                                  \
    ROW(gatherv, collective)                                                                                 \
    ROW(scatter, collective)                                                                                 \
    ROW(scatterv, collective)                                                                                \
    ROW(allgather, collective)                                                                               \
    ROW(allgatherv, collective)                                                                              \
    ROW(alltoall, collective)                                                                                \
    ROW(alltoallv, collective)                                                                               \
    ROW(alltoallw, collective)                                                                               \
    ROW(reduce_scatter, collective)                                                                          \
    ROW(reduce_scatter_block, collective)                                                                    \
    ROW(ibarrier, collective)                                                                                \
    ROW(ibcast, collective)                                                                                  \
    ROW(ireduce, collective)                                                                                 \
    ROW(iallreduce, collective)                                                                              \
    ROW(iscan, collective)                                                                                   \
    ROW(iexscan, collective)                                                                                 \
    ROW(igather, collective)                                                                                 \
    ROW(igatherv, collective)                                                                                \
    ROW(iscatter, collective)                                                                                \
    ROW(iscatterv, collective)                                                                               \
    ROW(iallgather, collective)                                                                              \
    ROW(iallgatherv, collective)                                                                             \
    ROW(ialltoall, collective)                                                                               \
    ROW(ialltoallv, collective)                                                                              \
    ROW(ialltoallw, collective)                                                                              \
    ROW(ireduce_scatter, collective)                                                                         \
    ROW(ireduce_scatter_block, collective)                                                                   \
    ROW(comm_dup, communicator)                                                                              \
    ROW(comm_split, communicator)                                                                            \
    ROW(comm_free, communicator)

/// What was called. `none` is no operation: it is nobody's call and nobody's request.
enum class operation : std::uint16_t {
    none,
#define MPIPROF_ROW(NAME, KIND) NAME,
    MPIPROF_OPERATIONS(MPIPROF_ROW)
#undef MPIPROF_ROW
};

namespace detail {

struct operation_row {
    char const* name;
    mpiprof::kind kind;
};

inline constexpr operation_row operation_table[] = {{"", kind::none},
#define MPIPROF_ROW(NAME, KIND) {#NAME, kind::KIND},
                                                    MPIPROF_OPERATIONS(MPIPROF_ROW)
#undef MPIPROF_ROW
};

inline constexpr char const* kind_table[] = {
    "",   "point-to-point", "collective",  "wait", "request", "one-sided",
    "io", "communicator",   "environment", "query"};

constexpr bool equals(char const* name, char const* first, std::size_t length) noexcept {
    for (std::size_t i = 0; i < length; ++i) {
        if (name[i] == '\0' || name[i] != first[i]) return false;
    }
    return name[length] == '\0';
}

}  // namespace detail

#undef MPIPROF_OPERATIONS

/// Number of operations, `none` included; operations are numbered from 0.
inline constexpr std::size_t operation_count =
    sizeof(detail::operation_table) / sizeof(detail::operation_row);
/// Number of kinds, `none` included.
inline constexpr std::size_t kind_count = sizeof(detail::kind_table) / sizeof(char const*);

/// The operation's name, "send" for MPI_Send; "" for `none`.
constexpr char const* name(operation value) noexcept {
    return detail::operation_table[static_cast<std::size_t>(value)].name;
}

/// The operation's kind.
constexpr kind kind_of(operation value) noexcept {
    return detail::operation_table[static_cast<std::size_t>(value)].kind;
}

/// The kind's name as region names spell it, "point-to-point"; "" for `none`.
constexpr char const* name(kind value) noexcept {
    return detail::kind_table[static_cast<std::size_t>(value)];
}

/// The operation of this name (`length` characters, not terminated), `operation::none` if there is none.
constexpr operation find_operation(char const* first, std::size_t length) noexcept {
    for (std::size_t i = 1; i < operation_count; ++i) {
        if (detail::equals(detail::operation_table[i].name, first, length)) return static_cast<operation>(i);
    }
    return operation::none;
}

/// The kind of this name (`length` characters, not terminated), `kind::none` if there is none.
constexpr kind find_kind(char const* first, std::size_t length) noexcept {
    for (std::size_t i = 1; i < kind_count; ++i) {
        if (detail::equals(detail::kind_table[i], first, length)) return static_cast<kind>(i);
    }
    return kind::none;
}

}  // namespace mpiprof::inline v1
