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
/// ones say what starting such a request does.
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
    ROW(sendrecv, point_to_point, exchanged)                                                                 \
    ROW(sendrecv_replace, point_to_point, exchanged)                                                         \
    ROW(isendrecv, point_to_point, exchanged)                                                                \
    ROW(isendrecv_replace, point_to_point, exchanged)                                                        \
    ROW(probe, point_to_point, none)                                                                         \
    ROW(iprobe, point_to_point, none)                                                                        \
    ROW(mprobe, point_to_point, none)                                                                        \
    ROW(improbe, point_to_point, none)                                                                       \
    ROW(mrecv, point_to_point, received)                                                                     \
    ROW(imrecv, point_to_point, arriving)                                                                    \
    ROW(buffer_attach, point_to_point, none)                                                                 \
    ROW(buffer_detach, point_to_point, none)                                                                 \
    ROW(send_init, point_to_point, sent_when_started)                                                        \
    ROW(bsend_init, point_to_point, sent_when_started)                                                       \
    ROW(ssend_init, point_to_point, sent_when_started)                                                       \
    ROW(rsend_init, point_to_point, sent_when_started)                                                       \
    ROW(recv_init, point_to_point, arriving_when_started)                                                    \
    ROW(start, request, none)                                                                                \
    ROW(startall, request, none)                                                                             \
    ROW(psend_init, point_to_point, sent_when_started)                                                       \
    ROW(precv_init, point_to_point, arriving_when_started)                                                   \
    ROW(pready, point_to_point, none)                                                                        \
    ROW(pready_list, point_to_point, none)                                                                   \
    ROW(pready_range, point_to_point, none)                                                                  \
    ROW(parrived, request, none)                                                                             \
    ROW(wait, wait, none)                                                                                    \
    ROW(waitall, wait, none)                                                                                 \
    ROW(waitany, wait, none)                                                                                 \
    ROW(waitsome, wait, none)                                                                                \
    ROW(test, wait, none)                                                                                    \
    ROW(testall, wait, none)                                                                                 \
    ROW(testany, wait, none)                                                                                 \
    ROW(testsome, wait, none)                                                                                \
    ROW(request_get_status, request, none)                                                                   \
    ROW(request_free, request, none)                                                                         \
    ROW(cancel, request, none)                                                                               \
    ROW(barrier, collective, none)                                                                           \
    ROW(ibarrier, collective, none)                                                                          \
    ROW(barrier_init, collective, none)                                                                      \
    ROW(bcast, collective, shared)                                                                           \
    ROW(ibcast, collective, shared)                                                                          \
    ROW(bcast_init, collective, shared_when_started)                                                         \
    ROW(reduce, collective, shared)                                                                          \
    ROW(ireduce, collective, shared)                                                                         \
    ROW(reduce_init, collective, shared_when_started)                                                        \
    ROW(allreduce, collective, shared)                                                                       \
    ROW(iallreduce, collective, shared)                                                                      \
    ROW(allreduce_init, collective, shared_when_started)                                                     \
    ROW(scan, collective, shared)                                                                            \
    ROW(iscan, collective, shared)                                                                           \
    ROW(scan_init, collective, shared_when_started)                                                          \
    ROW(exscan, collective, shared)                                                                          \
    ROW(iexscan, collective, shared)                                                                         \
    ROW(exscan_init, collective, shared_when_started)                                                        \
    ROW(reduce_scatter, collective, shared)                                                                  \
    ROW(ireduce_scatter, collective, shared)                                                                 \
    ROW(reduce_scatter_init, collective, shared_when_started)                                                \
    ROW(reduce_scatter_block, collective, shared)                                                            \
    ROW(ireduce_scatter_block, collective, shared)                                                           \
    ROW(reduce_scatter_block_init, collective, shared_when_started)                                          \
    ROW(gather, collective, shared)                                                                          \
    ROW(igather, collective, shared)                                                                         \
    ROW(gather_init, collective, shared_when_started)                                                        \
    ROW(gatherv, collective, shared)                                                                         \
    ROW(igatherv, collective, shared)                                                                        \
    ROW(gatherv_init, collective, shared_when_started)                                                       \
    ROW(scatter, collective, shared)                                                                         \
    ROW(iscatter, collective, shared)                                                                        \
    ROW(scatter_init, collective, shared_when_started)                                                       \
    ROW(scatterv, collective, shared)                                                                        \
    ROW(iscatterv, collective, shared)                                                                       \
    ROW(scatterv_init, collective, shared_when_started)                                                      \
    ROW(allgather, collective, shared)                                                                       \
    ROW(iallgather, collective, shared)                                                                      \
    ROW(allgather_init, collective, shared_when_started)                                                     \
    ROW(allgatherv, collective, shared)                                                                      \
    ROW(iallgatherv, collective, shared)                                                                     \
    ROW(allgatherv_init, collective, shared_when_started)                                                    \
    ROW(alltoall, collective, shared)                                                                        \
    ROW(ialltoall, collective, shared)                                                                       \
    ROW(alltoall_init, collective, shared_when_started)                                                      \
    ROW(alltoallv, collective, shared)                                                                       \
    ROW(ialltoallv, collective, shared)                                                                      \
    ROW(alltoallv_init, collective, shared_when_started)                                                     \
    ROW(alltoallw, collective, shared)                                                                       \
    ROW(ialltoallw, collective, shared)                                                                      \
    ROW(alltoallw_init, collective, shared_when_started)                                                     \
    ROW(neighbor_allgather, collective, shared)                                                              \
    ROW(ineighbor_allgather, collective, shared)                                                             \
    ROW(neighbor_allgather_init, collective, shared_when_started)                                            \
    ROW(neighbor_allgatherv, collective, shared)                                                             \
    ROW(ineighbor_allgatherv, collective, shared)                                                            \
    ROW(neighbor_allgatherv_init, collective, shared_when_started)                                           \
    ROW(neighbor_alltoall, collective, shared)                                                               \
    ROW(ineighbor_alltoall, collective, shared)                                                              \
    ROW(neighbor_alltoall_init, collective, shared_when_started)                                             \
    ROW(neighbor_alltoallv, collective, shared)                                                              \
    ROW(ineighbor_alltoallv, collective, shared)                                                             \
    ROW(neighbor_alltoallv_init, collective, shared_when_started)                                            \
    ROW(neighbor_alltoallw, collective, shared)                                                              \
    ROW(ineighbor_alltoallw, collective, shared)                                                             \
    ROW(neighbor_alltoallw_init, collective, shared_when_started)                                            \
    ROW(comm_dup, communicator, none)                                                                        \
    ROW(comm_dup_with_info, communicator, none)                                                              \
    ROW(comm_idup, communicator, none)                                                                       \
    ROW(comm_idup_with_info, communicator, none)                                                             \
    ROW(comm_create, communicator, none)                                                                     \
    ROW(comm_create_group, communicator, none)                                                               \
    ROW(comm_split, communicator, none)                                                                      \
    ROW(comm_split_type, communicator, none)                                                                 \
    ROW(cart_create, communicator, none)                                                                     \
    ROW(cart_sub, communicator, none)                                                                        \
    ROW(graph_create, communicator, none)                                                                    \
    ROW(dist_graph_create, communicator, none)                                                               \
    ROW(dist_graph_create_adjacent, communicator, none)                                                      \
    ROW(intercomm_create, communicator, none)                                                                \
    ROW(intercomm_merge, communicator, none)                                                                 \
    ROW(comm_create_from_group, communicator, none)                                                          \
    ROW(intercomm_create_from_groups, communicator, none)                                                    \
    ROW(comm_spawn, communicator, none)                                                                      \
    ROW(comm_spawn_multiple, communicator, none)                                                             \
    ROW(comm_accept, communicator, none)                                                                     \
    ROW(comm_connect, communicator, none)                                                                    \
    ROW(comm_join, communicator, none)                                                                       \
    ROW(comm_get_parent, communicator, none)                                                                 \
    ROW(comm_set_name, communicator, none)                                                                   \
    ROW(comm_disconnect, communicator, none)                                                                 \
    ROW(comm_free, communicator, none)                                                                       \
    ROW(win_create, one_sided, none)                                                                         \
    ROW(win_allocate, one_sided, none)                                                                       \
    ROW(win_allocate_shared, one_sided, none)                                                                \
    ROW(win_create_dynamic, one_sided, none)                                                                 \
    ROW(win_attach, one_sided, none)                                                                         \
    ROW(win_detach, one_sided, none)                                                                         \
    ROW(win_set_name, one_sided, none)                                                                       \
    ROW(win_free, one_sided, none)                                                                           \
    ROW(put, one_sided, sent)                                                                                \
    ROW(get, one_sided, received)                                                                            \
    ROW(accumulate, one_sided, sent)                                                                         \
    ROW(get_accumulate, one_sided, both)                                                                     \
    ROW(fetch_and_op, one_sided, both)                                                                       \
    ROW(compare_and_swap, one_sided, both)                                                                   \
    ROW(rput, one_sided, sent)                                                                               \
    ROW(rget, one_sided, received)                                                                           \
    ROW(raccumulate, one_sided, sent)                                                                        \
    ROW(rget_accumulate, one_sided, both)                                                                    \
    ROW(win_fence, one_sided, none)                                                                          \
    ROW(win_post, one_sided, none)                                                                           \
    ROW(win_start, one_sided, none)                                                                          \
    ROW(win_complete, one_sided, none)                                                                       \
    ROW(win_wait, one_sided, none)                                                                           \
    ROW(win_test, one_sided, none)                                                                           \
    ROW(win_lock, one_sided, none)                                                                           \
    ROW(win_lock_all, one_sided, none)                                                                       \
    ROW(win_unlock, one_sided, none)                                                                         \
    ROW(win_unlock_all, one_sided, none)                                                                     \
    ROW(win_flush, one_sided, none)                                                                          \
    ROW(win_flush_all, one_sided, none)                                                                      \
    ROW(win_flush_local, one_sided, none)                                                                    \
    ROW(win_flush_local_all, one_sided, none)                                                                \
    ROW(win_sync, one_sided, none)                                                                           \
    ROW(file_open, io, none)                                                                                 \
    ROW(file_close, io, none)                                                                                \
    ROW(file_delete, io, none)                                                                               \
    ROW(file_set_size, io, none)                                                                             \
    ROW(file_preallocate, io, none)                                                                          \
    ROW(file_set_view, io, none)                                                                             \
    ROW(file_set_atomicity, io, none)                                                                        \
    ROW(file_sync, io, none)                                                                                 \
    ROW(file_seek, io, none)                                                                                 \
    ROW(file_seek_shared, io, none)                                                                          \
    ROW(file_read_at, io, none)                                                                              \
    ROW(file_read_at_all, io, none)                                                                          \
    ROW(file_read, io, none)                                                                                 \
    ROW(file_read_all, io, none)                                                                             \
    ROW(file_read_shared, io, none)                                                                          \
    ROW(file_read_ordered, io, none)                                                                         \
    ROW(file_iread_at, io, none)                                                                             \
    ROW(file_iread_at_all, io, none)                                                                         \
    ROW(file_iread, io, none)                                                                                \
    ROW(file_iread_all, io, none)                                                                            \
    ROW(file_iread_shared, io, none)                                                                         \
    ROW(file_read_at_all_begin, io, none)                                                                    \
    ROW(file_read_at_all_end, io, none)                                                                      \
    ROW(file_read_all_begin, io, none)                                                                       \
    ROW(file_read_all_end, io, none)                                                                         \
    ROW(file_read_ordered_begin, io, none)                                                                   \
    ROW(file_read_ordered_end, io, none)                                                                     \
    ROW(file_write_at, io, none)                                                                             \
    ROW(file_write_at_all, io, none)                                                                         \
    ROW(file_write, io, none)                                                                                \
    ROW(file_write_all, io, none)                                                                            \
    ROW(file_write_shared, io, none)                                                                         \
    ROW(file_write_ordered, io, none)                                                                        \
    ROW(file_iwrite_at, io, none)                                                                            \
    ROW(file_iwrite_at_all, io, none)                                                                        \
    ROW(file_iwrite, io, none)                                                                               \
    ROW(file_iwrite_all, io, none)                                                                           \
    ROW(file_iwrite_shared, io, none)                                                                        \
    ROW(file_write_at_all_begin, io, none)                                                                   \
    ROW(file_write_at_all_end, io, none)                                                                     \
    ROW(file_write_all_begin, io, none)                                                                      \
    ROW(file_write_all_end, io, none)                                                                        \
    ROW(file_write_ordered_begin, io, none)                                                                  \
    ROW(file_write_ordered_end, io, none)                                                                    \
    ROW(init, environment, none)                                                                             \
    ROW(init_thread, environment, none)                                                                      \
    ROW(finalize, environment, none)                                                                         \
    ROW(abort, environment, none)                                                                            \
    ROW(session_init, environment, none)                                                                     \
    ROW(session_finalize, environment, none)                                                                 \
    ROW(pack, query, none)                                                                                   \
    ROW(pack_external, query, none)                                                                          \
    ROW(pack_external_size, query, none)                                                                     \
    ROW(pack_size, query, none)                                                                              \
    ROW(unpack, query, none)                                                                                 \
    ROW(unpack_external, query, none)                                                                        \
    ROW(get_count, query, none)                                                                              \
    ROW(get_elements, query, none)                                                                           \
    ROW(get_elements_x, query, none)                                                                         \
    ROW(test_cancelled, query, none)                                                                         \
    ROW(type_size, query, none)                                                                              \
    ROW(type_size_x, query, none)                                                                            \
    ROW(comm_rank, query, none)                                                                              \
    ROW(comm_size, query, none)                                                                              \
    ROW(comm_remote_size, query, none)                                                                       \
    ROW(comm_compare, query, none)                                                                           \
    ROW(comm_test_inter, query, none)                                                                        \
    ROW(comm_group, query, none)                                                                             \
    ROW(comm_remote_group, query, none)                                                                      \
    ROW(comm_get_name, query, none)                                                                          \
    ROW(topo_test, query, none)                                                                              \
    ROW(dims_create, query, none)                                                                            \
    ROW(cartdim_get, query, none)                                                                            \
    ROW(cart_get, query, none)                                                                               \
    ROW(cart_coords, query, none)                                                                            \
    ROW(cart_rank, query, none)                                                                              \
    ROW(cart_shift, query, none)                                                                             \
    ROW(cart_map, query, none)                                                                               \
    ROW(graphdims_get, query, none)                                                                          \
    ROW(graph_get, query, none)                                                                              \
    ROW(graph_neighbors_count, query, none)                                                                  \
    ROW(graph_neighbors, query, none)                                                                        \
    ROW(graph_map, query, none)                                                                              \
    ROW(dist_graph_neighbors_count, query, none)                                                             \
    ROW(dist_graph_neighbors, query, none)                                                                   \
    ROW(win_get_group, query, none)                                                                          \
    ROW(win_get_name, query, none)                                                                           \
    ROW(win_shared_query, query, none)                                                                       \
    ROW(file_get_size, query, none)                                                                          \
    ROW(file_get_group, query, none)                                                                         \
    ROW(file_get_amode, query, none)                                                                         \
    ROW(file_get_atomicity, query, none)                                                                     \
    ROW(file_get_position, query, none)                                                                      \
    ROW(file_get_position_shared, query, none)                                                               \
    ROW(file_get_byte_offset, query, none)                                                                   \
    ROW(file_get_type_extent, query, none)                                                                   \
    ROW(file_get_view, query, none)                                                                          \
    ROW(initialized, query, none)                                                                            \
    ROW(finalized, query, none)                                                                              \
    ROW(query_thread, query, none)                                                                           \
    ROW(is_thread_main, query, none)                                                                         \
    ROW(get_version, query, none)                                                                            \
    ROW(get_library_version, query, none)                                                                    \
    ROW(get_processor_name, query, none)                                                                     \
    ROW(session_get_num_psets, query, none)                                                                  \
    ROW(session_get_nth_pset, query, none)

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

