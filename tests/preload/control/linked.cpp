// A program with mpiprof compiled in, of which this, its C part and MPI_Pcontrol say what is recorded.
#include <mpiprof/control.hpp>
#include <mpiprof/raw.hpp>

#include <string_view>

extern "C" {
void pause_in_c(void);
void resume_in_c(void);
void begin_phase_in_c(char const* name);
void end_phase_in_c(void);
}

namespace {

template <class Comm>
void exchange(Comm const& comm, int other, int times) {
    double mine = 1;
    double others = 0;
    for (; times > 0; --times)
        comm.sendrecv(&mine, 1, MPI_DOUBLE, other, 1, &others, 1, MPI_DOUBLE, other, 1, MPI_STATUS_IGNORE);
}

/// PC1
void pause_by_pcontrol() {
    mpiprof::profiler const profiler;
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    int const other = 1 - world.rank();
    double mine = 1;
    double others = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    world.barrier();
    world.irecv(&others, 1, MPI_DOUBLE, other, 5, &request);
    mpiprof::raw::pcontrol(0);
    exchange(world, other, 5);
    world.send(&mine, 1, MPI_DOUBLE, other, 5);
    mpiprof::raw::wait(&request, MPI_STATUS_IGNORE);
    mpiprof::raw::pcontrol(1);
    mpiprof::raw::pcontrol(9094, "solve", 1.5);
    begin_phase_in_c("three");
    exchange(world, other, 3);
    end_phase_in_c();
    pause_in_c();
    exchange(world, other, 7);
    resume_in_c();
    end_phase_in_c();
    begin_phase_in_c(nullptr);
}

/// Calls of several operations, and messages that some ranks are not to have recorded.
void call_around() {
    mpiprof::profiler const profiler;
    auto const world = mpiprof::profile(MPI_COMM_WORLD, profiler);
    int const next = (world.rank() + 1) % world.size();
    double mine = 1;
    double others = 0;
    for (int i = 0; i < 4; ++i) {
        auto request = world.irecv(&others, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 5);
        world.send(&mine, 1, MPI_DOUBLE, next, 5);
        for (int flag = 0; flag == 0;) request.test(&flag);
    }
    world.barrier();
}

}  // namespace

int main(int argc, char** argv) {
    // Nobody is to fall over it before MPI runs.
    if (mpiprof::raw::pcontrol(1) != MPI_SUCCESS) return 1;
    MPI_Init(&argc, &argv);
    if (argc > 1 && std::string_view{argv[1]} == "around") call_around();
    else pause_by_pcontrol();
    MPI_Finalize();
    return mpiprof::raw::pcontrol(0);
}
