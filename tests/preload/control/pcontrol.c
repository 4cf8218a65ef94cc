/* Two ranks say by MPI_Pcontrol what is to be recorded, at all times; the program is of no tool. */
#include <mpi.h>
#include <stdio.h>

/* Not there without the preload library. */
void mpiprof_phase_begin(const char* name) __attribute__((weak));
void mpiprof_phase_end(void) __attribute__((weak));
void mpiprof_pause(void) __attribute__((weak));
void mpiprof_resume(void) __attribute__((weak));
void mpiprof_reset(void) __attribute__((weak));

static int other;

static void exchange(int times) {
    double mine = 1;
    double others = 0;
    for (; times > 0; --times) {
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, other, 1, &others, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv) {
    MPI_Request request;
    double mine = 1;
    double others = 0;
    int rank = 0;
    /* Levels of others, whose arguments are theirs. */
    int codes = MPI_Pcontrol(9093, "solve");
    codes |= MPI_Pcontrol(1);
    codes |= MPI_Pcontrol(2);
    if (argc > 1) {
        codes |= MPI_Pcontrol(0);
        codes |= MPI_Pcontrol(0);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    if (mpiprof_reset) mpiprof_reset();

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(&others, 1, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, &request);
    codes |= MPI_Pcontrol(0);
    exchange(5);
    MPI_Send(&mine, 1, MPI_DOUBLE, other, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    codes |= MPI_Pcontrol(1);
    codes |= MPI_Pcontrol(9094, "solve", 1.5, &mine);
    codes |= MPI_Pcontrol(12345);
    codes |= MPI_Pcontrol(-1);
    if (mpiprof_phase_begin) mpiprof_phase_begin("three");
    exchange(3);
    if (mpiprof_phase_end) mpiprof_phase_end();
    if (mpiprof_pause) mpiprof_pause();
    exchange(7);
    if (mpiprof_resume) mpiprof_resume();
    if (mpiprof_phase_end) mpiprof_phase_end();
    if (mpiprof_phase_begin) mpiprof_phase_begin(NULL);
    if (mpiprof_phase_begin) mpiprof_phase_begin("open");

    MPI_Finalize();
    codes |= MPI_Pcontrol(0);
    codes |= MPI_Pcontrol(2);
    printf("rank %d, codes %d, received %g\n", rank, codes, others);
    return codes;
}
