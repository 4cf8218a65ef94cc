/* What ScaLAPACK's test programs call in Fortran. MPICH's Fortran layer calls MPI_X, where the counter sees
 * it; Open MPI's calls PMPI_X, so that its functions stand here again. */
#include "counter.h"

#ifdef OPEN_MPI

void mpi_init_(MPI_Fint* code) { *code = MPI_Init(NULL, NULL); }

void mpi_abort_(MPI_Fint* comm, MPI_Fint* status, MPI_Fint* code) {
    *code = MPI_Abort(MPI_Comm_f2c(*comm), *status);
}

void mpi_comm_dup_(MPI_Fint* comm, MPI_Fint* made, MPI_Fint* code) {
    MPI_Comm duplicate;
    *code = MPI_Comm_dup(MPI_Comm_f2c(*comm), &duplicate);
    if (*code == MPI_SUCCESS) *made = MPI_Comm_c2f(duplicate);
}

void mpi_send_(void* buffer, MPI_Fint* number, MPI_Fint* type, MPI_Fint* peer, MPI_Fint* tag, MPI_Fint* comm,
               MPI_Fint* code) {
    *code = MPI_Send(buffer, *number, MPI_Type_f2c(*type), *peer, *tag, MPI_Comm_f2c(*comm));
}

void mpi_recv_(void* buffer, MPI_Fint* number, MPI_Fint* type, MPI_Fint* peer, MPI_Fint* tag, MPI_Fint* comm,
               MPI_Fint* status, MPI_Fint* code) {
    MPI_Status own;
    *code = MPI_Recv(buffer, *number, MPI_Type_f2c(*type), *peer, *tag, MPI_Comm_f2c(*comm), &own);
    if (*code == MPI_SUCCESS && status != MPI_F_STATUS_IGNORE) MPI_Status_c2f(&own, status);
}

#else

typedef int fortran_calls_the_functions_for_c;

#endif
