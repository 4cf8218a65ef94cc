// A program that is linked with the preload library, and has parts of it profiled.
#include <mpiprof/control.h>
#include <mpiprof/preload/scoped_profiling.hpp>

#include <mpi.h>
#include <string_view>

namespace {

void barriers(int times) {
    for (; times > 0; --times) MPI_Barrier(MPI_COMM_WORLD);
}

void profile_parts() {
    mpiprof_phase_begin("left by an exception");
    try {
        mpiprof::scoped_profiling const outer;
        barriers(2);
        {
            mpiprof::scoped_profiling const inner;
            barriers(3);
        }
        barriers(4);
        throw 1;
    } catch (int) {
    }
    barriers(10);
    mpiprof_phase_end();

    mpiprof_phase_begin("paused inside");
    mpiprof::scoped_profiling const outer;
    mpiprof_pause();
    barriers(20);
    {
        mpiprof::scoped_profiling const inner;
        barriers(5);
    }
    barriers(40);
    mpiprof_phase_end();
}

}  // namespace

int main(int argc, char** argv) {
    std::string_view const how = argc > 1 ? argv[1] : "";
    if (how == "serial") {
        mpiprof::scoped_profiling const profiling;
        return 0;
    }
    // It does not make a program that is linked only one that is profiled as a whole.
    if (how == "resumed") mpiprof_resume();
    MPI_Init(&argc, &argv);
    barriers(80);
    if (how != "nothing") profile_parts();
    barriers(160);
    return MPI_Finalize();
}