namespace detail {

/// As the table has it: of the operation whose message it is, whether the call sends it or a start of its
/// request.
[[gnu::always_inline]] constexpr message_side message_of(operation value) noexcept {
    return operation_table[static_cast<std::size_t>(value)].message;
}

constexpr message_side message_of_start(operation request) noexcept {
    switch (message_of(request)) {
    case message_side::sent_when_started:
        return message_side::sent;
    case message_side::arriving_when_started:
        return message_side::arriving;
    case message_side::shared_when_started:
        return message_side::shared;
    default:
        return message_side::none;
    }
}

}  // namespace detail

/// Where the message of a call of this operation is to be seen; for a start `request` is the operation that
/// made the request. A start of several requests moves no one message by itself.
[[gnu::always_inline]] constexpr message_side message_side_of(operation value,
                                                              operation request = operation::none) noexcept {
    if (value == operation::start) return detail::message_of_start(request);
    auto const side = detail::message_of(value);
    return side < message_side::sent_when_started ? side : message_side::none;
}

/// Does the completion of a request that this operation made, or of the receive side of such a call, bring a
/// message?
[[gnu::always_inline]] constexpr bool completion_brings_message(operation value) noexcept {
    auto const side = detail::message_of(value);
    return side == message_side::arriving || side == message_side::arriving_when_started ||
           side == message_side::exchanged;
}

/// Is a request that this operation made a send, whose message counts at the call that posted or started it?
[[gnu::always_inline]] constexpr bool request_sends(operation value) noexcept {
    auto const side = detail::message_of(value);
    return side == message_side::sent || side == message_side::sent_when_started;
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
