/* The environment, communicators, one-sided communication and files. */
#include "counter.h"

CALL(Init, init, (int* argc, char*** argv), (argc, argv))
CALL(Init_thread, init_thread, (int* argc, char*** argv, int required, int* provided),
     (argc, argv, required, provided))

int MPI_Finalize(void) {
    static int (*next)(void);
    find_next("MPI_Finalize", &next, sizeof next);
    ++depth;
    write_counts();
    int const code = next();
    --depth;
    return code;
}

int MPI_Abort(MPI_Comm comm, int status) {
    static int (*next)(MPI_Comm, int);
    find_next("MPI_Abort", &next, sizeof next);
    ++depth;
    write_counts();
    int const code = next(comm, status);
    --depth;
    return code;
}

CALL(Comm_dup, comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))
CALL(Comm_dup_with_info, comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made),
     (comm, info, made))
CALL(Comm_idup, comm_idup, (MPI_Comm comm, MPI_Comm* made, MPI_Request* request), (comm, made, request))
CALL(Comm_create, comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))
CALL(Comm_create_group, comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made),
     (comm, group, tag, made))
CALL(Comm_split, comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
CALL(Comm_split_type, comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
     (comm, type, key, info, made))
CALL(Cart_create, cart_create,
     (MPI_Comm comm, int number, int const sizes[], int const periods[], int reorder, MPI_Comm* made),
     (comm, number, sizes, periods, reorder, made))
CALL(Cart_sub, cart_sub, (MPI_Comm comm, int const kept[], MPI_Comm* made), (comm, kept, made))
CALL(Graph_create, graph_create,
     (MPI_Comm comm, int number, int const index[], int const edges[], int reorder, MPI_Comm* made),
     (comm, number, index, edges, reorder, made))
CALL(Dist_graph_create_adjacent, dist_graph_create_adjacent,
     (MPI_Comm comm, int in, int const sources[], int const in_weights[], int out, int const targets[],
      int const out_weights[], MPI_Info info, int reorder, MPI_Comm* made),
     (comm, in, sources, in_weights, out, targets, out_weights, info, reorder, made))
CALL(Intercomm_create, intercomm_create,
     (MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader, int tag, MPI_Comm* made),
     (comm, leader, peers, remote_leader, tag, made))
CALL(Intercomm_merge, intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* made), (comm, high, made))
CALL(Comm_get_parent, comm_get_parent, (MPI_Comm * parent), (parent))
CALL(Comm_set_name, comm_set_name, (MPI_Comm comm, char const* name), (comm, name))
CALL(Comm_disconnect, comm_disconnect, (MPI_Comm * comm), (comm))
CALL(Comm_free, comm_free, (MPI_Comm * comm), (comm))

CALL(Win_create, win_create,
     (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* made),
     (base, size, unit, info, comm, made))
CALL(Win_allocate, win_allocate,
     (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* made),
     (size, unit, info, comm, base, made))
CALL(Win_free, win_free, (MPI_Win * window), (window))
CALL(Win_fence, win_fence, (int assertion, MPI_Win window), (assertion, window))
CALL(Win_post, win_post, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window))
CALL(Win_start, win_start, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window))
CALL(Win_complete, win_complete, (MPI_Win window), (window))
CALL(Win_wait, win_wait, (MPI_Win window), (window))
CALL(Win_lock, win_lock, (int type, int rank, int assertion, MPI_Win window), (type, rank, assertion, window))
CALL(Win_lock_all, win_lock_all, (int assertion, MPI_Win window), (assertion, window))
CALL(Win_unlock, win_unlock, (int rank, MPI_Win window), (rank, window))
CALL(Win_unlock_all, win_unlock_all, (MPI_Win window), (window))
CALL(Win_flush, win_flush, (int rank, MPI_Win window), (rank, window))

FUNCTION(Put, put,
         (void const* out, int number, MPI_Datatype type, int target, MPI_Aint place, int target_number,
          MPI_Datatype target_type, MPI_Win window),
         (out, number, type, target, place, target_number, target_type, window), ,
         SENT(to_peer(target, number, type)))
FUNCTION(Get, get,
         (void* in, int number, MPI_Datatype type, int target, MPI_Aint place, int target_number,
          MPI_Datatype target_type, MPI_Win window),
         (in, number, type, target, place, target_number, target_type, window), ,
         RECEIVED(to_peer(target, number, type)))
FUNCTION(Accumulate, accumulate,
         (void const* out, int number, MPI_Datatype type, int target, MPI_Aint place, int target_number,
          MPI_Datatype target_type, MPI_Op op, MPI_Win window),
         (out, number, type, target, place, target_number, target_type, op, window), ,
         SENT(to_peer(target, number, type)))
FUNCTION(Fetch_and_op, fetch_and_op,
         (void const* out, void* in, MPI_Datatype type, int target, MPI_Aint place, MPI_Op op,
          MPI_Win window),
         (out, in, type, target, place, op, window), ,
         BYTES(.sent = to_peer(target, 1, type), .received = to_peer(target, 1, type)))

CALL(File_open, file_open, (MPI_Comm comm, char const* name, int mode, MPI_Info info, MPI_File* made),
     (comm, name, mode, info, made))
CALL(File_close, file_close, (MPI_File * file), (file))
CALL(File_delete, file_delete, (char const* name, MPI_Info info), (name, info))
CALL(File_set_size, file_set_size, (MPI_File file, MPI_Offset size), (file, size))
CALL(File_set_view, file_set_view,
     (MPI_File file, MPI_Offset place, MPI_Datatype unit, MPI_Datatype view, char const* form, MPI_Info info),
     (file, place, unit, view, form, info))
CALL(File_sync, file_sync, (MPI_File file), (file))
CALL(File_seek, file_seek, (MPI_File file, MPI_Offset place, int from), (file, place, from))

#define AT MPI_File file, MPI_Offset place
#define WRITTEN BYTES(.written = nbytes(number, type))
#define READ BYTES(.read = arrived(status))
FUNCTION(File_write_at, file_write_at,
         (AT, void const* out, int number, MPI_Datatype type, MPI_Status* status),
         (file, place, out, number, type, status), , WRITTEN)
FUNCTION(File_write_at_all, file_write_at_all,
         (AT, void const* out, int number, MPI_Datatype type, MPI_Status* status),
         (file, place, out, number, type, status), , WRITTEN)
FUNCTION(File_write, file_write,
         (MPI_File file, void const* out, int number, MPI_Datatype type, MPI_Status* status),
         (file, out, number, type, status), , WRITTEN)
FUNCTION(File_write_all, file_write_all,
         (MPI_File file, void const* out, int number, MPI_Datatype type, MPI_Status* status),
         (file, out, number, type, status), , WRITTEN)
FUNCTION(File_read_at, file_read_at, (AT, void* in, int number, MPI_Datatype type, MPI_Status* status),
         (file, place, in, number, type, status), WITH_STATUS, READ)
FUNCTION(File_read_at_all, file_read_at_all,
         (AT, void* in, int number, MPI_Datatype type, MPI_Status* status),
         (file, place, in, number, type, status), WITH_STATUS, READ)
FUNCTION(File_read, file_read, (MPI_File file, void* in, int number, MPI_Datatype type, MPI_Status* status),
         (file, in, number, type, status), WITH_STATUS, READ)
FUNCTION(File_read_all, file_read_all,
         (MPI_File file, void* in, int number, MPI_Datatype type, MPI_Status* status),
         (file, in, number, type, status), WITH_STATUS, READ)
