#include "tests/boost_mpi/pmpi_log.hpp"

#include <algorithm>
#include <iterator>
#include <mpi.h>
#include <ostream>

namespace pmpi_log {

namespace {

std::vector<call> made;
int completions = 0;
int queries_made = 0;
int buffers = 0;
int held_back = 0;

bool held() {
    if (held_back == 0) return false;
    --held_back;
    return true;
}

long long nbytes(int count, MPI_Datatype type) {
    if (count == 0) return 0;
    int size = 0;
    PMPI_Type_size(type, &size);
    return static_cast<long long>(size) * count;
}

long long nbytes(int const* counts, int ranks, MPI_Datatype type) {
    long long sum = 0;
    for (int rank = 0; rank < ranks; ++rank) sum += nbytes(counts[rank], type);
    return sum;
}

int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

void log_sent(char const* function, int count, MPI_Datatype type, int peer, int tag) {
    made.push_back({function, nbytes(count, type), 0, peer, tag});
}

int arrived_nbytes(MPI_Status const& status) {
    int bytes = 0;
    PMPI_Get_count(&status, MPI_BYTE, &bytes);
    return bytes;
}

void log_arrived(char const* function, MPI_Status const& status) {
    made.push_back({function, 0, arrived_nbytes(status), status.MPI_SOURCE, status.MPI_TAG});
}

void log_moved(char const* function, long long sent, long long received, int root = none) {
    made.push_back({function, sent, received, none, none, root});
}

void log(char const* function) { made.push_back({function}); }

/// The caller's status, or one of ours for a status that is ignored.
MPI_Status* usable(MPI_Status* status) {
    static MPI_Status own;
    return status == MPI_STATUS_IGNORE ? &own : status;
}

int active_requests(int count, MPI_Request const* requests) {
    return static_cast<int>(
        std::count_if(requests, requests + count, [](auto each) { return each != MPI_REQUEST_NULL; }));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, call const& each) {
    out << each.function << " sent=" << each.sent << " received=" << each.received;
    if (each.peer != none) out << " peer=" << each.peer;
    if (each.tag != none) out << " tag=" << each.tag;
    if (each.root != none) out << " root=" << each.root;
    return out;
}

std::vector<call> const& calls() { return made; }

std::vector<call> calls(std::string const& function) {
    std::vector<call> selected;
    std::copy_if(made.begin(), made.end(), std::back_inserter(selected),
                 [&](call const& each) { return each.function == function; });
    return selected;
}

int completed() { return completions; }
int queries() { return queries_made; }
int live_buffers() { return buffers; }

void hold_back(int tests) { held_back = tests; }

void clear() {
    made.clear();
    completions = 0;
    queries_made = 0;
}

}  // namespace pmpi_log

using namespace pmpi_log;

extern "C" {

int MPI_Send(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    log_sent("Send", count, type, dest, tag);
    return PMPI_Send(buffer, count, type, dest, tag, comm);
}

int MPI_Isend(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
    log_sent("Isend", count, type, dest, tag);
    return PMPI_Isend(buffer, count, type, dest, tag, comm, request);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
    status = usable(status);
    int const code = PMPI_Recv(buffer, count, type, source, tag, comm, status);
    log_arrived("Recv", *status);
    return code;
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
    made.push_back({"Irecv", 0, 0, source, tag});
    return PMPI_Irecv(buffer, count, type, source, tag, comm, request);
}

int MPI_Sendrecv(void const* in, int in_count, MPI_Datatype in_type, int dest, int send_tag, void* out,
                 int out_count, MPI_Datatype out_type, int source, int receive_tag, MPI_Comm comm,
                 MPI_Status* status) {
    log_sent("Sendrecv", in_count, in_type, dest, send_tag);
    status = usable(status);
    int const code = PMPI_Sendrecv(in, in_count, in_type, dest, send_tag, out, out_count, out_type, source,
                                   receive_tag, comm, status);
    made.back().received = arrived_nbytes(*status);
    return code;
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
    status = usable(status);
    int const code = PMPI_Probe(source, tag, comm, status);
    log_arrived("Probe", *status);
    return code;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    *flag = 0;
    if (held()) return MPI_SUCCESS;
    status = usable(status);
    int const code = PMPI_Iprobe(source, tag, comm, flag, status);
    if (*flag != 0) log_arrived("Iprobe", *status);
    return code;
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
    status = usable(status);
    int const code = PMPI_Mprobe(source, tag, comm, message, status);
    log_arrived("Mprobe", *status);
    return code;
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
    *flag = 0;
    if (held()) return MPI_SUCCESS;
    status = usable(status);
    int const code = PMPI_Improbe(source, tag, comm, flag, message, status);
    if (*flag != 0) log_arrived("Improbe", *status);
    return code;
}

int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    status = usable(status);
    int const code = PMPI_Mrecv(buffer, count, type, message, status);
    log_arrived("Mrecv", *status);
    return code;
}

int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
    log("Imrecv");
    return PMPI_Imrecv(buffer, count, type, message, request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    completions += active_requests(1, request);
    log("Wait");
    return PMPI_Wait(request, status);
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    *flag = 0;
    if (held()) return MPI_SUCCESS;
    int const active = active_requests(1, request);
    int const code = PMPI_Test(request, flag, status);
    if (*flag != 0) {
        completions += active;
        log("Test");
    }
    return code;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    completions += active_requests(count, requests);
    log("Waitall");
    return PMPI_Waitall(count, requests, statuses);
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
    int const code = PMPI_Waitany(count, requests, index, status);
    if (*index != MPI_UNDEFINED) ++completions;
    log("Waitany");
    return code;
}

int MPI_Waitsome(int count, MPI_Request requests[], int* completed, int indices[], MPI_Status statuses[]) {
    int const code = PMPI_Waitsome(count, requests, completed, indices, statuses);
    if (*completed != MPI_UNDEFINED) completions += *completed;
    log("Waitsome");
    return code;
}

int MPI_Cancel(MPI_Request* request) {
    log("Cancel");
    return PMPI_Cancel(request);
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
    *flag = 0;
    if (held()) return MPI_SUCCESS;
    int const active = active_requests(count, requests);
    int const code = PMPI_Testall(count, requests, flag, statuses);
    if (*flag != 0) {
        completions += active;
        log("Testall");
    }
    return code;
}

int MPI_Barrier(MPI_Comm comm) {
    log("Barrier");
    return PMPI_Barrier(comm);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    auto const bytes = nbytes(count, type);
    bool const is_root = rank_in(comm) == root;
    log_moved("Bcast", is_root ? bytes : 0, is_root ? 0 : bytes, root);
    return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Reduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    auto const bytes = nbytes(count, type);
    log_moved("Reduce", bytes, rank_in(comm) == root ? bytes : 0, root);
    return PMPI_Reduce(in, out, count, type, op, root, comm);
}

int MPI_Allreduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const bytes = nbytes(count, type);
    log_moved("Allreduce", bytes, bytes);
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Scan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const bytes = nbytes(count, type);
    log_moved("Scan", bytes, bytes);
    return PMPI_Scan(in, out, count, type, op, comm);
}

