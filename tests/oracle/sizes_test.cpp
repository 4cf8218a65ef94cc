// Bytes of single messages, and who asks MPI for them.
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/oracle.hpp"

#include <gtest/gtest.h>
#include <mpiprof/bytes/none.hpp>
#include <mpiprof/raw.hpp>

namespace oracle {
namespace {

using mpiprof::raw::message;
using mpiprof::raw::message_nbytes;

TEST(message_nbytes, is_count_times_size) {
    layouts const messages;
    for (auto const& each : messages.all()) EXPECT_EQ(message_nbytes(each.count, each.type), each.nbytes);
    EXPECT_EQ(message_nbytes(message{nullptr, 3, MPI_DOUBLE}), 24);
}

TEST(message_nbytes, is_64_bits_wide_from_the_first_multiplication_on) {
    EXPECT_EQ(message_nbytes(300'000'000, MPI_DOUBLE), 2'400'000'000);
    EXPECT_EQ(message_nbytes(message{nullptr, 300'000'000, MPI_DOUBLE}), 2'400'000'000);
}

TEST(message_nbytes, of_a_datatype_larger_than_an_int_can_say) {
    MPI_Datatype block = MPI_DATATYPE_NULL;
    PMPI_Type_contiguous(1 << 28, MPI_DOUBLE, &block);
    datatype const huge{block};
    EXPECT_EQ(message_nbytes(1, huge), std::int64_t{1} << 31);
    EXPECT_EQ(message_nbytes(5, huge), 5 * (std::int64_t{1} << 31));
}

TEST(message_nbytes, of_a_datatype_that_repeats_one_element) {
    MPI_Datatype repeated = MPI_DATATYPE_NULL;
    PMPI_Type_create_hvector(1 << 28, 1, 0, MPI_DOUBLE, &repeated);
    datatype const huge{repeated};
    EXPECT_EQ(message_nbytes(1, huge), std::int64_t{1} << 31);
}

TEST(message_nbytes, of_a_datatype_without_elements_is_0) {
    datatype const empty{ints(0)};
    EXPECT_EQ(message_nbytes(5, empty), 0);
}

TEST(message_nbytes, of_count_0_asks_nothing) {
    auto const asked = size_queries();
    EXPECT_EQ(message_nbytes(0, MPI_DATATYPE_NULL), 0);
    EXPECT_EQ(message_nbytes(0, MPI_INT), 0);
    EXPECT_EQ(size_queries(), asked);
}

TEST(message_nbytes, of_no_datatype_is_unknown_and_asks_nothing) {
    auto const asked = size_queries();
    EXPECT_EQ(message_nbytes(3, MPI_DATATYPE_NULL), -1);
    EXPECT_EQ(message_nbytes(-3, MPI_INT), -1);
    EXPECT_EQ(size_queries(), asked);
}

TEST(message_nbytes, beyond_64_bits_is_unknown) {
    EXPECT_EQ(message_nbytes(INT64_MAX / 8, MPI_DOUBLE), INT64_MAX - 7);
    EXPECT_EQ(message_nbytes(INT64_MAX / 8 + 1, MPI_DOUBLE), -1);
}

TEST(for_each_rank, is_64_bits_wide_and_keeps_what_is_unknown) {
    using mpiprof::raw::detail::for_each_rank;
    EXPECT_EQ(for_each_rank(std::int64_t{1} << 30, 4), std::int64_t{1} << 32);
    EXPECT_EQ(for_each_rank(-1, 4), -1);
    EXPECT_EQ(for_each_rank(INT64_MAX / 2, 3), -1);
}

/// Sums of bytes that were recorded without any being counted.
struct nothing_counted {
    long long* calls;
    void operator()(mpiprof::call const& record) const {
        ++*calls;
        EXPECT_EQ(record.sent, 0);
        EXPECT_EQ(record.received, 0);
    }
    void operator()(mpiprof::completion const& record) const { EXPECT_EQ(record.received, 0); }
};

TEST(bytes_none, asks_for_no_size_and_counts_nothing) {
    using callback = mpiprof::sinks::callback<nothing_counted>;
    using uncounted = mpiprof::instrumentation<mpiprof::timing::none, mpiprof::bytes::none, callback>;
    long long calls = 0;
    mpiprof::profiler<uncounted> const profiler{callback{nothing_counted{&calls}}};
    auto const self = mpiprof::profile(MPI_COMM_SELF, profiler);
    auto const asked = size_queries();
    int const in[3] = {1, 2, 3};
    int out[3] = {};
    auto sent = self.isend(in, 3, MPI_INT, 0, 1);
    self.recv(out, 3, MPI_INT, 0, 1, MPI_STATUS_IGNORE);
    sent.wait();
    auto received = self.irecv(out, 3, MPI_INT, 0, 1);
    self.send(in, 3, MPI_INT, 0, 1);
    received.wait();
    self.allgather(in, 3, MPI_INT, out, 3, MPI_INT);
    self.bcast(out, 3, MPI_INT, 0);
    EXPECT_EQ(calls, 8);
    EXPECT_EQ(size_queries(), asked);
    profiler.pause();
}

}  // namespace
}  // namespace oracle
