// Communicators that come and go, and questions for the size of datatypes.
#include "tests/oracle/parts.hpp"

#include <dlfcn.h>

namespace oracle {

namespace {
long long asked_for_sizes = 0;
}

long long size_queries() { return asked_for_sizes; }

}  // namespace oracle

using namespace oracle;

extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
    return finish({.operation = "comm_dup"}, ORACLE_REAL(Comm_dup)(comm, made));
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
    return finish({.operation = "comm_split"}, ORACLE_REAL(Comm_split)(comm, color, key, made));
}

int MPI_Comm_free(MPI_Comm* comm) { return finish({.operation = "comm_free"}, ORACLE_REAL(Comm_free)(comm)); }

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count* size) {
    static auto const real =
        reinterpret_cast<decltype(&PMPI_Type_size_x)>(dlsym(RTLD_NEXT, "PMPI_Type_size_x"));
    ++asked_for_sizes;
    return real(type, size);
}

#if MPI_VERSION >= 4
int PMPI_Type_size_c(MPI_Datatype type, MPI_Count* size) {
    static auto const real =
        reinterpret_cast<decltype(&PMPI_Type_size_c)>(dlsym(RTLD_NEXT, "PMPI_Type_size_c"));
    ++asked_for_sizes;
    return real(type, size);
}
#endif

}  // extern "C"
