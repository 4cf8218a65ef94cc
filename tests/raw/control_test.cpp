// Pause, resume and reset, by MPI_Pcontrol too, while requests are in flight.
#include "tests/raw/summary.hpp"

namespace {

using mpiprof::operation;

/// Of an operation, in all phases.
mpiprof::results::statistics sums_of(operation which) {
    for (auto const& row : cases::summary_profiler().snapshot().operations) {
        if (row.operation == mpiprof::name(which)) return row.statistics;
    }
    return {};
}

class control : public testing::Test {
  protected:
    control() {
        // Collective, so not where the first test would skip.
        cases::summary_profiler();
        mpiprof::reset();
    }

    mpiprof::profiled<mpiprof::raw_communicator, mpiprof::default_instrumentation> self =
        mpiprof::profile(MPI_COMM_SELF, cases::summary_profiler());
    int in = 0;
    int out = 5;
    MPI_Request request = MPI_REQUEST_NULL;
};

// PC1
TEST_F(control, pauses_and_resumes_by_pcontrol) {
    self.irecv(&in, 1, MPI_INT, 0, 1, &request);
    EXPECT_EQ(mpiprof::raw::pcontrol(0), MPI_SUCCESS);
    self.send(&out, 1, MPI_INT, 0, 1);
    mpiprof::raw::wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(mpiprof::raw::pcontrol(1), MPI_SUCCESS);
    EXPECT_EQ(in, 5);
    self.send(&out, 1, MPI_INT, MPI_PROC_NULL, 1);
    EXPECT_EQ(sums_of(operation::irecv).calls, 1);
    EXPECT_EQ(sums_of(operation::irecv).completions, 0);
    EXPECT_EQ(sums_of(operation::send).calls, 1);
    EXPECT_EQ(sums_of(operation::wait).calls, 0);
    EXPECT_TRUE(cases::summary_profiler().snapshot().outstanding.empty());
}

// PC4
TEST_F(control, leaves_levels_and_arguments_of_others_alone) {
    EXPECT_EQ(mpiprof::raw::pcontrol(9093, "solve"), MPI_SUCCESS);
    EXPECT_EQ(mpiprof::raw::pcontrol(9094, "solve", 1.5, &in), MPI_SUCCESS);
    EXPECT_EQ(mpiprof::raw::pcontrol(12345), MPI_SUCCESS);
    EXPECT_EQ(mpiprof::raw::pcontrol(-1), MPI_SUCCESS);
    self.send(&out, 1, MPI_INT, MPI_PROC_NULL, 1);
    EXPECT_EQ(sums_of(operation::send).calls, 1);
}

TEST_F(control, resets_and_lets_requests_complete) {
    self.irecv(&in, 1, MPI_INT, 0, 1, &request);
    auto object = self.irecv(&in, 1, MPI_INT, 0, 2);
    mpiprof::reset();
    self.send(&out, 1, MPI_INT, 0, 1);
    self.send(&out, 1, MPI_INT, 0, 2);
    EXPECT_EQ(cases::summary_profiler().snapshot().outstanding.size(), 1U);
    mpiprof::raw::wait(&request, MPI_STATUS_IGNORE);
    object.wait();
    auto const irecv = sums_of(operation::irecv);
    EXPECT_EQ(irecv.calls, 0);
    EXPECT_EQ(irecv.completions, 2);
    EXPECT_EQ(irecv.received, static_cast<std::int64_t>(2 * sizeof(int)));
    EXPECT_EQ(sums_of(operation::send).calls, 2);
    EXPECT_EQ(sums_of(operation::wait).calls, 2);
    EXPECT_TRUE(cases::summary_profiler().snapshot().outstanding.empty());
}

TEST_F(control, resets_what_other_instrumentations_recorded_too) {
    using counting =
        mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::payload, mpiprof::sinks::tally>;
    mpiprof::profiler<counting> const counter;
    auto const counted = mpiprof::profile(MPI_COMM_SELF, counter);
    counted.send(&out, 1, MPI_INT, MPI_PROC_NULL, 1);
    mpiprof::reset();
    EXPECT_EQ(counter.sink().calls(), 0);
    counted.send(&out, 1, MPI_INT, MPI_PROC_NULL, 1);
    EXPECT_EQ(counter.sink().calls(), 1);
}

}  // namespace
