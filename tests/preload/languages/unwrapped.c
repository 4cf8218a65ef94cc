/* Calls functions that mpiprof has no wrapper for, beside two that it has. */
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <stdio.h>

static void add(void* in, void* in_out, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((int*)in_out)[i] += ((int*)in)[i];
}

static void tools_interface(void) {
    int level, variables;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_cvar_get_num(&variables);
    printf("control variables %d\n", variables > 0);
    MPI_T_finalize();
}

static MPI_Datatype pairs(void) {
    MPI_Datatype type;
    MPI_Aint lower, extent;
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_get_extent(type, &lower, &extent);
    printf("extent %d\n", (int)extent);
    return type;
}

static int is_key_set(MPI_Comm comm) {
    int key, value = 5, *found, flag;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_get_attr(comm, key, &found, &flag);
    flag = flag && *found == 5;
    MPI_Comm_free_keyval(&key);
    return flag;
}

int main(int argc, char** argv) {
    int rank, sum, cuda = 0;
    int six[6] = {0, 1, 2, 3, 4, 5}, got[6] = {0};
    MPI_Op op;
    MPI_Group group;
    MPI_Init(&argc, &argv);
    tools_interface();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = pairs();
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Sendrecv(six, 1, type, 1 - rank, 1, got, 1, type, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_free(&group);
#ifdef OPEN_MPI
    cuda = MPIX_Query_cuda_support();
#else
    MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &cuda);
#endif
    printf("%d sum %d, got %d %d, key %d, time %d, CUDA %d\n", rank, sum, got[0], got[3],
           is_key_set(MPI_COMM_WORLD), MPI_Wtime() >= 0, cuda);
    return MPI_Finalize();
}
