// What only C++ has: the function objects that users name, raw::send and its like, the functions for generic
// code, and views that make views.
#include "tests/oracle/profiled_test.hpp"
#include "tests/oracle/records.hpp"

#include <algorithm>
#include <map>
#include <mpiprof/raw.hpp>

namespace oracle {
namespace {

namespace raw = mpiprof::raw;

mpiprof::profiler<> const& summary() {
    static mpiprof::profiler<> const profiler{{.output = testing::TempDir() + "/oracle.mpiprof.json"}};
    return profiler;
}

/// The default instrumentation's sums by operation.
std::map<std::string, totals> summed_up() {
    std::map<std::string, totals> sums;
    for (auto const& row : summary().snapshot().operations) {
        auto const& numbers = row.statistics;
        sums[row.operation] = {numbers.calls, numbers.completions, numbers.sent, numbers.received};
    }
    return sums;
}

/// The oracle's.
std::map<std::string, totals> logged() {
    std::map<std::string, totals> sums;
    for (auto const& each : log().calls) {
        auto& sum = sums[each.operation];
        sum = {sum.calls + 1, sum.completions, sum.sent + each.sent, sum.received + each.received};
    }
    for (auto const& each : log().completions) {
        auto& sum = sums[each.operation];
        sum = {sum.calls, sum.completions + 1, sum.sent - each.taken_back, sum.received + each.received};
    }
    return sums;
}

class named_objects : public testing::Test {
  protected:
    void SetUp() override {
        summary();
        log() = {};
        PMPI_Comm_rank(world, &rank);
        PMPI_Comm_size(world, &size);
    }

