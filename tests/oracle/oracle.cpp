// The functions that this program defines in MPI's place.
#include "tests/oracle/parts.hpp"

#include <dlfcn.h>

namespace oracle {

namespace {

long long asked_for_sizes = 0;

int finish_send(char const* operation, int code, int count, MPI_Datatype type, int dest, int tag) {
    call made{.operation = operation, .peer = peer_of(dest), .tag = tag_of(tag)};
    if (code == MPI_SUCCESS && dest != MPI_PROC_NULL) made.sent = payload(count, type);
    return finish(made, code);
}

int finish_isend(char const* operation, int code, int count, MPI_Datatype type, int dest, int tag,
                 MPI_Request* request) {
    finish_send(operation, code, count, type, dest, tag);
    auto const& made = log().calls.back();
    if (code == MPI_SUCCESS) {
        post(*request,
             {{.operation = operation, .peer = made.peer, .tag = made.tag}, brings::nothing, made.sent});
    }
    return code;
}

/// Notes the receiving side of a sendrecv.
void finish_exchange(char const* operation, int source, int tag, MPI_Status const& status) {
    completion side{.operation = operation, .peer = peer_of(source), .tag = tag_of(tag)};
    if (source != MPI_PROC_NULL) resolve(side, status);
    log().completions.push_back(side);
}

/// Notes a probe, which `found` a message or did not.
int finish_probe(char const* operation, int code, int source, int tag, bool found, MPI_Status const& status) {
    call made{.operation = operation, .peer = peer_of(source), .tag = tag_of(tag)};
    if (code == MPI_SUCCESS) {
        made.incomplete = !found;
        if (found && source != MPI_PROC_NULL) {
            made.peer = peer_of(status.MPI_SOURCE);
            made.tag = tag_of(status.MPI_TAG);
        }
    }
    return finish(made, code);
}

/// Notes the completion of the request that `before` stood for, if it is gone: `after` stands in its place.
/// Says whether it may be another's.
std::optional<std::pair<completion, bool>> complete(MPI_Request before, MPI_Request after,
                                                    MPI_Status const& status, bool success) {
    if (before == MPI_REQUEST_NULL || after != MPI_REQUEST_NULL) return {};
    auto const known = forget(before);
    if (!known || !success) return {};
    auto const& [request, shared] = *known;
    auto outcome = request.outcome;
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    if (cancelled != 0) {
        outcome.cancelled = true;
        outcome.taken_back = request.sent;
    } else if (request.what == brings::message && outcome.peer != null_process) {
        resolve(outcome, status);
    } else if (request.what == brings::part_of_file) {
        outcome.read = arrived(status);
    }
    log().completions.push_back(outcome);
    return std::pair{outcome, shared};
}

/// Notes a wait or test that completes one request at most: `before` was its handle and `after` is, where one
/// is gone.
int finish_wait(char const* operation, int code, bool done, MPI_Request before, MPI_Request after,
                MPI_Status const& status) {
    call made{.operation = operation, .incomplete = code == MPI_SUCCESS && !done};
    if (done || code != MPI_SUCCESS) {
        if (auto const completed = complete(before, after, status, code == MPI_SUCCESS)) {
            auto const& [outcome, shared] = *completed;
            made.request = shared ? "?" : outcome.operation;
            made.peer = shared ? cannot_tell : outcome.peer;
            made.tag = shared ? cannot_tell : outcome.tag;
        }
    }
    made.capacity = cannot_tell;
    return finish(made, code);
}

/// The handles before a call that overwrites them, and statuses of ours where the caller has none.
class request_list {
  public:
    request_list(int count, MPI_Request const* requests, MPI_Status* statuses)
        : handles_(requests, requests + count),
          own_(handles_.size() + 1),
          statuses_{statuses == MPI_STATUSES_IGNORE ? own_.data() : statuses} {}

    MPI_Status* statuses() { return statuses_; }
    MPI_Request before(int place) const { return handles_[static_cast<std::size_t>(place)]; }

    /// Notes a call that completes all of them.
    int finish_all(char const* operation, int code, bool done, MPI_Request const* after) const {
        call made{.operation = operation, .incomplete = code == MPI_SUCCESS && !done};
        made.peer = made.tag = cannot_tell;
        made.capacity = cannot_tell;
        made.request = "?";
        for (std::size_t i = 0; i < handles_.size() && (done || code != MPI_SUCCESS); ++i) {
            complete(handles_[i], after[i], statuses_[i], succeeded(code, statuses_[i]));
        }
        return finish(made, code);
    }

  private:
    /// Each request's own success stands in its status under one error class only (MPI 3.1, section 3.7.5).
    static bool succeeded(int code, MPI_Status const& status) {
        if (code == MPI_SUCCESS) return true;
        int error_class = MPI_SUCCESS;
        PMPI_Error_class(code, &error_class);
        return error_class == MPI_ERR_IN_STATUS && status.MPI_ERROR == MPI_SUCCESS;
    }

