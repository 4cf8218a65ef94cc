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

#if MPIPROF_INTERNAL_LARGE_COUNTS

/// Rank 0 sends what rank 1 receives, then both take part in collectives, by the functions for int counts or
/// by those for large ones.
template <bool Large>
std::vector<mpiprof::call> calls_with_counts() {
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::vector<int> in(6);
    std::vector<int> out(6);
    MPI_Request request = MPI_REQUEST_NULL;
    bool const sends = world.rank() == 0;
    if constexpr (Large) {
        if (sends) world.send_c(out.data(), 3, MPI_INT, 1, 5);
        else world.recv_c(in.data(), 6, MPI_INT, MPI_ANY_SOURCE, 5, MPI_STATUS_IGNORE);
        world.bcast_c(in.data(), 3, MPI_INT, 0);
        world.allreduce_c(out.data(), in.data(), 3, MPI_INT, MPI_SUM);
        std::vector<MPI_Count> const counts{1, 2};
        std::vector<MPI_Aint> const displacements{0, 1};
        world.allgatherv_c(out.data(), counts[sends ? 0 : 1], MPI_INT, in.data(), counts.data(),
                           displacements.data(), MPI_INT);
        world.ialltoall_c(out.data(), 3, MPI_INT, in.data(), 3, MPI_INT, &request);
    } else {
        if (sends) world.send(out.data(), 3, MPI_INT, 1, 5);
        else world.recv(in.data(), 6, MPI_INT, MPI_ANY_SOURCE, 5, MPI_STATUS_IGNORE);
        world.bcast(in.data(), 3, MPI_INT, 0);
        world.allreduce(out.data(), in.data(), 3, MPI_INT, MPI_SUM);
        std::vector<int> const counts{1, 2};
        std::vector<int> const displacements{0, 1};
        world.allgatherv(out.data(), counts[sends ? 0 : 1], MPI_INT, in.data(), counts.data(),
                         displacements.data(), MPI_INT);
        world.ialltoall(out.data(), 3, MPI_INT, in.data(), 3, MPI_INT, &request);
    }
    cases::calls::wait(&request, MPI_STATUS_IGNORE);
    return records.calls();
}

TEST(large_counts, L4_calls_with_large_counts_are_recorded_as_the_others) {
    CASES_NEED_RANKS(2);
    auto const plain = calls_with_counts<false>();
    auto const large = calls_with_counts<true>();
    ASSERT_EQ(plain.size(), 6U);
    ASSERT_EQ(large.size(), plain.size());
    EXPECT_EQ(large[0].sent + large[0].received, 12);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_EQ(large[i].operation, plain[i].operation);
        EXPECT_EQ(large[i].request, plain[i].request);
        EXPECT_EQ(large[i].sent, plain[i].sent) << mpiprof::name(plain[i].operation);
        EXPECT_EQ(large[i].received, plain[i].received) << mpiprof::name(plain[i].operation);
        EXPECT_EQ(large[i].peer, plain[i].peer);
        EXPECT_EQ(large[i].root, plain[i].root);
        EXPECT_EQ(large[i].tag, plain[i].tag);
    }
}

TEST(large_counts, L4_a_count_that_no_int_holds) {
    CASES_NEED_RANKS(1);
    // All of its bytes are the same one.
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_resized(MPI_BYTE, 0, 0, &made);
    cases::committed const type{made};
    recorder const records;
    char value = 0;
    constexpr MPI_Count count = 3000000000;
    EXPECT_EQ(recorded(MPI_COMM_SELF).bcast_c(&value, count, type, 0), MPI_SUCCESS);
    EXPECT_EQ(recorded(MPI_COMM_SELF).send_c(&value, count, type, MPI_PROC_NULL, 0), MPI_SUCCESS);
    auto request = recorded(MPI_COMM_SELF).irecv_c(&value, count, MPI_BYTE, MPI_PROC_NULL, 0);
    EXPECT_EQ(request.wait(), MPI_SUCCESS);
    EXPECT_EQ(records.call(operation::bcast).sent, 3000000000);
    EXPECT_EQ(records.call(operation::send).sent, 0);
    EXPECT_EQ(records.call(operation::irecv).capacity, 0);
    EXPECT_EQ(mpiprof::raw::message_nbytes(count, MPI_DOUBLE), 24000000000);
}

#endif

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
        // Both, though only one has ended.
        EXPECT_EQ(entered(run), 2);
        EXPECT_EQ(cases::calls_in_phase(run, "L7").calls, 1);
        EXPECT_LT(largest(nlohmann::json::parse(mpiprof::results::to_json(run))), 1e18);
        profiler.resume();
    }
    EXPECT_EQ(entered(profiler.snapshot()), 2);
}

}  // namespace
