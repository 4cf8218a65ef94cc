// Point-to-point communication.
#include "tests/oracle/parts.hpp"

#include <map>

namespace oracle {

namespace {

/// A send; where there is a request, the one that it made.
int finish_send(char const* operation, int code, long long count, MPI_Datatype type, int dest, int tag,
                MPI_Request const* request = nullptr) {
    call made{.operation = operation, .peer = peer_of(dest), .tag = tag_of(tag)};
    if (code == MPI_SUCCESS && dest != MPI_PROC_NULL) made.sent = payload(count, type);
    if (code == MPI_SUCCESS && request != nullptr) {
        post(*request,
             {{.operation = operation, .peer = made.peer, .tag = made.tag}, brings::nothing, made.sent});
    }
    return finish(made, code);
}

/// A receive that has ended.
int finish_receive(char const* operation, int code, int peer, int tag, MPI_Status const& status) {
    call made{.operation = operation, .peer = peer, .tag = tag};
    if (code == MPI_SUCCESS && peer != null_process) {
        made.peer = peer_of(status.MPI_SOURCE);
        made.tag = tag_of(status.MPI_TAG);
        made.received = arrived(status);
    }
    return finish(made, code);
}

/// Source and tag of a message that was matched and not received.
struct matched {
    int peer = null_process;
    int tag = anything;
};

std::map<MPI_Message, matched> matches;

/// A receive that was posted.
int finish_ireceive(call made, int code, long long count, MPI_Datatype type, MPI_Request request) {
    if (code == MPI_SUCCESS) {
        made.capacity = made.peer == null_process ? 0 : payload(count, type);
        post(request, {{.operation = made.operation, .peer = made.peer, .tag = made.tag}, brings::message});
    }
    return finish(made, code);
}

/// A receive of a matched message that was posted. Its call may know the message or not.
int finish_imrecv(int code, matched const& match, long long count, MPI_Datatype type, MPI_Request request) {
    finish_ireceive({.operation = "imrecv", .peer = match.peer, .tag = match.tag}, code, count, type,
                    request);
    auto& made = log().calls.back();
    made.peer = made.tag = cannot_tell;
    if (match.peer == null_process) made.capacity = cannot_tell;
    return code;
}

/// The receiving side of a sendrecv.
void finish_exchange(char const* operation, int source, int tag, MPI_Status const& status) {
    completion side{.operation = operation, .peer = peer_of(source), .tag = tag_of(tag)};
    if (source != MPI_PROC_NULL) resolve(side, status);
    log().completions.push_back(side);
}

#if MPI_VERSION >= 4
/// The receiving side of a nonblocking sendrecv, whose call is the log's last. MPICH's statuses say nothing
/// of its message, which is taken to be as long as the room for it.
int post_exchange(char const* operation, int code, long long count, MPI_Datatype type, int source, int tag,
                  MPI_Request request) {
    if (code != MPI_SUCCESS) return code;
    posted exchange{{.operation = operation, .peer = peer_of(source), .tag = tag_of(tag)},
                    brings::message,
                    log().calls.back().sent};
#ifdef MPICH_NAME
    exchange.what = brings::nothing;
    if (source != MPI_PROC_NULL) exchange.outcome.received = payload(count, type);
#else
    static_cast<void>(count);
    static_cast<void>(type);
#endif
    post(request, exchange);
    return code;
}
#endif

/// A persistent request for a message: its making moves nothing.
int finish_init(char const* operation, int code, long long count, MPI_Datatype type, int rank, int tag,
                brings what, MPI_Request request) {
    call made{.operation = operation, .peer = peer_of(rank), .tag = tag_of(tag)};
    if (code == MPI_SUCCESS) {
        auto const bytes = rank == MPI_PROC_NULL ? 0 : payload(count, type);
        auto started = made;
        started.operation = "start";
        started.request = operation;
        if (what == brings::message) made.capacity = started.capacity = bytes;
        else started.sent = bytes;
        post_persistent(request, {started, what});
    }
    return finish(made, code);
}

/// A probe, which `found` a message or did not.
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

/// A matched probe.
int finish_match(char const* operation, int code, int source, int tag, bool found, MPI_Message message,
                 MPI_Status const& status) {
    if (code == MPI_SUCCESS && found && message != MPI_MESSAGE_NO_PROC) {
        matches[message] = {status.MPI_SOURCE, status.MPI_TAG};
    }
    return finish_probe(operation, code, source, tag, found, status);
}

/// What the message was that a receive took, which goes with it.
matched take_match(MPI_Message message) {
    auto const found = matches.find(message);
    if (found == matches.end()) return {};
    auto const match = found->second;
    matches.erase(found);
    return match;
}

}  // namespace

}  // namespace oracle