    MPI_Comm const world = MPI_COMM_WORLD;
    int rank = 0;
    int size = 0;
    std::vector<int> in = std::vector<int>(1000);
    std::vector<int> out = std::vector<int>(1000);
};

TEST_F(named_objects, count_in_the_default_instrumentation) {
    int const next = (rank + 1) % size;
    int const previous = (rank + size - 1) % size;
    int done = 0;
    int index = 0;
    MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    char room[4096];
    void* buffer = room;
    int length = sizeof room;
    PMPI_Buffer_attach(room, length);

    raw::irecv(out.data(), 100, MPI_INT, previous, 1, world, &requests[0]);
    raw::send(in.data(), 1, MPI_INT, next, 1, world);
    raw::wait(&requests[0], MPI_STATUS_IGNORE);
    raw::irecv(out.data(), 100, MPI_INT, previous, 1, world, &requests[0]);
    raw::bsend(in.data(), 2, MPI_INT, next, 1, world);
    while (done == 0) raw::test(&requests[0], &done, MPI_STATUS_IGNORE);
    raw::irecv(out.data(), 100, MPI_INT, previous, 1, world, &requests[1]);
    raw::ssend(in.data(), 3, MPI_INT, next, 1, world);
    raw::waitany(2, requests, &index, MPI_STATUS_IGNORE);
    raw::irecv(out.data(), 100, MPI_INT, previous, 1, world, &requests[1]);
    raw::barrier(world);
    raw::rsend(in.data(), 4, MPI_INT, next, 1, world);
    for (done = 0; done == 0;) raw::testany(2, requests, &index, &done, MPI_STATUS_IGNORE);

    for (int i = 0; i < 4; ++i) {
        raw::irecv(out.data() + 100 * i, 100, MPI_INT, previous, i, world, &requests[i]);
    }
    raw::barrier(world);
    MPI_Request sends[4] = {};
    raw::isend(in.data(), 5, MPI_INT, next, 0, world, &sends[0]);
    raw::ibsend(in.data(), 6, MPI_INT, next, 1, world, &sends[1]);
    raw::issend(in.data(), 7, MPI_INT, next, 2, world, &sends[2]);
    raw::irsend(in.data(), 8, MPI_INT, next, 3, world, &sends[3]);
    raw::waitall(4, requests, MPI_STATUSES_IGNORE);
    for (done = 0; done == 0;) raw::testall(4, sends, &done, MPI_STATUSES_IGNORE);

    raw::isend(in.data(), 9, MPI_INT, MPI_PROC_NULL, 1, world, &requests[0]);
    raw::request_free(&requests[0]);
    raw::irecv(out.data(), 100, MPI_INT, previous, 99, world, &requests[0]);
    raw::cancel(&requests[0]);
    raw::wait(&requests[0], MPI_STATUS_IGNORE);
    raw::isend(in.data(), 9, MPI_INT, next, 1, world, &requests[0]);
    raw::iprobe(previous, 2, world, &done, MPI_STATUS_IGNORE);
    raw::probe(previous, 1, world, MPI_STATUS_IGNORE);
    raw::recv(out.data(), 100, MPI_INT, previous, 1, world, MPI_STATUS_IGNORE);
    raw::wait(&requests[0], MPI_STATUS_IGNORE);
    raw::sendrecv(in.data(), 10, MPI_INT, next, 1, out.data(), 100, MPI_INT, previous, 1, world,
                  MPI_STATUS_IGNORE);
    raw::sendrecv_replace(in.data(), 11, MPI_INT, next, 1, previous, 1, world, MPI_STATUS_IGNORE);

    raw::bcast(in.data(), 12, MPI_INT, 0, world);
    raw::reduce(in.data(), out.data(), 13, MPI_INT, MPI_SUM, 0, world);
    raw::allreduce(in.data(), out.data(), 14, MPI_INT, MPI_SUM, world);
    raw::gather(in.data(), 15, MPI_INT, out.data(), 15, MPI_INT, 0, world);
    raw::scatter(in.data(), 16, MPI_INT, out.data(), 16, MPI_INT, 0, world);
    raw::allgather(in.data(), 17, MPI_INT, out.data(), 17, MPI_INT, world);
    raw::alltoall(in.data(), 18, MPI_INT, out.data(), 18, MPI_INT, world);

    MPI_Comm copy = MPI_COMM_NULL;
    raw::comm_dup(world, &copy);
    raw::comm_free(&copy);
    raw::comm_split(world, 0, rank, &copy);
    raw::comm_free(&copy);
    PMPI_Buffer_detach(&buffer, &length);

    auto const sums = summed_up();
    EXPECT_EQ(sums, logged());
    EXPECT_EQ(sums.at("irecv").received, 4 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8));
}

using view = mpiprof::profiled<mpiprof::raw_communicator, instrumentation>;

class generic_functions : public profiled_test {
  protected:
    view const comm{MPI_COMM_WORLD};
    std::vector<double> reals = std::vector<double>(100);
};
INSTANTIATE_TEST_SUITE_P(by, generic_functions, testing::Values(&by_object), form_name);

TEST_P(generic_functions, messages) {
    auto request = mpiprof::irecv(comm, mpiprof::any_source, mpiprof::any_tag, out.data(), 100);
    meet(world);
    mpiprof::send(comm, next(), 4, in.data(), 7);
    mpiprof::wait_all(comm, &request, 1);
    EXPECT_EQ(of("send"), (totals{.calls = 1, .sent = 28}));
    EXPECT_EQ(of("irecv"), (totals{.calls = 1, .completions = 1, .received = 28}));
    EXPECT_EQ(log().completions.back().peer, previous());
    EXPECT_EQ(log().completions.back().tag, 4);
    auto sent = mpiprof::isend(comm, next(), 5, reals.data(), 3);
    mpiprof::recv(comm, mpiprof::any_source, 5, reals.data() + 50, 50);
    sent.wait();
    EXPECT_EQ(of("isend").sent, 24);
    EXPECT_EQ(of("recv").received, 24);
}

TEST_P(generic_functions, null_process) {
    mpiprof::send(comm, mpiprof::null_process, 4, in.data(), 7);
    mpiprof::recv(comm, mpiprof::null_process, mpiprof::any_tag, out.data(), 7);
    EXPECT_EQ(last("send").peer, null_process);
    EXPECT_EQ(of("send").sent + of("recv").received, 0);
}

TEST_P(generic_functions, collectives) {
    mpiprof::barrier(comm);
    mpiprof::bcast(comm, in.data(), 3, size - 1);
    mpiprof::reduce(comm, in.data(), out.data(), 4, std::plus<>{}, 0);
    mpiprof::allreduce(comm, reals.data(), reals.data() + 50, 5, mpiprof::minimum{});
    EXPECT_EQ(of("barrier"), (totals{.calls = 1}));
    EXPECT_EQ(of("bcast").sent, rank == size - 1 ? 12 : 0);
    EXPECT_EQ(of("reduce"), (totals{.calls = 1, .sent = 16, .received = rank == 0 ? 16 : 0}));
    EXPECT_EQ(of("allreduce"), (totals{.calls = 1, .sent = 40, .received = 40}));
}

TEST_P(generic_functions, take_the_views_that_views_make) {
    auto copy = comm.dup();
    auto part = copy.split(rank == 0 ? MPI_UNDEFINED : 1, -rank);
    EXPECT_EQ(static_cast<bool>(part), rank != 0);
    mpiprof::allreduce(copy, in.data(), out.data(), 3, std::plus<>{});
    if (part) {
        // The ranks are in the order of the keys: the last of the world is the first.
        mpiprof::bcast(part, in.data(), 5, 0);
        EXPECT_EQ(of("bcast").sent, rank == size - 1 ? 20 : 0);
        EXPECT_EQ(of("bcast").received, rank == size - 1 ? 0 : 20);
        part.free();
        EXPECT_FALSE(part);
    }
    copy.free();
    EXPECT_EQ(of("comm_dup"), (totals{.calls = 1}));
    EXPECT_EQ(of("comm_split"), (totals{.calls = 1}));
    EXPECT_EQ(of("comm_free"), (totals{.calls = rank == 0 ? 1 : 2}));
}

TEST_P(generic_functions, unprofiled_view_is_not_recorded) {
    int const before = static_cast<int>(recorded().calls.size());
    mpiprof::raw_communicator const plain{MPI_COMM_WORLD};
    mpiprof::bcast(plain, in.data(), 3, 0);
    EXPECT_EQ(static_cast<int>(recorded().calls.size()), before);
    EXPECT_EQ(log().calls.back().operation, "bcast");
    log().calls.pop_back();
}

}  // namespace
}  // namespace oracle
