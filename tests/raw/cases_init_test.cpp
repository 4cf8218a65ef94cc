// Objects of mpiprof's that are there before MPI_Init and after MPI_Finalize.
#include "tests/raw/recorder.hpp"
#include "tests/raw/summary.hpp"
#include "tests/raw/world.hpp"

namespace {

using cases::recorder;
using mpiprof::operation;

auto early_world = mpiprof::profile<cases::recording>(MPI_COMM_WORLD);
auto early_default = mpiprof::profile(MPI_COMM_WORLD);
mpiprof::request_of<decltype(early_world)> early_request;

bool const mpi_ran_early = [] {
    mpiprof::phase const phase{"before MPI_Init"};
    int initialized = 1;
    PMPI_Initialized(&initialized);
    return initialized != 0;
}();

TEST(init, Y2_a_phase_before_mpi_runs_is_kept) {
    EXPECT_FALSE(mpi_ran_early);
    auto const run = cases::summary_profiler().snapshot();
    int found = 0;
    for (auto const& phase : run.phases) {
        if (phase.name != "before MPI_Init") continue;
        ++found;
        EXPECT_EQ(phase.entered, 1);
        EXPECT_EQ(phase.rank_time.rank_of_most, cases::world_rank());
    }
    EXPECT_EQ(found, 1);
}

TEST(init, Y9_a_global_communicator_works_once_mpi_runs) {
    CASES_NEED_RANKS(2);
    recorder const records;
    EXPECT_EQ(early_world.identity(), mpiprof::world_communicator);
    EXPECT_EQ(early_world.size(), 2);
    EXPECT_EQ(early_world.barrier(), MPI_SUCCESS);
    EXPECT_EQ(records.call(operation::barrier).communicator, mpiprof::world_communicator);

    auto const& profiler = cases::summary_profiler();
    {
        mpiprof::phase const phase{"Y9"};
        EXPECT_EQ(early_default.barrier(), MPI_SUCCESS);
    }
    EXPECT_EQ(cases::calls_in_phase(profiler.snapshot(), "Y9").calls, 1);

    int const out = early_world.rank();
    int in = -1;
    early_request = early_world.irecv(1 - early_world.rank(), 3, &in, 1);
    early_world.send(1 - early_world.rank(), 3, &out, 1);
    EXPECT_EQ(early_request.wait(), MPI_SUCCESS);
    EXPECT_EQ(in, 1 - early_world.rank());
    EXPECT_EQ(records.completion(operation::irecv).received, 4);
}

TEST(init, what_only_asks_is_not_recorded_unless_wanted) {
    CASES_NEED_RANKS(1);
    recorder const records;
    int number = 0;
    EXPECT_EQ(cases::recorded(MPI_COMM_WORLD).comm_rank(&number), MPI_SUCCESS);
    EXPECT_EQ(cases::calls::type_size(MPI_INT, &number), MPI_SUCCESS);
    EXPECT_EQ(number, 4);
    EXPECT_EQ(cases::calls::initialized(&number), MPI_SUCCESS);
    EXPECT_TRUE(records.calls().empty());
}

}  // namespace