int MPI_Gather(void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
               MPI_Datatype out_type, int root, MPI_Comm comm) {
    log_moved("Gather", nbytes(in_count, in_type),
              rank_in(comm) == root ? size_of(comm) * nbytes(out_count, out_type) : 0, root);
    return PMPI_Gather(in, in_count, in_type, out, out_count, out_type, root, comm);
}

int MPI_Gatherv(void const* in, int in_count, MPI_Datatype in_type, void* out, int const out_counts[],
                int const displacements[], MPI_Datatype out_type, int root, MPI_Comm comm) {
    log_moved("Gatherv", nbytes(in_count, in_type),
              rank_in(comm) == root ? nbytes(out_counts, size_of(comm), out_type) : 0, root);
    return PMPI_Gatherv(in, in_count, in_type, out, out_counts, displacements, out_type, root, comm);
}

int MPI_Allgather(void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                  MPI_Datatype out_type, MPI_Comm comm) {
    log_moved("Allgather", nbytes(in_count, in_type), size_of(comm) * nbytes(out_count, out_type));
    return PMPI_Allgather(in, in_count, in_type, out, out_count, out_type, comm);
}

int MPI_Allgatherv(void const* in, int in_count, MPI_Datatype in_type, void* out, int const out_counts[],
                   int const displacements[], MPI_Datatype out_type, MPI_Comm comm) {
    log_moved("Allgatherv", nbytes(in_count, in_type), nbytes(out_counts, size_of(comm), out_type));
    return PMPI_Allgatherv(in, in_count, in_type, out, out_counts, displacements, out_type, comm);
}