using namespace oracle;

#if MPI_VERSION >= 4
/// The first MPICH of MPI 4 lacks the const of the standard.
template <class List>
List partitions_of(int (*)(int, List, MPI_Request));
using partition_list = decltype(partitions_of(&PMPI_Pready_list));
#endif

extern "C" {

#define ORACLE_COUNT int
#define ORACLE_MPI(NAME) MPI_##NAME
#define ORACLE_COUNTED(NAME) ORACLE_REAL(NAME)
#include "tests/oracle/intercept_messages.inc"
#undef ORACLE_COUNT
#undef ORACLE_MPI
#undef ORACLE_COUNTED

#if MPI_VERSION >= 4
#define ORACLE_COUNT MPI_Count
#define ORACLE_MPI(NAME) MPI_##NAME##_c
#define ORACLE_COUNTED(NAME) ORACLE_REAL(NAME##_c)
#include "tests/oracle/intercept_messages.inc"
#undef ORACLE_COUNT
#undef ORACLE_MPI
#undef ORACLE_COUNTED
#endif

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
    status_of_call own{status};
    int const code = ORACLE_REAL(Probe)(source, tag, comm, own.get());
    return finish_probe("probe", code, source, tag, true, *own.get());
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    status_of_call own{status};
    int const code = ORACLE_REAL(Iprobe)(source, tag, comm, flag, own.get());
    return finish_probe("iprobe", code, source, tag, *flag != 0, *own.get());
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
    status_of_call own{status};
    int const code = ORACLE_REAL(Mprobe)(source, tag, comm, message, own.get());
    return finish_match("mprobe", code, source, tag, true, *message, *own.get());
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
    status_of_call own{status};
    int const code = ORACLE_REAL(Improbe)(source, tag, comm, flag, message, own.get());
    return finish_match("improbe", code, source, tag, *flag != 0, *message, *own.get());
}

#if MPI_VERSION >= 4

int MPI_Psend_init(void const* buffer, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    int const code = ORACLE_REAL(Psend_init)(buffer, partitions, count, type, dest, tag, comm, info, request);
    return finish_init("psend_init", code, partitions * count, type, dest, tag, brings::nothing, *request);
}

int MPI_Precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    int const code =
        ORACLE_REAL(Precv_init)(buffer, partitions, count, type, source, tag, comm, info, request);
    return finish_init("precv_init", code, partitions * count, type, source, tag, brings::message, *request);
}

int MPI_Pready(int partition, MPI_Request request) {
    return finish({.operation = "pready"}, ORACLE_REAL(Pready)(partition, request));
}

int MPI_Pready_range(int first, int last, MPI_Request request) {
    return finish({.operation = "pready_range"}, ORACLE_REAL(Pready_range)(first, last, request));
}

int MPI_Pready_list(int count, partition_list partitions, MPI_Request request) {
    return finish({.operation = "pready_list"}, ORACLE_REAL(Pready_list)(count, partitions, request));
}

int MPI_Parrived(MPI_Request request, int partition, int* flag) {
    int const code = ORACLE_REAL(Parrived)(request, partition, flag);
    return finish({.operation = "parrived", .incomplete = code == MPI_SUCCESS && *flag == 0}, code);
}

#endif

}  // extern "C"
