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

/// Where the message of one call is to be seen. A call that makes a persistent request moves none; the last
/// three say what starting such a request does.
enum class message_side : std::uint8_t {
    none,       ///< it moves none: waits, probes, barriers, files, what only prepares
    sent,       ///< sent by the call
    received,   ///< received by the call
    both,       ///< sent and received by the call, with one peer: one-sided calls that fetch
    arriving,   ///< received by the request that the call makes
    exchanged,  ///< sent by the call, and another one received by a completion of its own
    shared,     ///< by a group: what the call sends, or else what it receives
    sent_when_started,
    arriving_when_started,
    shared_when_started,
};

// Name (the MPI name in lower case without MPI_; see MPI 3.1, annex A.1.1 for the functions), kind and
// message.
#define MPIPROF_OPERATIONS(ROW)                                                                              \
    ROW(send, point_to_point, sent)                                                                          \
    ROW(bsend, point_to_point, sent)                                                                         \
    ROW(ssend, point_to_point, sent)                                                                         \
    ROW(rsend, point_to_point, sent)                                                                         \
    ROW(isend, point_to_point, sent)                                                                         \
    ROW(ibsend, point_to_point, sent)                                                                        \
    ROW(issend, point_to_point, sent)                                                                        \
    ROW(irsend, point_to_point, sent)                                                                        \
    ROW(recv, point_to_point, received)                                                                      \
    ROW(irecv, point_to_point, arriving)                                                                     \
    ROW(mrecv, point_to_point, received)                                                                     \
    ROW(imrecv, point_to_point, arriving)                                                                    \
    ROW(sendrecv, point_to_point, exchanged)                                                                 \
    ROW(sendrecv_replace, point_to_point, exchanged)                                                         \
    ROW(probe, point_to_point, none)                                                                         \
    ROW(iprobe, point_to_point, none)                                                                        \
    ROW(mprobe, point_to_point, none)                                                                        \
    ROW(improbe, point_to_point, none)                                                                       \
    ROW(send_init, point_to_point, sent_when_started)                                                        \
    ROW(bsend_init, point_to_point, sent_when_started)                                                       \
    ROW(ssend_init, point_to_point, sent_when_started)                                                       \
    ROW(rsend_init, point_to_point, sent_when_started)                                                       \
    ROW(recv_init, point_to_point, arriving_when_started)                                                    \
    ROW(wait, wait, none)                                                                                    \
    ROW(waitall, wait, none)                                                                                 \
    ROW(waitany, wait, none)                                                                                 \
    ROW(waitsome, wait, none)                                                                                \
    ROW(test, wait, none)                                                                                    \
    ROW(testall, wait, none)                                                                                 \
    ROW(testany, wait, none)                                                                                 \
    ROW(testsome, wait, none)                                                                                \
    ROW(start, request, none)                                                                                \
    ROW(startall, request, none)                                                                             \
    ROW(cancel, request, none)                                                                               \
    ROW(request_free, request, none)                                                                         \
    ROW(barrier, collective, none)                                                                           \
    ROW(bcast, collective, shared)                                                                           \
    ROW(reduce, collective, shared)                                                                          \
    ROW(allreduce, collective, shared)                                                                       \
    ROW(scan, collective, shared)                                                                            \
    ROW(exscan, collective, shared)                                                                          \
    ROW(gather, collective, shared)                                                                          \
    ROW(gatherv, collective, shared)                                                                         \
    ROW(scatter, collective, shared)                                                                         \
    ROW(scatterv, collective, shared)                                                                        \
    ROW(allgather, collective, shared)                                                                       \
    ROW(allgatherv, collective, shared)                                                                      \
    ROW(alltoall, collective, shared)                                                                        \
    ROW(alltoallv, collective, shared)                                                                       \
    ROW(alltoallw, collective, shared)                                                                       \
    ROW(reduce_scatter, collective, shared)                                                                  \
    ROW(reduce_scatter_block, collective, shared)                                                            \
    ROW(ibarrier, collective, none)                                                                          \
    ROW(ibcast, collective, shared)                                                                          \
    ROW(ireduce, collective, shared)                                                                         \
    ROW(iallreduce, collective, shared)                                                                      \
    ROW(iscan, collective, shared)                                                                           \
    ROW(iexscan, collective, shared)                                                                         \
    ROW(igather, collective, shared)                                                                         \
    ROW(igatherv, collective, shared)                                                                        \
    ROW(iscatter, collective, shared)                                                                        \
    ROW(iscatterv, collective, shared)                                                                       \
    ROW(iallgather, collective, shared)                                                                      \
    ROW(iallgatherv, collective, shared)                                                                     \
    ROW(ialltoall, collective, shared)                                                                       \
    ROW(ialltoallv, collective, shared)                                                                      \
    ROW(ialltoallw, collective, shared)                                                                      \
    ROW(ireduce_scatter, collective, shared)                                                                 \
    ROW(ireduce_scatter_block, collective, shared)                                                           \
    ROW(comm_dup, communicator, none)                                                                        \
    ROW(comm_split, communicator, none)                                                                      \
    ROW(comm_create, communicator, none)                                                                     \
    ROW(cart_create, communicator, none)                                                                     \
    ROW(cart_sub, communicator, none)                                                                        \
    ROW(graph_create, communicator, none)                                                                    \
    ROW(intercomm_create, communicator, none)                                                                \
    ROW(intercomm_merge, communicator, none)                                                                 \
    ROW(comm_free, communicator, none)

/// What was called. `none` is no operation: it is nobody's call and nobody's request.
enum class operation : std::uint16_t {
    none,
#define MPIPROF_ROW(NAME, KIND, MESSAGE) NAME,
    MPIPROF_OPERATIONS(MPIPROF_ROW)
#undef MPIPROF_ROW
};

namespace detail {

struct operation_row {
    char const* name;
    mpiprof::kind kind;
    message_side message;
};

inline constexpr operation_row operation_table[] = {{"", kind::none, message_side::none},
#define MPIPROF_ROW(NAME, KIND, MESSAGE) {#NAME, kind::KIND, message_side::MESSAGE},
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

/// Where the message of a call of this operation is to be seen; for a start `request` is the operation that
/// made the request. A start of several requests moves no one message by itself.
constexpr message_side message_side_of(operation value, operation request = operation::none) noexcept {
    bool const starts = value == operation::start;
    auto const of = starts ? request : value;
    switch (auto const side = detail::operation_table[static_cast<std::size_t>(of)].message) {
    case message_side::sent_when_started:
        return starts ? message_side::sent : message_side::none;
    case message_side::arriving_when_started:
        return starts ? message_side::arriving : message_side::none;
    case message_side::shared_when_started:
        return starts ? message_side::shared : message_side::none;
    default:
        return starts ? message_side::none : side;
    }
}

/// Does the completion of a request that this operation made, or of the receive side of such a call, bring a
/// message?
constexpr bool completion_brings_message(operation value) noexcept {
    auto const side = detail::operation_table[static_cast<std::size_t>(value)].message;
    return side == message_side::arriving || side == message_side::arriving_when_started ||
           side == message_side::exchanged;
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
