// The null process: nothing moves, everything succeeds.
#include "tests/raw/recorder.hpp"
#include "tests/raw/stderr_capture.hpp"
#include "tests/raw/world.hpp"

#include <array>

namespace {

using cases::error_class;
using cases::recorded;
using cases::recorder;
using mpiprof::operation;

TEST(proc_null, P1_sendrecv_with_both_ends_null) {
    CASES_NEED_RANKS(1);
    recorder const records;
    std::array<int, 20> buffer{};
    MPI_Status status;
    EXPECT_EQ(recorded(MPI_COMM_WORLD)
                  .sendrecv(buffer.data(), 10, MPI_INT, MPI_PROC_NULL, 3, buffer.data() + 10, 10, MPI_INT,
                            MPI_PROC_NULL, 3, &status),
              MPI_SUCCESS);
    EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
    EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
    int count = -1;
    PMPI_Get_count(&status, MPI_INT, &count);
    EXPECT_EQ(count, 0);
    auto const call = records.call(operation::sendrecv);
    EXPECT_EQ(call.sent, 0);
    EXPECT_EQ(call.received, 0);
    EXPECT_EQ(call.peer, mpiprof::null_process);
    auto const done = records.completion(operation::sendrecv);
    EXPECT_EQ(done.received, 0);
    EXPECT_EQ(done.peer, mpiprof::null_process);
}

TEST(proc_null, P2_receives_without_buffer_or_datatype_end_as_plain_ones_do) {
    CASES_NEED_RANKS(1);
    cases::errors_return const guard;
    MPI_Request plain_request = MPI_REQUEST_NULL;
    MPI_Status plain;
    int const plain_irecv =
        PMPI_Irecv(nullptr, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &plain_request);
    int const plain_waitall = PMPI_Waitall(1, &plain_request, &plain);
    int const plain_recv =
        PMPI_Recv(nullptr, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &plain);

    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    EXPECT_EQ(error_class(world.irecv(nullptr, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, MPI_ANY_TAG, &request)),
              error_class(plain_irecv));
    EXPECT_EQ(error_class(cases::calls::waitall(1, &request, &status)), error_class(plain_waitall));
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    if (plain_irecv == MPI_SUCCESS) {
        EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
        EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
    }
    EXPECT_EQ(error_class(world.recv(nullptr, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, MPI_ANY_TAG, &status)),
              error_class(plain_recv));
    EXPECT_EQ(records.call(operation::recv).flags, plain_recv == MPI_SUCCESS ? 0 : mpiprof::call_failed);
    EXPECT_EQ(records.completions().size(), plain_irecv == MPI_SUCCESS ? 1U : 0U);
    for (auto const& call : records.calls()) {
        EXPECT_EQ(call.sent, 0);
        EXPECT_EQ(call.received, 0);
    }
}

TEST(proc_null, P3_operations_that_share_one_handle_complete_each_for_itself) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    auto const in_flight = mpiprof::raw::request_table::instance().size();
    std::array<int, 4> buffer{};
    std::array<MPI_Request, 4> requests{};
    cases::stderr_capture captured;
    world.isend(buffer.data(), 1, MPI_INT, MPI_PROC_NULL, 0, &requests[0]);
    world.isend(buffer.data(), 2, MPI_INT, MPI_PROC_NULL, 1, &requests[1]);
    world.irecv(buffer.data(), 4, MPI_INT, MPI_PROC_NULL, 2, &requests[2]);
    PMPI_Ibarrier(MPI_COMM_SELF, &requests[3]);
    EXPECT_EQ(cases::calls::waitall(4, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(captured.text(), "");
    for (auto const request : requests) EXPECT_EQ(request, MPI_REQUEST_NULL);

    auto const sends = records.completions(operation::isend);
    ASSERT_EQ(sends.size(), 2U);
    EXPECT_EQ(sends[0].tag, 0);
    EXPECT_EQ(sends[1].tag, 1);
    EXPECT_EQ(records.completion(operation::irecv).tag, 2);
    EXPECT_EQ(records.completions().size(), 3U);
    for (auto const& done : records.completions()) {
        EXPECT_EQ(done.peer, mpiprof::null_process);
        EXPECT_EQ(done.received, 0);
    }
    for (auto const& call : records.calls()) EXPECT_EQ(call.sent, 0);
    EXPECT_EQ(mpiprof::raw::request_table::instance().size(), in_flight);
}

TEST(proc_null, P5_messages_without_datatype_end_as_plain_ones_do) {
    CASES_NEED_RANKS(2);
    cases::errors_return const guard;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    bool const sends = world.rank() == 0;
    char buffer = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    int const plain = sends ? PMPI_Isend(&buffer, 0, MPI_DATATYPE_NULL, 1, 1, MPI_COMM_WORLD, &request)
                            : PMPI_Irecv(&buffer, 0, MPI_DATATYPE_NULL, 0, 1, MPI_COMM_WORLD, &request);
    if (plain == MPI_SUCCESS) PMPI_Wait(&request, MPI_STATUS_IGNORE);
    request = MPI_REQUEST_NULL;

    int const code = sends ? world.isend(&buffer, 0, MPI_DATATYPE_NULL, 1, 1, &request)
                           : world.irecv(&buffer, 0, MPI_DATATYPE_NULL, 0, 1, &request);
    EXPECT_EQ(error_class(code), error_class(plain));
    auto const posted = records.call(sends ? operation::isend : operation::irecv);
    EXPECT_EQ(posted.tag, 1);
    EXPECT_EQ(posted.sent, 0);
    EXPECT_EQ(posted.received, 0);
    if (plain == MPI_SUCCESS) {
        EXPECT_EQ(posted.flags, 0);
        EXPECT_EQ(cases::calls::wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
        auto const done = records.completion(posted.operation);
        EXPECT_EQ(done.tag, 1);
        EXPECT_EQ(done.peer, 1 - world.rank());
        EXPECT_EQ(done.received, 0);
    } else {
        EXPECT_EQ(posted.flags, mpiprof::call_failed);
        EXPECT_TRUE(records.completions().empty());
    }
}

TEST(proc_null, P8_probes_succeed_at_once) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    MPI_Status status;
    int flag = 0;
    EXPECT_EQ(world.iprobe(MPI_PROC_NULL, 4, &flag, &status), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
    EXPECT_EQ(world.probe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (auto const which : {operation::iprobe, operation::probe}) {
        auto const call = records.call(which);
        EXPECT_EQ(call.peer, mpiprof::null_process);
        EXPECT_EQ(call.received, 0);
        EXPECT_EQ(call.flags, 0);
    }
}

}  // namespace
