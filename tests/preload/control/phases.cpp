// A program that uses mpiprof for its phases and controls alone, and calls MPI plainly.
#include <mpiprof/mpiprof.hpp>

#include <mpi.h>

namespace {

// Y2: before MPI_Init.
mpiprof::phase const whole{"whole program"};

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    try {
        mpiprof::phase const solve{"solve"};
        mpiprof::phase_begin("left open");
        MPI_Barrier(MPI_COMM_WORLD);
        throw 1;
    } catch (int) {
    }
    mpiprof::pause();
    MPI_Barrier(MPI_COMM_WORLD);
    mpiprof::resume();
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
