// Barriers, and CLOCK_MONOTONIC before and after each, printed as rank, nanoseconds, nanoseconds.
#include <mpiprof/raw.hpp>

#include <cstdio>
#include <ctime>

namespace {

long long monotonic() {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        mpiprof::profiler profiler;
        auto world = mpiprof::profile(MPI_COMM_WORLD, profiler);
        for (int call = 0; call < 20; ++call) {
            auto const before = monotonic();
            world.barrier();
            auto const after = monotonic();
            std::printf("%d %lld %lld\n", mpiprof::rank(world), before, after);
        }
    }
    MPI_Finalize();
    return 0;
}
