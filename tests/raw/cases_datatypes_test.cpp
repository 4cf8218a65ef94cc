// Derived datatypes: their size counts, neither their extent nor what holds them.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <fstream>
#include <unistd.h>

namespace {

using cases::committed;
using cases::recorded;
using cases::recorder;
using mpiprof::operation;

/// One message of `count` elements from rank 0 to rank 1 counts as `bytes` on both.
void expect_bytes(int count, MPI_Datatype type, std::int64_t bytes) {
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<double, 64> buffer{};
    if (world.rank() == 0) {
        world.send(buffer.data(), count, type, 1, 0);
        EXPECT_EQ(records.call(operation::send).sent, bytes);
    } else {
        world.recv(buffer.data(), count, type, 0, 0, MPI_STATUS_IGNORE);
        EXPECT_EQ(records.call(operation::recv).received, bytes);
    }
}

TEST(datatypes, D1_a_vector_with_gaps) {
    CASES_NEED_RANKS(2);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_vector(3, 1, 4, MPI_INT, &made);
    expect_bytes(2, committed{made}, 24);
}

TEST(datatypes, D2_a_struct_with_padding) {
    CASES_NEED_RANKS(2);
    struct padded {
        int first;
        double second;
    };
    std::array<int, 2> const lengths{1, 1};
    std::array<MPI_Aint, 2> const places{0, sizeof(double)};
    std::array<MPI_Datatype, 2> const types{MPI_INT, MPI_DOUBLE};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &made);
    static_assert(sizeof(padded) == 16);
    expect_bytes(3, committed{made}, 36);
}

TEST(datatypes, D4_a_small_type_of_large_extent) {
    CASES_NEED_RANKS(2);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_resized(MPI_INT, 0, 64, &made);
    expect_bytes(4, committed{made}, 16);
}

TEST(datatypes, D5_type_and_communicator_freed_while_the_transfer_is_pending) {
    CASES_NEED_RANKS(1);
    constexpr int count = 64800;
    recorder const records;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Datatype type = cases::contiguous(count, MPI_DOUBLE);
    PMPI_Type_commit(&type);
    cases::calls::comm_dup(MPI_COMM_WORLD, &comm);
    auto const id = recorded(comm).identity();
    std::vector<double> out(count, 1.0);
    std::vector<double> in(count);
    std::array<MPI_Request, 2> requests{};
    cases::calls::isend(out.data(), 1, type, 0, 0, comm, &requests[0]);
    cases::calls::irecv(in.data(), 1, type, 0, 0, comm, &requests[1]);
    cases::calls::comm_free(&comm);
    PMPI_Type_free(&type);
    EXPECT_EQ(cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(in, out);
    EXPECT_EQ(records.call(operation::isend).sent, 518400);
    EXPECT_EQ(records.call(operation::comm_free).communicator, id);
    EXPECT_EQ(records.completion(operation::irecv).received, 518400);
    EXPECT_EQ(records.completion(operation::irecv).communicator, id);
    EXPECT_EQ(records.completion(operation::isend).communicator, id);
    EXPECT_NE(id, mpiprof::world_communicator);
}

// Sanitizers hold on to memory that was freed.
#ifdef __has_feature
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// Bytes of memory that this process holds.
long resident_bytes() {
    long pages = 0;
    std::ifstream{"/proc/self/statm"} >> pages >> pages;
    return pages * ::sysconf(_SC_PAGESIZE);
}

TEST(datatypes, D6_many_types_of_the_same_handles) {
    CASES_NEED_RANKS(1);
    using counting =
        mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, mpiprof::sinks::tally>;
    constexpr int rounds = 100000;
    mpiprof::profiler<counting> const profiler;
    auto const self = mpiprof::profile(MPI_COMM_SELF, profiler);
    auto const before = profiler.sink().sent(operation::sendrecv);
    std::array<int, 100> out{};
    std::array<int, 100> in{};
    long warm = 0;
    for (int i = 0; i < rounds; ++i) {
        committed const type{cases::contiguous(i % 100 + 1, MPI_INT)};
        self.sendrecv(out.data(), 1, type, 0, 0, in.data(), 1, type, 0, 0, MPI_STATUS_IGNORE);
        if (i == rounds / 10) warm = resident_bytes();
    }
    EXPECT_EQ(profiler.sink().sent(operation::sendrecv) - before, 20200000);
    EXPECT_EQ(profiler.sink().received(operation::sendrecv), profiler.sink().sent(operation::sendrecv));
    if (!sanitized) {
        EXPECT_LT(resident_bytes() - warm, 1 << 20);
    }
}

TEST(datatypes, D7_one_signature_by_different_types) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const parts = world.rank() == 0 ? 1 : world.rank() == 1 ? 5 : 10;
    committed const type{cases::contiguous(parts, MPI_INT)};
    std::array<int, 10> buffer{};
    buffer.fill(world.rank());
    world.bcast(buffer.data(), 10 / parts, type, 0);
    EXPECT_EQ(buffer.back(), 0);
    auto const bcast = records.call(operation::bcast);
    EXPECT_EQ(bcast.sent, world.rank() == 0 ? 40 : 0);
    EXPECT_EQ(bcast.received, world.rank() == 0 ? 0 : 40);
}

}  // namespace
