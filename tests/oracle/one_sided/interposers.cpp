// The functions of one-sided communication: windows, accesses to them, and their synchronisation.
//
// Every access counts at its call (DESIGN.md, section 4): what goes to the target is sent, what comes from it
// is received, and the completion of a request adds nothing. An access to the null process moves nothing.
#include "tests/oracle/calls.hpp"

namespace oracle {

namespace {

/// Notes an access to `target`; `count` fills in its bytes where there are any.
template <class Count>
int finish_access(call made, int code, int target, Count count) {
    made.peer = peer_of(target);
    return finish(std::move(made), code, [&](call& moving) {
        if (target != MPI_PROC_NULL) count(moving);
    });
}

/// Notes the request of the latest call.
int finish_request(int code, MPI_Request const* request) {
    auto const& made = log().calls.back();
    if (code == MPI_SUCCESS) post(*request, {{.operation = made.operation, .peer = made.peer}});
    return code;
}

/// Notes a call that has to do with one rank of a window.
int finish_at(call made, int code, int target) {
    made.peer = peer_of(target);
    return finish(std::move(made), code);
}

/// What the origin gives to an operation that also fetches; nothing for the one that only fetches (MPI 3.1,
/// section 11.3.4).
long long given(long long count, MPI_Datatype type, MPI_Op op) {
    return op == MPI_NO_OP ? 0 : payload(count, type);
}

}  // namespace

}  // namespace oracle

using namespace oracle;

extern "C" {

#define ORACLE_ACCESSES(COUNT, SUFFIX)                                                                       \
    int MPI_Put##SUFFIX(void const* origin, COUNT count, MPI_Datatype type, int target, MPI_Aint place,      \
                        COUNT target_count, MPI_Datatype target_type, MPI_Win window) {                      \
        int const code =                                                                                     \
            PMPI_Put##SUFFIX(origin, count, type, target, place, target_count, target_type, window);         \
        return finish_access(called("Put" #SUFFIX), code, target,                                            \
                             [&](call& made) { made.sent = payload(count, type); });                         \
    }                                                                                                        \
    int MPI_Rput##SUFFIX(void const* origin, COUNT count, MPI_Datatype type, int target, MPI_Aint place,     \
                         COUNT target_count, MPI_Datatype target_type, MPI_Win window,                       \
                         MPI_Request* request) {                                                             \
        int const code = PMPI_Rput##SUFFIX(origin, count, type, target, place, target_count, target_type,    \
                                           window, request);                                                 \
        finish_access(called("Rput" #SUFFIX), code, target,                                                  \
                      [&](call& made) { made.sent = payload(count, type); });                                \
        return finish_request(code, request);                                                                \
    }                                                                                                        \
    int MPI_Get##SUFFIX(void* origin, COUNT count, MPI_Datatype type, int target, MPI_Aint place,            \
                        COUNT target_count, MPI_Datatype target_type, MPI_Win window) {                      \
        int const code =                                                                                     \
            PMPI_Get##SUFFIX(origin, count, type, target, place, target_count, target_type, window);         \
        return finish_access(called("Get" #SUFFIX), code, target,                                            \
                             [&](call& made) { made.received = payload(count, type); });                     \
    }                                                                                                        \
    int MPI_Rget##SUFFIX(void* origin, COUNT count, MPI_Datatype type, int target, MPI_Aint place,           \
                         COUNT target_count, MPI_Datatype target_type, MPI_Win window,                       \
                         MPI_Request* request) {                                                             \
        int const code = PMPI_Rget##SUFFIX(origin, count, type, target, place, target_count, target_type,    \
                                           window, request);                                                 \
        finish_access(called("Rget" #SUFFIX), code, target,                                                  \
                      [&](call& made) { made.received = payload(count, type); });                            \
        return finish_request(code, request);                                                                \
    }                                                                                                        \
    int MPI_Accumulate##SUFFIX(void const* origin, COUNT count, MPI_Datatype type, int target,               \
                               MPI_Aint place, COUNT target_count, MPI_Datatype target_type, MPI_Op op,      \
                               MPI_Win window) {                                                             \
        int const code = PMPI_Accumulate##SUFFIX(origin, count, type, target, place, target_count,           \
                                                 target_type, op, window);                                   \
        return finish_access(called("Accumulate" #SUFFIX), code, target,                                     \
                             [&](call& made) { made.sent = payload(count, type); });                         \
    }                                                                                                        \
    int MPI_Raccumulate##SUFFIX(void const* origin, COUNT count, MPI_Datatype type, int target,              \
                                MPI_Aint place, COUNT target_count, MPI_Datatype target_type, MPI_Op op,     \
                                MPI_Win window, MPI_Request* request) {                                      \
        int const code = PMPI_Raccumulate##SUFFIX(origin, count, type, target, place, target_count,          \
                                                  target_type, op, window, request);                         \
        finish_access(called("Raccumulate" #SUFFIX), code, target,                                           \
                      [&](call& made) { made.sent = payload(count, type); });                                \
        return finish_request(code, request);                                                                \
    }                                                                                                        \
    int MPI_Get_accumulate##SUFFIX(void const* origin, COUNT count, MPI_Datatype type, void* result,         \
                                   COUNT result_count, MPI_Datatype result_type, int target, MPI_Aint place, \
                                   COUNT target_count, MPI_Datatype target_type, MPI_Op op,                  \
                                   MPI_Win window) {                                                         \
        int const code = PMPI_Get_accumulate##SUFFIX(origin, count, type, result, result_count, result_type, \
                                                     target, place, target_count, target_type, op, window);  \
        return finish_access(called("Get_accumulate" #SUFFIX), code, target, [&](call& made) {               \
            made.sent = given(count, type, op);                                                              \
            made.received = payload(result_count, result_type);                                              \
        });                                                                                                  \
    }                                                                                                        \
    int MPI_Rget_accumulate##SUFFIX(void const* origin, COUNT count, MPI_Datatype type, void* result,        \
                                    COUNT result_count, MPI_Datatype result_type, int target,                \
                                    MPI_Aint place, COUNT target_count, MPI_Datatype target_type, MPI_Op op, \
                                    MPI_Win window, MPI_Request* request) {                                  \
        int const code =                                                                                     \
            PMPI_Rget_accumulate##SUFFIX(origin, count, type, result, result_count, result_type, target,     \
                                         place, target_count, target_type, op, window, request);             \
        finish_access(called("Rget_accumulate" #SUFFIX), code, target, [&](call& made) {                     \
            made.sent = given(count, type, op);                                                              \
            made.received = payload(result_count, result_type);                                              \
        });                                                                                                  \
        return finish_request(code, request);                                                                \
    }
