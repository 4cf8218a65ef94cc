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

TEST(datatypes, D1_the_same_in_every_kind_of_call) {
    CASES_NEED_RANKS(2);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_vector(3, 1, 4, MPI_INT, &made);
    committed const type{made};
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    int const other = 1 - world.rank();
    std::array<int, 64> out{};
    std::array<int, 64> in{};
    std::array<MPI_Request, 2> requests{};
    world.irecv(in.data(), 2, type, other, 1, &requests[0]);
    world.isend(out.data(), 2, type, other, 1, &requests[1]);
    cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(records.call(operation::irecv).capacity, 24);
    EXPECT_EQ(records.call(operation::isend).sent, 24);
    EXPECT_EQ(records.completion(operation::irecv).received, 24);
    world.sendrecv(out.data(), 1, type, other, 2, in.data(), 2, type, other, 2, MPI_STATUS_IGNORE);
    EXPECT_EQ(records.call(operation::sendrecv).sent, 12);
    EXPECT_EQ(records.completion(operation::sendrecv).received, 12);
    world.allgather(out.data(), 1, type, in.data(), 3, MPI_INT);
    EXPECT_EQ(records.call(operation::allgather).sent, 12);
    EXPECT_EQ(records.call(operation::allgather).received, 24);
    world.bcast(out.data(), 2, type, 0);
    EXPECT_EQ(records.call(operation::bcast).sent + records.call(operation::bcast).received, 24);
}

TEST(datatypes, D1_a_message_that_fills_no_whole_number_of_elements) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 8> buffer{};
    if (world.rank() == 0) {
        for (int tag = 1; tag <= 3; ++tag) world.send(buffer.data(), 3, MPI_INT, 1, tag);
        return;
    }
    committed const pairs{cases::contiguous(2, MPI_INT)};
    world.recv(buffer.data(), 4, pairs, 0, 1, MPI_STATUS_IGNORE);
    EXPECT_EQ(records.call(operation::recv).received, 12);
    auto request = world.irecv(buffer.data(), 4, pairs, 0, 2);
    request.wait();
    EXPECT_EQ(records.completion(operation::irecv).received, 12);
    MPI_Message message = MPI_MESSAGE_NULL;
    world.mprobe(0, 3, &message, MPI_STATUS_IGNORE);
    cases::calls::mrecv(buffer.data(), 4, pairs, &message, MPI_STATUS_IGNORE);
    EXPECT_EQ(records.call(operation::mrecv).received, 12);
}

TEST(datatypes, D1_packed_data) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<char, 64> packed{};
    int value = 5;
    double number = 2.5;
    if (world.rank() == 0) {
        int position = 0;
        cases::calls::pack(&value, 1, MPI_INT, packed.data(), 64, &position, MPI_COMM_WORLD);
        cases::calls::pack(&number, 1, MPI_DOUBLE, packed.data(), 64, &position, MPI_COMM_WORLD);
        world.send(packed.data(), position, MPI_PACKED, 1, 0);
        EXPECT_EQ(records.call(operation::send).sent, position);
    } else {
        world.recv(packed.data(), 64, MPI_PACKED, 0, 0, MPI_STATUS_IGNORE);
        EXPECT_EQ(records.call(operation::recv).received, 12);
        value = 0;
        int position = 0;
        cases::calls::unpack(packed.data(), 64, &position, &value, 1, MPI_INT, MPI_COMM_WORLD);
        EXPECT_EQ(value, 5);
    }
    // Packing moves nothing between ranks, and is recorded on request only.
    EXPECT_EQ(records.calls().size(), 1U);
}

TEST(datatypes, D5_type_and_communicator_freed_before_the_start) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto comm = recorded(MPI_COMM_WORLD).dup();
    auto const identity = comm.identity();
    std::vector<double> in(100);
    std::vector<double> const out(100, 1.5);
    MPI_Datatype type = cases::contiguous(100, MPI_DOUBLE);
    PMPI_Type_commit(&type);
    std::array<MPI_Request, 2> requests{};
    comm.recv_init(in.data(), 1, type, 0, 0, &requests[0]);
    comm.send_init(out.data(), 1, type, 0, 0, &requests[1]);
    PMPI_Type_free(&type);
    comm.free();
    for (int round = 0; round < 2; ++round) {
        cases::calls::startall(2, requests.data());
        cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    }
    EXPECT_EQ(in, out);
    for (auto& request : requests) cases::calls::request_free(&request);
    for (auto const& call : records.calls(operation::startall)) EXPECT_EQ(call.sent, 800);
    EXPECT_EQ(records.completions().size(), 4U);
    for (auto const& done : records.completions()) {
        EXPECT_EQ(done.communicator, identity);
        EXPECT_EQ(done.received, done.operation == operation::recv_init ? 800 : 0);
    }
}

}  // namespace
