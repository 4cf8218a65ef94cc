// Numbers beyond 32 bits.
#include "tests/raw/recorder.hpp"
#include "tests/raw/summary.hpp"
#include "tests/raw/world.hpp"

#include <nlohmann/json.hpp>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

constexpr int two_to_28 = 1 << 28;

TEST(large_counts, L1_totals_beyond_32_bits) {
    CASES_NEED_RANKS(1);
    auto const& profiler = cases::summary_profiler();
    auto const self = mpiprof::profile(MPI_COMM_SELF, profiler);
    std::vector<char> buffer(1 << 20);
    {
        mpiprof::phase const phase{"L1"};
        for (int i = 0; i < 3000; ++i) self.bcast(buffer.data(), 1 << 20, MPI_BYTE, 0);
    }
    auto const run = profiler.snapshot();
    EXPECT_EQ(cases::calls_in_phase(run, "L1").sent, 3145728000);
    EXPECT_EQ(cases::calls_in_phase(run, "L1").calls, 3000);

    std::int64_t in_file = 0;
    auto const file = nlohmann::json::parse(mpiprof::results::to_json(run));
    for (auto const& row : file.at("calls")) {
        if (row.at("phase") == "L1") in_file += row.at("statistics").at("sent").get<std::int64_t>();
    }
    EXPECT_EQ(in_file, 3145728000);
}

TEST(large_counts, L2_the_product_of_count_and_size) {
    CASES_NEED_RANKS(1);
    EXPECT_EQ(mpiprof::raw::message_nbytes(300000000, MPI_DOUBLE), 2400000000);
    cases::committed const large{cases::contiguous(two_to_28, MPI_DOUBLE)};
    EXPECT_EQ(mpiprof::raw::message_nbytes(1, large), 2147483648);
    EXPECT_EQ(mpiprof::raw::message_nbytes(4, large), 8589934592);
    EXPECT_EQ(mpiprof::raw::message_nbytes(INT64_MAX, MPI_DOUBLE), -1);
}

TEST(large_counts, L2_a_type_whose_size_no_int_holds) {
    CASES_NEED_RANKS(1);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    // All of its doubles are the same one.
    PMPI_Type_create_hvector(two_to_28, 1, 0, MPI_DOUBLE, &made);
    cases::committed const type{made};
    int size = 0;
    PMPI_Type_size(type, &size);
    EXPECT_EQ(size, MPI_UNDEFINED);
    recorder const records;
    double value = 0;
    EXPECT_EQ(recorded(MPI_COMM_SELF).bcast(&value, 1, type, 0), MPI_SUCCESS);
    EXPECT_EQ(records.call(operation::bcast).sent, 2147483648);
}

TEST(large_counts, L6_count_times_communicator_size) {
    CASES_NEED_RANKS(4);
    namespace detail = mpiprof::raw::detail;
    // The rule alone is asked: nobody has the memory for the call.
    using row = mpiprof::raw::rows::Allgather;
    detail::arguments<row, void const*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm> const call{
        nullptr, two_to_28, MPI_INT, nullptr, two_to_28, MPI_INT, MPI_COMM_WORLD};
    auto const moved = detail::collective_nbytes<row>(call);
    EXPECT_EQ(moved.sent, 1073741824);
    EXPECT_EQ(moved.received, 4294967296);
}

/// The largest number in it.
double largest(nlohmann::json const& value) {
    if (value.is_number()) return value.get<double>();
    double most = 0;
    if (value.is_structured()) {
        for (auto const& each : value) most = std::max(most, largest(each));
    }
    return most;
}

TEST(large_counts, L7_counts_of_a_phase_that_is_still_open) {
    CASES_NEED_RANKS(1);
    auto const& profiler = cases::summary_profiler();
    auto const self = mpiprof::profile(MPI_COMM_SELF, profiler);
    auto const entered = [](mpiprof::results::profile const& run) {
        std::int64_t times = 0;
        for (auto const& phase : run.phases) {
            if (phase.name == "L7") times += phase.entered;
        }
        return times;
    };
    {
        mpiprof::phase const phase{"L7"};
        self.barrier();
        profiler.pause();
        {
            mpiprof::phase const inner{"L7"};
            self.barrier();
        }
        auto const run = profiler.snapshot();
        EXPECT_EQ(entered(run), 1);
        EXPECT_EQ(cases::calls_in_phase(run, "L7").calls, 1);
        EXPECT_LT(largest(nlohmann::json::parse(mpiprof::results::to_json(run))), 1e18);
        profiler.resume();
    }
    EXPECT_EQ(entered(profiler.snapshot()), 2);
}

}  // namespace