    std::vector<MPI_Request> handles_;
    std::vector<MPI_Status> own_;
    MPI_Status* statuses_;
};

/// Notes a call that completes any one of a list, at `index`.
int finish_any(char const* operation, int code, bool done, int index, request_list& list,
               MPI_Request const* after) {
    bool const none = code != MPI_SUCCESS || !done || index == MPI_UNDEFINED;
    auto const null = MPI_REQUEST_NULL;
    return finish_wait(operation, code, done, none ? null : list.before(index), none ? null : after[index],
                       *list.statuses());
}

}  // namespace

long long size_queries() { return asked_for_sizes; }

}  // namespace oracle

using namespace oracle;

extern "C" {

#define ORACLE_SEND(NAME, OPERATION)                                                                         \
    int MPI_##NAME(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {     \
        int const code = PMPI_##NAME(buffer, count, type, dest, tag, comm);                                  \
        return finish_send(#OPERATION, code, count, type, dest, tag);                                        \
    }                                                                                                        \
    int MPI_I##OPERATION(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, \
                         MPI_Request* request) {                                                             \
        int const code = PMPI_I##OPERATION(buffer, count, type, dest, tag, comm, request);                   \
        return finish_isend("i" #OPERATION, code, count, type, dest, tag, request);                          \
    }
ORACLE_SEND(Send, send)
ORACLE_SEND(Bsend, bsend)
ORACLE_SEND(Ssend, ssend)
ORACLE_SEND(Rsend, rsend)
#undef ORACLE_SEND

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
    status_of_call own{status};
    int const code = PMPI_Recv(buffer, count, type, source, tag, comm, own.get());
    call made{.operation = "recv", .peer = peer_of(source), .tag = tag_of(tag)};
    if (code == MPI_SUCCESS && source != MPI_PROC_NULL) {
        made.peer = peer_of(own.get()->MPI_SOURCE);
        made.tag = tag_of(own.get()->MPI_TAG);
        made.received = arrived(*own.get());
    }
    return finish(made, code);
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
    int const code = PMPI_Irecv(buffer, count, type, source, tag, comm, request);
    call made{.operation = "irecv", .peer = peer_of(source), .tag = tag_of(tag)};
    if (code == MPI_SUCCESS) {
        made.capacity = source == MPI_PROC_NULL ? 0 : payload(count, type);
        post(*request, {{.operation = "irecv", .peer = made.peer, .tag = made.tag}, brings::message});
    }
    return finish(made, code);
}

int MPI_Sendrecv(void const* send_buffer, int send_count, MPI_Datatype send_type, int dest, int send_tag,
                 void* receive_buffer, int receive_count, MPI_Datatype receive_type, int source,
                 int receive_tag, MPI_Comm comm, MPI_Status* status) {
    status_of_call own{status};
    int const code = PMPI_Sendrecv(send_buffer, send_count, send_type, dest, send_tag, receive_buffer,
                                   receive_count, receive_type, source, receive_tag, comm, own.get());
    if (code == MPI_SUCCESS) finish_exchange("sendrecv", source, receive_tag, *own.get());
    return finish_send("sendrecv", code, send_count, send_type, dest, send_tag);
}

int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int dest, int send_tag, int source,
                         int receive_tag, MPI_Comm comm, MPI_Status* status) {
    status_of_call own{status};
    int const code =
        PMPI_Sendrecv_replace(buffer, count, type, dest, send_tag, source, receive_tag, comm, own.get());
    if (code == MPI_SUCCESS) finish_exchange("sendrecv_replace", source, receive_tag, *own.get());
    return finish_send("sendrecv_replace", code, count, type, dest, send_tag);
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
    status_of_call own{status};
    int const code = PMPI_Probe(source, tag, comm, own.get());
    return finish_probe("probe", code, source, tag, true, *own.get());
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    status_of_call own{status};
    int const code = PMPI_Iprobe(source, tag, comm, flag, own.get());
    return finish_probe("iprobe", code, source, tag, *flag != 0, *own.get());
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    status_of_call own{status};
    auto const before = *request;
    int const code = PMPI_Wait(request, own.get());
    return finish_wait("wait", code, true, before, *request, *own.get());
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    status_of_call own{status};
    auto const before = *request;
    int const code = PMPI_Test(request, flag, own.get());
    return finish_wait("test", code, *flag != 0, before, *request, *own.get());
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    request_list list{count, requests, statuses};
    int const code = PMPI_Waitall(count, requests, list.statuses());
    return list.finish_all("waitall", code, true, requests);
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    request_list list{count, requests, statuses};
    int const code = PMPI_Testall(count, requests, flag, list.statuses());
    return list.finish_all("testall", code, *flag != 0, requests);
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    request_list list{count, requests, status};
    int const code = PMPI_Waitany(count, requests, index, list.statuses());
    return finish_any("waitany", code, true, *index, list, requests);
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    request_list list{count, requests, status};
    int const code = PMPI_Testany(count, requests, index, flag, list.statuses());
    return finish_any("testany", code, *flag != 0, *index, list, requests);
}

