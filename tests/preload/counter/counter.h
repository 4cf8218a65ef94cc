/* A counter of MPI calls and payload bytes, to hold mpiprof's numbers against: it shares no code with it.
 * Preloaded, it counts what the program calls and not what the MPI library calls itself, and forwards to the
 * next MPI_X: that of another library preloaded after it, or of MPI. At MPI_Finalize and MPI_Abort each rank
 * writes the file $COUNTER_OUTPUT.<rank>, a line an operation: name, calls, failed ones, bytes sent,
 * received, written and read.
 *
 * What nonblocking receives bring is not counted: what was received must be what others sent. */
#ifndef TESTS_PRELOAD_COUNTER_H
#define TESTS_PRELOAD_COUNTER_H

#include <mpi.h>
#include <stddef.h>

struct bytes {
    long long sent, received, written, read;
};

struct row {
    char const* operation;
    int listed;
    long long calls, failed;
    struct bytes bytes;
    struct row* next;
};

/* How many calls of MPI this thread is in. */
extern __thread int depth;

/* The next function of the name; ends the program where there is none. */
void find_next(char const* name, void* function, size_t size);

/* Adds a call that returned the code; bytes of a failed one are dropped. */
void count(struct row* row, int code, struct bytes bytes);
void write_counts(void);

/* count × size. */
long long nbytes(long long number, MPI_Datatype type);
/* What arrived, by its status. */
long long arrived(MPI_Status const* status);
/* 0 for the null process. */
long long to_peer(int peer, int number, MPI_Datatype type);

/* Defines MPI_NAME. PARAMETERS and ARGUMENTS are in parentheses; BEFORE comes before the call, and BYTES, a
 * struct bytes, is evaluated after one that succeeded. */
#define FUNCTION(NAME, OPERATION, PARAMETERS, ARGUMENTS, BEFORE, BYTES)                                      \
    int MPI_##NAME PARAMETERS {                                                                              \
        static struct row row = {.operation = #OPERATION};                                                   \
        static int(*next) PARAMETERS;                                                                        \
        if (next == NULL) find_next("MPI_" #NAME, &next, sizeof next);                                       \
        if (depth > 0) return next ARGUMENTS;                                                                \
        ++depth;                                                                                             \
        BEFORE                                                                                               \
        int const code = next ARGUMENTS;                                                                     \
        struct bytes const none = {0, 0, 0, 0};                                                              \
        count(&row, code, code == MPI_SUCCESS ? BYTES : none);                                               \
        --depth;                                                                                             \
        return code;                                                                                         \
    }

#define BYTES(...) ((struct bytes){__VA_ARGS__})
#define SENT(N) BYTES(.sent = (N))
#define RECEIVED(N) BYTES(.received = (N))

/* A function that moves no bytes. */
#define CALL(NAME, OPERATION, PARAMETERS, ARGUMENTS) FUNCTION(NAME, OPERATION, PARAMETERS, ARGUMENTS, , none)

/* The counter needs a status, whether the program wants one or not. */
#define WITH_STATUS                                                                                          \
    MPI_Status own;                                                                                          \
    if (status == MPI_STATUS_IGNORE) status = &own;

#define OPEN(...) __VA_ARGS__

#endif
