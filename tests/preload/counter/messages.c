/* Point-to-point communication, probes, waits and tests, requests. */
#include "counter.h"

/* What each start of a persistent request sends. */
struct persistent {
    MPI_Request request;
    long long sent;
};
static struct persistent persistent[256];
static int persistents;

static void remember(MPI_Request request, long long sent) {
    for (int i = 0; i < persistents; ++i) {
        if (persistent[i].request == request) {
            persistent[i].sent = sent;
            return;
        }
    }
    if (persistents < (int)(sizeof persistent / sizeof *persistent))
        persistent[persistents++] = (struct persistent){request, sent};
}

static long long started(int number, MPI_Request const* requests) {
    long long sent = 0;
    for (int i = 0; i < number; ++i) {
        for (int k = 0; k < persistents; ++k) {
            if (persistent[k].request == requests[i]) sent += persistent[k].sent;
        }
    }
    return sent;
}

static struct bytes made(MPI_Request request, long long sent) {
    remember(request, sent);
    return BYTES(.sent = 0);
}

#define TO (void const* buffer, int number, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
#define TO_BY_REQUEST                                                                                        \
    (void const* buffer, int number, MPI_Datatype type, int peer, int tag, MPI_Comm comm,                    \
     MPI_Request* request)
#define FROM_BY_REQUEST                                                                                      \
    (void* buffer, int number, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request)
#define MESSAGE (buffer, number, type, peer, tag, comm)
#define MESSAGE_BY_REQUEST (buffer, number, type, peer, tag, comm, request)
#define SENDS SENT(to_peer(peer, number, type))

FUNCTION(Send, send, TO, MESSAGE, , SENDS)
FUNCTION(Bsend, bsend, TO, MESSAGE, , SENDS)
FUNCTION(Ssend, ssend, TO, MESSAGE, , SENDS)
FUNCTION(Rsend, rsend, TO, MESSAGE, , SENDS)
FUNCTION(Isend, isend, TO_BY_REQUEST, MESSAGE_BY_REQUEST, , SENDS)
FUNCTION(Ibsend, ibsend, TO_BY_REQUEST, MESSAGE_BY_REQUEST, , SENDS)
FUNCTION(Issend, issend, TO_BY_REQUEST, MESSAGE_BY_REQUEST, , SENDS)
FUNCTION(Irsend, irsend, TO_BY_REQUEST, MESSAGE_BY_REQUEST, , SENDS)
FUNCTION(Send_init, send_init, TO_BY_REQUEST, MESSAGE_BY_REQUEST, ,
         made(*request, to_peer(peer, number, type)))
FUNCTION(Bsend_init, bsend_init, TO_BY_REQUEST, MESSAGE_BY_REQUEST, ,
         made(*request, to_peer(peer, number, type)))
FUNCTION(Ssend_init, ssend_init, TO_BY_REQUEST, MESSAGE_BY_REQUEST, ,
         made(*request, to_peer(peer, number, type)))
FUNCTION(Rsend_init, rsend_init, TO_BY_REQUEST, MESSAGE_BY_REQUEST, ,
         made(*request, to_peer(peer, number, type)))
FUNCTION(Recv_init, recv_init, FROM_BY_REQUEST, MESSAGE_BY_REQUEST, , made(*request, 0))
FUNCTION(Start, start, (MPI_Request * request), (request), , SENT(started(1, request)))
FUNCTION(Startall, startall, (int number, MPI_Request requests[]), (number, requests), ,
         SENT(started(number, requests)))

FUNCTION(Recv, recv,
         (void* buffer, int number, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status* status),
         (buffer, number, type, peer, tag, comm, status), WITH_STATUS, RECEIVED(arrived(status)))
FUNCTION(Mrecv, mrecv,
         (void* buffer, int number, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
         (buffer, number, type, message, status), WITH_STATUS, RECEIVED(arrived(status)))
CALL(Irecv, irecv, FROM_BY_REQUEST, MESSAGE_BY_REQUEST)
CALL(Imrecv, imrecv,
     (void* buffer, int number, MPI_Datatype type, MPI_Message* message, MPI_Request* request),
     (buffer, number, type, message, request))

FUNCTION(Sendrecv, sendrecv,
         (void const* out, int number, MPI_Datatype type, int peer, int tag, void* in, int capacity,
          MPI_Datatype in_type, int source, int in_tag, MPI_Comm comm, MPI_Status* status),
         (out, number, type, peer, tag, in, capacity, in_type, source, in_tag, comm, status), WITH_STATUS,
         BYTES(.sent = to_peer(peer, number, type), .received = arrived(status)))
FUNCTION(Sendrecv_replace, sendrecv_replace,
         (void* buffer, int number, MPI_Datatype type, int peer, int tag, int source, int in_tag,
          MPI_Comm comm, MPI_Status* status),
         (buffer, number, type, peer, tag, source, in_tag, comm, status), WITH_STATUS,
         BYTES(.sent = to_peer(peer, number, type), .received = arrived(status)))

CALL(Probe, probe, (int source, int tag, MPI_Comm comm, MPI_Status* status), (source, tag, comm, status))
CALL(Iprobe, iprobe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
     (source, tag, comm, flag, status))
CALL(Mprobe, mprobe, (int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status),
     (source, tag, comm, message, status))
CALL(Improbe, improbe,
     (int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status),
     (source, tag, comm, flag, message, status))
CALL(Buffer_attach, buffer_attach, (void* buffer, int size), (buffer, size))
CALL(Buffer_detach, buffer_detach, (void* buffer, int* size), (buffer, size))

CALL(Wait, wait, (MPI_Request * request, MPI_Status* status), (request, status))
CALL(Waitall, waitall, (int number, MPI_Request requests[], MPI_Status statuses[]),
     (number, requests, statuses))
CALL(Waitany, waitany, (int number, MPI_Request requests[], int* index, MPI_Status* status),
     (number, requests, index, status))
CALL(Waitsome, waitsome,
     (int number, MPI_Request requests[], int* completed, int indices[], MPI_Status statuses[]),
     (number, requests, completed, indices, statuses))
CALL(Test, test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
CALL(Testall, testall, (int number, MPI_Request requests[], int* flag, MPI_Status statuses[]),
     (number, requests, flag, statuses))
CALL(Testany, testany, (int number, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
     (number, requests, index, flag, status))
CALL(Testsome, testsome,
     (int number, MPI_Request requests[], int* completed, int indices[], MPI_Status statuses[]),
     (number, requests, completed, indices, statuses))
CALL(Request_free, request_free, (MPI_Request * request), (request))
CALL(Cancel, cancel, (MPI_Request * request), (request))