int MPI_Cancel(MPI_Request* request) { return finish({.operation = "cancel"}, PMPI_Cancel(request)); }

int MPI_Request_free(MPI_Request* request) {
    auto const before = *request;
    int const code = PMPI_Request_free(request);
    if (code == MPI_SUCCESS) forget(before);
    return finish({.operation = "request_free"}, code);
}

int MPI_Barrier(MPI_Comm comm) { return finish({.operation = "barrier"}, PMPI_Barrier(comm)); }

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    int const code = PMPI_Bcast(buffer, count, type, root, comm);
    return finish({.operation = "bcast", .root = root_of(root)}, code, [&](call& made) {
        auto const [is_root, is_party] = seat_in(comm, root);
        if (is_root) made.sent = payload(count, type);
        if (is_party && !is_root) made.received = payload(count, type);
    });
}

int MPI_Reduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    int const code = PMPI_Reduce(in, out, count, type, op, root, comm);
    call const reduce{.operation = "reduce", .in_place = in == MPI_IN_PLACE, .root = root_of(root)};
    return finish(reduce, code, [&](call& made) {
        auto const [is_root, is_party] = seat_in(comm, root);
        if (is_party) made.sent = payload(count, type);
        if (is_root) made.received = payload(count, type);
    });
}

int MPI_Allreduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    int const code = PMPI_Allreduce(in, out, count, type, op, comm);
    call const allreduce{.operation = "allreduce", .in_place = in == MPI_IN_PLACE};
    return finish(allreduce, code, [&](call& made) { made.sent = made.received = payload(count, type); });
}

int MPI_Gather(void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
               MPI_Datatype out_type, int root, MPI_Comm comm) {
    int const code = PMPI_Gather(in, in_count, in_type, out, out_count, out_type, root, comm);
    bool const in_place = in == MPI_IN_PLACE;
    call const gather{.operation = "gather", .in_place = in_place, .root = root_of(root)};
    return finish(gather, code, [&](call& made) {
        auto const [is_root, is_party] = seat_in(comm, root);
        if (is_party) made.sent = in_place ? payload(out_count, out_type) : payload(in_count, in_type);
        if (is_root) made.received = partners(comm) * payload(out_count, out_type);
    });
}

int MPI_Scatter(void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                MPI_Datatype out_type, int root, MPI_Comm comm) {
    int const code = PMPI_Scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
    bool const in_place = out == MPI_IN_PLACE;
    call const scatter{.operation = "scatter", .in_place = in_place, .root = root_of(root)};
    return finish(scatter, code, [&](call& made) {
        auto const [is_root, is_party] = seat_in(comm, root);
        if (is_root) made.sent = partners(comm) * payload(in_count, in_type);
        if (is_party) made.received = in_place ? payload(in_count, in_type) : payload(out_count, out_type);
    });
}

int MPI_Allgather(void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                  MPI_Datatype out_type, MPI_Comm comm) {
    int const code = PMPI_Allgather(in, in_count, in_type, out, out_count, out_type, comm);
    bool const in_place = in == MPI_IN_PLACE;
    return finish({.operation = "allgather", .in_place = in_place}, code, [&](call& made) {
        made.sent = in_place ? payload(out_count, out_type) : payload(in_count, in_type);
        made.received = partners(comm) * payload(out_count, out_type);
    });
}

int MPI_Alltoall(void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                 MPI_Datatype out_type, MPI_Comm comm) {
    int const code = PMPI_Alltoall(in, in_count, in_type, out, out_count, out_type, comm);
    bool const in_place = in == MPI_IN_PLACE;
    return finish({.operation = "alltoall", .in_place = in_place}, code, [&](call& made) {
        auto const each = in_place ? payload(out_count, out_type) : payload(in_count, in_type);
        made.sent = partners(comm) * each;
        made.received = partners(comm) * payload(out_count, out_type);
    });
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
    return finish({.operation = "comm_dup"}, PMPI_Comm_dup(comm, made));
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
    return finish({.operation = "comm_split"}, PMPI_Comm_split(comm, color, key, made));
}

int MPI_Comm_free(MPI_Comm* comm) { return finish({.operation = "comm_free"}, PMPI_Comm_free(comm)); }

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count* size) {
    static auto const real =
        reinterpret_cast<decltype(&PMPI_Type_size_x)>(dlsym(RTLD_NEXT, "PMPI_Type_size_x"));
    ++asked_for_sizes;
    return real(type, size);
}

}  // extern "C"