int MPI_Scatter(void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                MPI_Datatype out_type, int root, MPI_Comm comm) {
    log_moved("Scatter", rank_in(comm) == root ? size_of(comm) * nbytes(in_count, in_type) : 0,
              nbytes(out_count, out_type), root);
    return PMPI_Scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
}

int MPI_Scatterv(void const* in, int const in_counts[], int const displacements[], MPI_Datatype in_type,
                 void* out, int out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    log_moved("Scatterv", rank_in(comm) == root ? nbytes(in_counts, size_of(comm), in_type) : 0,
              nbytes(out_count, out_type), root);
    return PMPI_Scatterv(in, in_counts, displacements, in_type, out, out_count, out_type, root, comm);
}

int MPI_Alltoall(void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                 MPI_Datatype out_type, MPI_Comm comm) {
    log_moved("Alltoall", size_of(comm) * nbytes(in_count, in_type),
              size_of(comm) * nbytes(out_count, out_type));
    return PMPI_Alltoall(in, in_count, in_type, out, out_count, out_type, comm);
}

int MPI_Alltoallv(void const* in, int const in_counts[], int const in_displacements[], MPI_Datatype in_type,
                  void* out, int const out_counts[], int const out_displacements[], MPI_Datatype out_type,
                  MPI_Comm comm) {
    log_moved("Alltoallv", nbytes(in_counts, size_of(comm), in_type),
              nbytes(out_counts, size_of(comm), out_type));
    return PMPI_Alltoallv(in, in_counts, in_displacements, in_type, out, out_counts, out_displacements,
                          out_type, comm);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* out) {
    log("Comm_split");
    return PMPI_Comm_split(comm, color, key, out);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* out) {
    log("Comm_dup");
    return PMPI_Comm_dup(comm, out);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* out) {
    log("Comm_create");
    return PMPI_Comm_create(comm, group, out);
}

int MPI_Cart_create(MPI_Comm comm, int dimensions, int const sizes[], int const periodic[], int reorder,
                    MPI_Comm* out) {
    log("Cart_create");
    return PMPI_Cart_create(comm, dimensions, sizes, periodic, reorder, out);
}

int MPI_Cart_sub(MPI_Comm comm, int const kept[], MPI_Comm* out) {
    log("Cart_sub");
    return PMPI_Cart_sub(comm, kept, out);
}

int MPI_Graph_create(MPI_Comm comm, int vertices, int const indices[], int const edges[], int reorder,
                     MPI_Comm* out) {
    log("Graph_create");
    return PMPI_Graph_create(comm, vertices, indices, edges, reorder, out);
}

int MPI_Intercomm_create(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag,
                         MPI_Comm* out) {
    made.push_back({"Intercomm_create", 0, 0, remote_leader, tag});
    return PMPI_Intercomm_create(local, local_leader, peer, remote_leader, tag, out);
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* out) {
    log("Intercomm_merge");
    return PMPI_Intercomm_merge(comm, high, out);
}

int MPI_Comm_compare(MPI_Comm first, MPI_Comm second, int* result) {
    log("Comm_compare");
    return PMPI_Comm_compare(first, second, result);
}

int MPI_Comm_free(MPI_Comm* comm) {
    log("Comm_free");
    return PMPI_Comm_free(comm);
}

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
    ++queries_made;
    return PMPI_Comm_rank(comm, rank);
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
    ++queries_made;
    return PMPI_Comm_size(comm, size);
}

int MPI_Type_commit(MPI_Datatype* type) {
    log("Type_commit");
    return PMPI_Type_commit(type);
}

int MPI_Op_create(MPI_User_function* function, int commute, MPI_Op* op) {
    log("Op_create");
    return PMPI_Op_create(function, commute, op);
}

int MPI_Op_free(MPI_Op* op) {
    log("Op_free");
    return PMPI_Op_free(op);
}

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* base) {
    ++buffers;
    return PMPI_Alloc_mem(size, info, base);
}

int MPI_Free_mem(void* base) {
    --buffers;
    return PMPI_Free_mem(base);
}

}  // extern "C"