ORACLE_ACCESSES(int, )
#if MPI_VERSION >= 4
ORACLE_ACCESSES(MPI_Count, _c)
#endif
#undef ORACLE_ACCESSES

int MPI_Fetch_and_op(void const* origin, void* result, MPI_Datatype type, int target, MPI_Aint place,
                     MPI_Op op, MPI_Win window) {
    int const code = PMPI_Fetch_and_op(origin, result, type, target, place, op, window);
    return finish_access(called("Fetch_and_op"), code, target, [&](call& made) {
        made.sent = given(1, type, op);
        made.received = payload(1, type);
    });
}

int MPI_Compare_and_swap(void const* origin, void const* compared, void* result, MPI_Datatype type,
                         int target, MPI_Aint place, MPI_Win window) {
    int const code = PMPI_Compare_and_swap(origin, compared, result, type, target, place, window);
    return finish_access(called("Compare_and_swap"), code, target,
                         [&](call& made) { made.sent = made.received = payload(1, type); });
}

int MPI_Win_lock(int kind, int target, int assertion, MPI_Win window) {
    int const code = PMPI_Win_lock(kind, target, assertion, window);
    return finish_at(called("Win_lock"), code, target);
}

#define ORACLE_AT_TARGET(NAME)                                                                               \
    int MPI_##NAME(int target, MPI_Win window) {                                                             \
        int const code = PMPI_##NAME(target, window);                                                        \
        return finish_at(called(#NAME), code, target);                                                       \
    }
ORACLE_AT_TARGET(Win_unlock)
ORACLE_AT_TARGET(Win_flush)
ORACLE_AT_TARGET(Win_flush_local)
#undef ORACLE_AT_TARGET

int MPI_Win_test(MPI_Win window, int* flag) {
    int const code = PMPI_Win_test(window, flag);
    return finish(called("Win_test"), code, [&](call& made) { made.incomplete = *flag == 0; });
}

ORACLE_6(Win_create)
ORACLE_6(Win_allocate)
ORACLE_6(Win_allocate_shared)
#if MPI_VERSION >= 4
ORACLE_6(Win_create_c)
ORACLE_6(Win_allocate_c)
ORACLE_6(Win_allocate_shared_c)
#endif
ORACLE_3(Win_create_dynamic)
ORACLE_3(Win_attach)
ORACLE_2(Win_detach)
ORACLE_2(Win_set_name)
ORACLE_1(Win_free)
ORACLE_2(Win_fence)
ORACLE_3(Win_post)
ORACLE_3(Win_start)
ORACLE_1(Win_complete)
ORACLE_1(Win_wait)
ORACLE_2(Win_lock_all)
ORACLE_1(Win_unlock_all)
ORACLE_1(Win_flush_all)
ORACLE_1(Win_flush_local_all)
ORACLE_1(Win_sync)

}  // extern "C"
