// The functions that make and free communicators. They move nothing that counts.
#include "tests/oracle/calls.hpp"

namespace oracle {

namespace {

/// Notes a call in which one rank decides for all.
int finish_rooted(char const* function, int code, int root) {
    auto made = called(function);
    made.root = root_of(root);
    return finish(made, code);
}

/// Notes a call whose communicator is there when its request completes.
int finish_posted(char const* function, int code, MPI_Request const* request) {
    auto const made = called(function);
    if (code == MPI_SUCCESS) post(*request, {{.operation = made.operation}});
    return finish(made, code);
}

}  // namespace

}  // namespace oracle

using namespace oracle;

extern "C" {

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
    return finish_posted("Comm_idup", PMPI_Comm_idup(comm, made, request), request);
}

#if MPI_VERSION >= 4
int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made, MPI_Request* request) {
    return finish_posted("Comm_idup_with_info", PMPI_Comm_idup_with_info(comm, info, made, request), request);
}

ORACLE_5(Comm_create_from_group)
ORACLE_8(Intercomm_create_from_groups)
#endif

int MPI_Comm_spawn(char const* command, char** arguments, int count, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm* made, int* codes) {
    int const code = PMPI_Comm_spawn(command, arguments, count, info, root, comm, made, codes);
    return finish_rooted("Comm_spawn", code, root);
}

int MPI_Comm_spawn_multiple(int count, char** commands, char*** arguments, int const* counts,
                            MPI_Info const* infos, int root, MPI_Comm comm, MPI_Comm* made, int* codes) {
    int const code =
        PMPI_Comm_spawn_multiple(count, commands, arguments, counts, infos, root, comm, made, codes);
    return finish_rooted("Comm_spawn_multiple", code, root);
}

int MPI_Comm_accept(char const* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
    return finish_rooted("Comm_accept", PMPI_Comm_accept(port, info, root, comm, made), root);
}

int MPI_Comm_connect(char const* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
    return finish_rooted("Comm_connect", PMPI_Comm_connect(port, info, root, comm, made), root);
}

ORACLE_3(Comm_dup_with_info)
ORACLE_3(Comm_create)
ORACLE_4(Comm_create_group)
ORACLE_5(Comm_split_type)
ORACLE_1(Comm_disconnect)
ORACLE_6(Cart_create)
ORACLE_3(Cart_sub)
ORACLE_6(Graph_create)
ORACLE_9(Dist_graph_create)
ORACLE_10(Dist_graph_create_adjacent)
ORACLE_6(Intercomm_create)
ORACLE_3(Intercomm_merge)
ORACLE_2(Comm_set_name)
ORACLE_2(Comm_join)
ORACLE_1(Comm_get_parent)

}  // extern "C"
