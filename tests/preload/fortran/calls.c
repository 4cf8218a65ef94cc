/* The calls of calls.F90 in C, with the same arguments and output; indices are printed as Fortran counts,
 * from one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm const world = MPI_COMM_WORLD;
static int rank, partner;

static void print(char const* name, int count, int const* values) {
    printf("%d %s", rank, name);
    for (int i = 0; i < count; ++i) printf(" %d", values[i]);
    printf("\n");
}

static void fill(int* values, int count, int value) {
    for (int i = 0; i < count; ++i) values[i] = value;
}

static char letter(int is_true) { return is_true ? 'T' : 'F'; }

static void blocking(void) {
    int six[] = {1, 2, 3, 4, 5, 6}, shown[13] = {0}, *many = shown + 3, answer = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Send(six, 6, MPI_INT, partner, 9, world);
        MPI_Recv(&answer, 1, MPI_INT, partner, 3, world, MPI_STATUS_IGNORE);
        print("blocking", 1, &answer);
    } else {
        MPI_Recv(many, 10, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
        MPI_Get_count(&status, MPI_INT, &shown[2]);
        shown[0] = status.MPI_SOURCE;
        shown[1] = status.MPI_TAG;
        print("blocking", 13, shown);
        for (int i = 0; i < 10; ++i) answer += many[i];
        MPI_Send(&answer, 1, MPI_INT, partner, 3, world);
    }
}

static void absolute_address(void) {
    int value = 40 + rank, one = 1;
    MPI_Aint place;
    MPI_Datatype type = MPI_INT, absolute;
    MPI_Get_address(&value, &place);
    MPI_Type_create_struct(1, &one, &place, &type, &absolute);
    MPI_Type_commit(&absolute);
    if (rank == 0) MPI_Send(MPI_BOTTOM, 1, absolute, partner, 5, world);
    if (rank == 1) MPI_Recv(MPI_BOTTOM, 1, absolute, partner, 5, world, MPI_STATUS_IGNORE);
    MPI_Type_free(&absolute);
    print("bottom", 1, &value);
}

static void exchanges(void) {
    double replaced[3] = {rank + 0.5, rank + 0.5, rank + 0.5};
    int mine[] = {rank, 7}, yours[2], shown[4];
    MPI_Status status;
    MPI_Sendrecv_replace(replaced, 3, MPI_DOUBLE, partner, 1, partner, 1, world, &status);
    shown[0] = status.MPI_SOURCE;
    for (int i = 0; i < 3; ++i) shown[i + 1] = (int)(10 * replaced[i]);
    print("sendrecv_replace", 4, shown);
    MPI_Sendrecv(mine, 2, MPI_INT, partner, 2, yours, 2, MPI_INT, partner, 2, world, MPI_STATUS_IGNORE);
    print("sendrecv", 2, yours);
}

static void nonblocking(void) {
    int mine[5], yours[5];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    fill(mine, 5, rank + 10);
    MPI_Irecv(yours, 5, MPI_INT, partner, 11, world, &requests[0]);
    MPI_Isend(mine, 5, MPI_INT, partner, 11, world, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    print("statuses ignored", 5, yours);
    MPI_Irecv(yours, 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &requests[0]);
    MPI_Isend(mine, 3, MPI_INT, partner, 12, world, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    print("statuses", 2, (int[]){statuses[0].MPI_SOURCE, statuses[0].MPI_TAG});
    MPI_Irecv(yours, 5, MPI_INT, partner, 13, world, &requests[0]);
    MPI_Send(mine, 4, MPI_INT, partner, 13, world);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    print("wait", 5, yours);
}

static void indices(void) {
    int mine[] = {rank + 20, rank + 20}, yours[2], index, completed[3], count, flag;
    MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status, statuses[3];
    MPI_Irecv(yours, 2, MPI_INT, partner, 14, world, &requests[1]);
    MPI_Send(mine, 2, MPI_INT, partner, 14, world);
    MPI_Waitany(3, requests, &index, &status);
    print("waitany", 4, (int[]){index + 1, status.MPI_TAG, yours[0], yours[1]});
    MPI_Irecv(yours, 2, MPI_INT, partner, 15, world, &requests[2]);
    MPI_Send(mine, 1, MPI_INT, partner, 15, world);
    MPI_Waitsome(3, requests, &count, completed, MPI_STATUSES_IGNORE);
    print("waitsome", 2, (int[]){count, completed[0] + 1});
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(3, requests, &count, completed, statuses);
    printf("%d undefined %c %c\n", rank, letter(index == MPI_UNDEFINED), letter(count == MPI_UNDEFINED));
    MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
    MPI_Testsome(3, requests, &count, completed, MPI_STATUSES_IGNORE);
    printf("%d undefined %c %c %c\n", rank, letter(flag), letter(index == MPI_UNDEFINED),
           letter(count == MPI_UNDEFINED));
}

static void in_place(void) {
    int x = rank + 1, both[4], ones[] = {1 + rank, 2}, places[] = {0, 2 * (int)sizeof(int)};
    MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, world);
    print("allreduce", 1, &x);
    fill(both, 4, rank + 1);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : both, 2, MPI_INT, both, 2, MPI_INT, 0, world);
    print("gather", 4, both);
    for (int i = 0; i < 4; ++i) both[i] = 10 * rank + i;
    MPI_Alltoallw(MPI_IN_PLACE, ones, places, types, both, ones, places, types, world);
    print("alltoallw", 4, both);
}

static void communicators(void) {
    double values[] = {rank, rank, rank, rank};
    int shown[5];
    MPI_Comm part, copy;
    MPI_Comm_split(world, 0, -rank, &part);
    MPI_Comm_rank(part, &shown[0]);
    MPI_Bcast(values, 4, MPI_DOUBLE, 0, part);
    MPI_Comm_dup(part, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&part);
    for (int i = 0; i < 4; ++i) shown[i + 1] = (int)values[i];
    print("split", 5, shown);
    MPI_Comm_split(world, rank == 0 ? 0 : MPI_UNDEFINED, 0, &part);
    printf("%d null %c %c\n", rank, letter(part == MPI_COMM_NULL), letter(copy == MPI_COMM_NULL));
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}

static void persistent(void) {
    int mine[4], yours[4], shown[2];
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Recv_init(yours, 4, MPI_INT, partner, 16, world, &requests[0]);
    MPI_Send_init(mine, 4, MPI_INT, partner, 16, world, &requests[1]);
    fill(mine, 4, rank + 1);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    shown[0] = yours[0] + yours[1] + yours[2] + yours[3];
    fill(mine, 4, rank + 3);
    MPI_Start(&requests[0]);
    MPI_Start(&requests[1]);
    MPI_Wait(&requests[0], &status);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    shown[1] = yours[0] + yours[1] + yours[2] + yours[3];
    print("persistent", 2, shown);
}

static void halo(void) {
    int mine[4][100], yours[4][100], neighbours[] = {partner, partner, rank, rank}, opposite[] = {2, 1, 4, 3};
    MPI_Request requests[8];
    double greatest = 0, largest;
    for (int side = 0; side < 4; ++side) {
        fill(mine[side], 100, 10 * rank + side + 1);
        MPI_Irecv(yours[side], 100, MPI_INT, neighbours[side], opposite[side], world, &requests[side]);
    }
    for (int side = 0; side < 4; ++side)
        MPI_Isend(mine[side], 100, MPI_INT, neighbours[side], side + 1, world, &requests[4 + side]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; side < 4; ++side)
        if (yours[side][0] > greatest) greatest = yours[side][0];
    MPI_Allreduce(&greatest, &largest, 1, MPI_DOUBLE, MPI_MAX, world);
    print("halo", 5, (int[]){yours[0][99], yours[1][99], yours[2][99], yours[3][99], (int)largest});
}

static void sections(void) {
    int every[10];
    MPI_Datatype second;
    for (int i = 0; i < 10; ++i) every[i] = 100 * rank + i + 1;
    MPI_Type_vector(5, 1, 2, MPI_INT, &second);
    MPI_Type_commit(&second);
    if (rank == 0) MPI_Send(&every[0], 1, second, partner, 17, world);
    if (rank == 1) MPI_Recv(&every[1], 1, second, partner, 17, world, MPI_STATUS_IGNORE);
    MPI_Type_free(&second);
    print("section", 10, every);
}

static void one_sided(void) {
    int shown[10], *exposed = shown, *fetched = shown + 8, mine[3];
    MPI_Win window;
    fill(exposed, 8, rank);
    fill(mine, 3, 30 + rank);
    MPI_Win_create(exposed, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, world, &window);
    MPI_Win_fence(0, window);
    MPI_Put(mine, 3, MPI_INT, partner, 2, 3, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Get(fetched, 2, MPI_INT, partner, 4, 2, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    print("window", 10, shown);
}

static void files(char const* path) {
    int mine[4], again[2];
    MPI_File file;
    MPI_Status status;
    fill(mine, 4, 50 + rank);
    MPI_File_open(world, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 16 * rank, mine, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 16 * rank, again, 2, MPI_INT, &status);
    MPI_File_close(&file);
    print("file", 2, again);
}

static void errors(void) {
    int class;
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Send(&rank, 1, MPI_INT, 7, 1, world), &class);
    printf("%d error %c\n", rank, letter(class == MPI_ERR_RANK));
}

int main(int argc, char** argv) {
    int const levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
    int flags[4], ranks, version, subversion, number, length;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    if (argc < 2) return 1;
    MPI_Initialized(&flags[0]);
    MPI_Finalized(&flags[1]);
    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(library, &length);
    if (argc < 3) MPI_Init(&argc, &argv);
    else MPI_Init_thread(&argc, &argv, levels[atoi(argv[2])], &number);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    partner = 1 - rank;
    if (ranks != 2) MPI_Abort(world, 2);

    blocking();
    absolute_address();
    exchanges();
    nonblocking();
    indices();
    in_place();
    communicators();
    persistent();
    halo();
    sections();
    one_sided();
    files(argv[1]);
    errors();

    MPI_Finalize();
    MPI_Initialized(&flags[2]);
    MPI_Finalized(&flags[3]);
    MPI_Get_version(&number, &length);
    if (number != version || length != subversion) return 3;
    printf("%d initialized, finalized %c %c %c %c\n", rank, letter(flags[0]), letter(flags[1]),
           letter(flags[2]), letter(flags[3]));
    return 0;
}
