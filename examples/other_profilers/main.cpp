// other_profilers: sums over the ranks, which other profilers than mpiprof's are told of.
#include "caliper_snapshots.hpp"
#include "nvtx_ranges.hpp"

#include <mpiprof/bytes/payload.hpp>
#include <mpiprof/raw.hpp>
#include <mpiprof/sinks/fanout.hpp>
#include <mpiprof/sinks/region.hpp>
#include <mpiprof/timing/steady.hpp>

// A profile is written too.
using profiling = mpiprof::instrumentation<
    mpiprof::timing::steady, mpiprof::bytes::payload,
    mpiprof::sinks::fanout<mpiprof::sinks::summary, mpiprof::sinks::region<nvtx_ranges>,
                           mpiprof::sinks::region<caliper_snapshots>>>;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        mpiprof::profiler<profiling> const profiler;
        auto world = mpiprof::profile(MPI_COMM_WORLD, profiler);
        for (int call = 0; call < 3; ++call) {
            double const mine = 1.0 + call;
            double sum = 0;
            world.allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM);
        }
        double root_has = 2.5;
        world.bcast(&root_has, 1, MPI_DOUBLE, 0);
    }
    MPI_Finalize();
    return 0;
}
