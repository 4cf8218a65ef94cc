// The functions of MPI-IO.
//
// A write counts, at its call, what it was given; a read counts what its status tells, which is less than
// what was asked for at the end of the file. In a split collective the beginning writes and the end reads; of
// the nonblocking ones the call writes and the completion reads.
#include "tests/oracle/calls.hpp"

namespace oracle {

namespace {

int finish_read(char const* function, int code, MPI_Status const& status) {
    return finish(called(function), code, [&](call& made) { made.read = arrived(status); });
}

int finish_write(char const* function, int code, long long count, MPI_Datatype type) {
    return finish(called(function), code, [&](call& made) { made.written = payload(count, type); });
}

/// Notes a request that reads or writes.
int finish_posted(char const* function, int code, long long count, MPI_Datatype type,
                  MPI_Request const* request, brings what) {
    auto made = called(function);
    if (code == MPI_SUCCESS) {
        post(*request, {{.operation = made.operation}, what});
        if (what == brings::nothing) made.written = payload(count, type);
    }
    return finish(std::move(made), code);
}

}  // namespace

}  // namespace oracle

using namespace oracle;

extern "C" {

// How a place in the file stands among the parameters, and among the arguments.
#define ORACLE_NOWHERE
#define ORACLE_PLACE MPI_Offset place,
#define ORACLE_AT place,

#define ORACLE_READ(NAME, COUNT, PLACE, AT)                                                                  \
    int MPI_##NAME(MPI_File file, PLACE void* buffer, COUNT count, MPI_Datatype type, MPI_Status* status) {  \
        status_of_call own{status};                                                                          \
        int const code = PMPI_##NAME(file, AT buffer, count, type, own.get());                               \
        return finish_read(#NAME, code, *own.get());                                                         \
    }
#define ORACLE_WRITE(NAME, COUNT, PLACE, AT)                                                                 \
    int MPI_##NAME(MPI_File file, PLACE void const* buffer, COUNT count, MPI_Datatype type,                  \
                   MPI_Status* status) {                                                                     \
        return finish_write(#NAME, PMPI_##NAME(file, AT buffer, count, type, status), count, type);          \
    }
#define ORACLE_POSTED(NAME, COUNT, PLACE, AT, BUFFER, WHAT)                                                  \
    int MPI_##NAME(MPI_File file, PLACE BUFFER buffer, COUNT count, MPI_Datatype type,                       \
                   MPI_Request* request) {                                                                   \
        int const code = PMPI_##NAME(file, AT buffer, count, type, request);                                 \
        return finish_posted(#NAME, code, count, type, request, WHAT);                                       \
    }
#define ORACLE_READ_BEGIN(NAME, COUNT, PLACE, AT)                                                            \
    int MPI_##NAME(MPI_File file, PLACE void* buffer, COUNT count, MPI_Datatype type) {                      \
        int const code = PMPI_##NAME(file, AT buffer, count, type);                                          \
        return finish(called(#NAME), code);                                                                  \
    }
#define ORACLE_WRITE_BEGIN(NAME, COUNT, PLACE, AT)                                                           \
    int MPI_##NAME(MPI_File file, PLACE void const* buffer, COUNT count, MPI_Datatype type) {                \
        return finish_write(#NAME, PMPI_##NAME(file, AT buffer, count, type), count, type);                  \
    }
#define ORACLE_READ_END(NAME)                                                                                \
    int MPI_##NAME(MPI_File file, void* buffer, MPI_Status* status) {                                        \
        status_of_call own{status};                                                                          \
        int const code = PMPI_##NAME(file, buffer, own.get());                                               \
        return finish_read(#NAME, code, *own.get());                                                         \
    }

#define ORACLE_TRANSFERS(COUNT, C)                                                                           \
    ORACLE_READ(File_read##C, COUNT, ORACLE_NOWHERE, )                                                       \
    ORACLE_READ(File_read_all##C, COUNT, ORACLE_NOWHERE, )                                                   \
    ORACLE_READ(File_read_shared##C, COUNT, ORACLE_NOWHERE, )                                                \
    ORACLE_READ(File_read_ordered##C, COUNT, ORACLE_NOWHERE, )                                               \
    ORACLE_READ(File_read_at##C, COUNT, ORACLE_PLACE, ORACLE_AT)                                             \
    ORACLE_READ(File_read_at_all##C, COUNT, ORACLE_PLACE, ORACLE_AT)                                         \
    ORACLE_WRITE(File_write##C, COUNT, ORACLE_NOWHERE, )                                                     \
    ORACLE_WRITE(File_write_all##C, COUNT, ORACLE_NOWHERE, )                                                 \
    ORACLE_WRITE(File_write_shared##C, COUNT, ORACLE_NOWHERE, )                                              \
    ORACLE_WRITE(File_write_ordered##C, COUNT, ORACLE_NOWHERE, )                                             \
    ORACLE_WRITE(File_write_at##C, COUNT, ORACLE_PLACE, ORACLE_AT)                                           \
    ORACLE_WRITE(File_write_at_all##C, COUNT, ORACLE_PLACE, ORACLE_AT)                                       \
    ORACLE_POSTED(File_iread##C, COUNT, ORACLE_NOWHERE, , void*, brings::part_of_file)                       \
    ORACLE_POSTED(File_iread_all##C, COUNT, ORACLE_NOWHERE, , void*, brings::part_of_file)                   \
    ORACLE_POSTED(File_iread_shared##C, COUNT, ORACLE_NOWHERE, , void*, brings::part_of_file)                \
    ORACLE_POSTED(File_iread_at##C, COUNT, ORACLE_PLACE, ORACLE_AT, void*, brings::part_of_file)             \
    ORACLE_POSTED(File_iread_at_all##C, COUNT, ORACLE_PLACE, ORACLE_AT, void*, brings::part_of_file)         \
    ORACLE_POSTED(File_iwrite##C, COUNT, ORACLE_NOWHERE, , void const*, brings::nothing)                     \
    ORACLE_POSTED(File_iwrite_all##C, COUNT, ORACLE_NOWHERE, , void const*, brings::nothing)                 \
    ORACLE_POSTED(File_iwrite_shared##C, COUNT, ORACLE_NOWHERE, , void const*, brings::nothing)              \
    ORACLE_POSTED(File_iwrite_at##C, COUNT, ORACLE_PLACE, ORACLE_AT, void const*, brings::nothing)           \
    ORACLE_POSTED(File_iwrite_at_all##C, COUNT, ORACLE_PLACE, ORACLE_AT, void const*, brings::nothing)       \
    ORACLE_READ_BEGIN(File_read_all_begin##C, COUNT, ORACLE_NOWHERE, )                                       \
    ORACLE_READ_BEGIN(File_read_ordered_begin##C, COUNT, ORACLE_NOWHERE, )                                   \
    ORACLE_READ_BEGIN(File_read_at_all_begin##C, COUNT, ORACLE_PLACE, ORACLE_AT)                             \
    ORACLE_WRITE_BEGIN(File_write_all_begin##C, COUNT, ORACLE_NOWHERE, )                                     \
    ORACLE_WRITE_BEGIN(File_write_ordered_begin##C, COUNT, ORACLE_NOWHERE, )                                 \
    ORACLE_WRITE_BEGIN(File_write_at_all_begin##C, COUNT, ORACLE_PLACE, ORACLE_AT)

ORACLE_TRANSFERS(int, )
#if MPI_VERSION >= 4
ORACLE_TRANSFERS(MPI_Count, _c)
#endif

ORACLE_READ_END(File_read_all_end)
ORACLE_READ_END(File_read_ordered_end)
ORACLE_READ_END(File_read_at_all_end)
ORACLE_3(File_write_all_end)
ORACLE_3(File_write_ordered_end)
ORACLE_3(File_write_at_all_end)

ORACLE_5(File_open)
ORACLE_1(File_close)
ORACLE_2(File_delete)
ORACLE_2(File_set_size)
ORACLE_2(File_preallocate)
ORACLE_6(File_set_view)
ORACLE_3(File_seek)
ORACLE_3(File_seek_shared)
ORACLE_2(File_set_atomicity)
ORACLE_1(File_sync)

}  // extern "C"
