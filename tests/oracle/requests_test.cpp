// Waits and tests, of one request and of lists.
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/profiled_test.hpp"

#include <algorithm>
#include <set>

namespace oracle {
namespace {

/// Each rank exchanges messages with its neighbours in the ring of all ranks.
class request_test : public profiled_test {
  protected:
    /// Posts a receive of a message with this tag, into a place of its own for each tag below 100.
    void receive(int tag, MPI_Request* request) {
        mpi.irecv(out.data() + 100 * tag, 100, MPI_INT, previous(), tag, world, request);
    }

    /// Starts to send `tag` ints with this tag.
    void send(int tag, MPI_Request* request) {
        mpi.isend(in.data() + 100 * tag, tag, MPI_INT, next(), tag, world, request);
    }

    std::vector<MPI_Request> requests = std::vector<MPI_Request>(80, MPI_REQUEST_NULL);
};

class waits : public request_test {};
ORACLE_ALL_FORMS(waits);

TEST_P(waits, wait_is_named_after_its_request_and_carries_no_bytes) {
    receive(3, &requests[0]);
    send(3, &requests[1]);
    MPI_Status status{};
    mpi.wait(&requests[0], &status);
    EXPECT_EQ(status.MPI_SOURCE, previous());
    EXPECT_EQ(status.MPI_TAG, 3);
    EXPECT_EQ(requests[0], MPI_REQUEST_NULL);
    EXPECT_EQ(last("wait").request, "irecv");
    EXPECT_EQ(last("wait").peer, previous());
    EXPECT_EQ(last("wait").tag, 3);
    EXPECT_EQ(last("wait").sent, 0);
    EXPECT_EQ(last("wait").received, 0);
    mpi.wait(&requests[1], MPI_STATUS_IGNORE);
    EXPECT_EQ(last("wait").request, "isend");
    EXPECT_EQ(last("wait").peer, next());
}

TEST_P(waits, test_that_finds_nothing_completes_nothing) {
    receive(3, &requests[0]);
    int done = 1;
    mpi.test(&requests[0], &done, MPI_STATUS_IGNORE);
    EXPECT_EQ(done, 0);
    EXPECT_TRUE(last("test").incomplete);
    EXPECT_EQ(of("irecv").completions, 0);
    meet(world);
    send(3, &requests[1]);
    until([&] {
        mpi.test(&requests[0], &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    EXPECT_FALSE(last("test").incomplete);
    EXPECT_EQ(last("test").request, "irecv");
    EXPECT_EQ(last("test").peer, previous());
    EXPECT_EQ(of("irecv"), (totals{.calls = 1, .completions = 1, .received = 12}));
    mpi.wait(&requests[1], MPI_STATUS_IGNORE);
}

TEST_P(waits, nothing_to_wait_for) {
    int done = 0;
    mpi.wait(&requests[0], MPI_STATUS_IGNORE);
    mpi.test(&requests[0], &done, MPI_STATUS_IGNORE);
    EXPECT_EQ(done, 1);
    EXPECT_FALSE(last("test").incomplete);
    mpi.waitall(0, requests.data(), MPI_STATUSES_IGNORE);
    mpi.waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("wait"), (totals{.calls = 1}));
    EXPECT_EQ(of("waitall"), (totals{.calls = 2}));
    EXPECT_EQ(last("wait").request, "");
}

TEST_P(waits, waitall_completes_each_of_a_list_with_gaps) {
    receive(3, &requests[0]);
    receive(4, &requests[2]);
    send(4, &requests[3]);
    send(3, &requests[5]);
    mpi.waitall(6, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("irecv"), (totals{.calls = 2, .completions = 2, .received = 28}));
    EXPECT_EQ(of("isend"), (totals{.calls = 2, .completions = 2, .sent = 28}));
    EXPECT_EQ(of("waitall"), (totals{.calls = 1}));
    EXPECT_EQ(std::count(requests.begin(), requests.end(), MPI_REQUEST_NULL), 80);
}

TEST_P(waits, waitall_writes_the_callers_statuses) {
    receive(3, &requests[0]);
    send(3, &requests[1]);
    MPI_Status statuses[2] = {};
    mpi.waitall(2, requests.data(), statuses);
    EXPECT_EQ(statuses[0].MPI_SOURCE, previous());
    EXPECT_EQ(statuses[0].MPI_TAG, 3);
}

TEST_P(waits, waitall_of_more_than_any_inline_buffer_holds) {
    for (int tag = 1; tag <= 40; ++tag) receive(tag, &requests[static_cast<std::size_t>(tag - 1)]);
    for (int tag = 1; tag <= 40; ++tag) send(tag, &requests[static_cast<std::size_t>(tag + 39)]);
    mpi.waitall(80, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("irecv"), (totals{.calls = 40, .completions = 40, .received = 4 * 820}));
    EXPECT_EQ(of("isend"), (totals{.calls = 40, .completions = 40, .sent = 4 * 820}));
}

TEST_P(waits, status_of_a_request_is_told_without_completing_it) {
    receive(3, &requests[0]);
    int done = 1;
    mpi.request_get_status(requests[0], &done, MPI_STATUS_IGNORE);
    EXPECT_EQ(done, 0);
    EXPECT_TRUE(last("request_get_status").incomplete);
    meet(world);
    send(3, &requests[1]);
    MPI_Status status{};
    until([&] {
        mpi.request_get_status(requests[0], &done, &status);
        return done != 0;
    });
    EXPECT_FALSE(last("request_get_status").incomplete);
    EXPECT_EQ(status.MPI_TAG, 3);
    EXPECT_EQ(of("irecv"), (totals{.calls = 1}));
    mpi.wait(&requests[0], MPI_STATUS_IGNORE);
    EXPECT_EQ(of("irecv"), (totals{.calls = 1, .completions = 1, .received = 12}));
    mpi.wait(&requests[1], MPI_STATUS_IGNORE);
    mpi.request_get_status(MPI_REQUEST_NULL, &done, MPI_STATUS_IGNORE);
    EXPECT_EQ(done, 1);
}

// Small sends are complete at once, and the libraries give all of them one handle.
TEST_P(waits, requests_that_share_a_handle_all_complete) {
    for (int tag = 1; tag <= 8; ++tag) send(tag, &requests[static_cast<std::size_t>(tag)]);
    mpi.isend(in.data(), 5, MPI_INT, MPI_PROC_NULL, 9, world, &requests[9]);
    mpi.irecv(out.data(), 5, MPI_INT, MPI_PROC_NULL, 10, world, &requests[10]);
    for (int tag = 1; tag <= 8; ++tag) {
        mpi.recv(out.data(), 8, MPI_INT, previous(), tag, world, MPI_STATUS_IGNORE);
    }
    for (int tag = 10; tag >= 1; --tag) {
        mpi.wait(&requests[static_cast<std::size_t>(tag)], MPI_STATUS_IGNORE);
        // A request object knows its own.
        if (&mpi == &by_object) {
            EXPECT_EQ(last("wait").tag, tag);
        }
    }
    EXPECT_EQ(of("isend"), (totals{.calls = 9, .completions = 9, .sent = 4 * 36}));
    EXPECT_EQ(of("irecv"), (totals{.calls = 1, .completions = 1}));
    EXPECT_EQ(of("wait"), (totals{.calls = 10}));
}

TEST_P(waits, list_of_requests_that_share_a_handle_completes_whole) {
    for (int tag = 1; tag <= 8; ++tag) send(tag, &requests[static_cast<std::size_t>(tag)]);
    for (int tag = 1; tag <= 8; ++tag) receive(tag, &requests[static_cast<std::size_t>(tag + 8)]);
    mpi.waitall(17, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("isend").completions, 8);
    EXPECT_EQ(of("irecv"), (totals{.calls = 8, .completions = 8, .received = 4 * 36}));
}

TEST_P(waits, handles_that_come_back_stand_for_the_new_request) {
    for (int round = 0; round < 20; ++round) {
        int const tag = 1 + round % 7;
        receive(tag, &requests[0]);
        send(tag, &requests[1]);
        mpi.wait(&requests[1], MPI_STATUS_IGNORE);
        mpi.wait(&requests[0], MPI_STATUS_IGNORE);
        EXPECT_EQ(last("wait").tag, tag);
    }
    EXPECT_EQ(of("irecv").completions, 20);
    EXPECT_EQ(of("isend").completions, 20);
}

TEST_P(waits, cancelled_receive_gets_nothing) {
    receive(3, &requests[0]);
    mpi.cancel(&requests[0]);
    mpi.wait(&requests[0], MPI_STATUS_IGNORE);
    EXPECT_EQ(of("irecv"), (totals{.calls = 1, .completions = 1}));
    EXPECT_TRUE(log().completions.back().cancelled);
}

// Whether a send can be cancelled is the library's choice; where it was, nothing is left to receive.
TEST_P(waits, cancelled_send_is_taken_back) {
    send(3, &requests[0]);
    mpi.cancel(&requests[0]);
    mpi.wait(&requests[0], MPI_STATUS_IGNORE);
    bool const cancelled = log().completions.back().cancelled;
    EXPECT_EQ(of("isend"), (totals{.calls = 1, .completions = 1, .sent = cancelled ? 0 : 12}));
    int others = 0;
    int const mine = cancelled ? 1 : 0;
    PMPI_Sendrecv(&mine, 1, MPI_INT, next(), 99, &others, 1, MPI_INT, previous(), 99, world,
                  MPI_STATUS_IGNORE);
    if (others == 0) mpi.recv(out.data(), 3, MPI_INT, previous(), 3, world, MPI_STATUS_IGNORE);
}

// Nobody sees it complete, and its handle stands for the next request.
TEST_P(waits, freed_send_is_counted_and_forgotten) {
    send(3, &requests[0]);
    mpi.request_free(&requests[0]);
    EXPECT_EQ(requests[0], MPI_REQUEST_NULL);
    EXPECT_EQ(of("request_free"), (totals{.calls = 1}));
    EXPECT_EQ(requests_in_flight(), 0u);
    mpi.recv(out.data(), 3, MPI_INT, previous(), 3, world, MPI_STATUS_IGNORE);
    send(4, &requests[0]);
    mpi.recv(out.data(), 4, MPI_INT, previous(), 4, world, MPI_STATUS_IGNORE);
    mpi.wait(&requests[0], MPI_STATUS_IGNORE);
    EXPECT_EQ(last("wait").tag, 4);
    EXPECT_EQ(of("isend"), (totals{.calls = 2, .completions = 1, .sent = 28}));
}

/// What there are no request objects for.
class lists : public request_test {
  protected:
    /// Exchanges messages with tags 1 to `count`; the receives stand first.
    void exchange(int count) {
        for (int tag = 1; tag <= count; ++tag) receive(tag, &requests[static_cast<std::size_t>(2 * tag)]);
        for (int tag = 1; tag <= count; ++tag)
            send(tag, &requests[static_cast<std::size_t>(2 * (tag + count))]);
        length = 4 * count + 2;
    }

    void test_all(int count, MPI_Status* statuses) {
        until([&] {
            int done = 0;
            mpi.testall(count, requests.data(), &done, statuses);
            return done != 0;
        });
    }

    /// Tests until one has completed.
    void test_any(int count) {
        until([&] {
            int done = 0;
            int index = MPI_UNDEFINED;
            mpi.testany(count, requests.data(), &index, &done, MPI_STATUS_IGNORE);
            return done != 0;
        });
    }

    void expect_exchanged(int count) {
        long long const bytes = 4 * count * (count + 1) / 2;
        EXPECT_EQ(of("irecv"), (totals{.calls = count, .completions = count, .received = bytes}));
        EXPECT_EQ(of("isend"), (totals{.calls = count, .completions = count, .sent = bytes}));
        EXPECT_EQ(std::count(requests.begin(), requests.end(), MPI_REQUEST_NULL), 80);
    }

    int length = 0;
};
ORACLE_HANDLE_FORMS(lists);

TEST_P(lists, waitsome_completes_those_it_names) {
    exchange(3);
    std::set<int> places;
    for (int count = 0; count != MPI_UNDEFINED;) {
        int indices[40] = {};
        mpi.waitsome(length, requests.data(), &count, indices, MPI_STATUSES_IGNORE);
        if (count != MPI_UNDEFINED) places.insert(indices, indices + count);
    }
    EXPECT_EQ(places, (std::set{2, 4, 6, 8, 10, 12}));
    expect_exchanged(3);
}

TEST_P(lists, testsome_completes_some_or_none) {
    receive(1, &requests[1]);
    receive(2, &requests[3]);
    int count = 1;
    int indices[4] = {};
    MPI_Status statuses[4] = {};
    mpi.testsome(4, requests.data(), &count, indices, statuses);
    EXPECT_EQ(count, 0);
    EXPECT_TRUE(last("testsome").incomplete);
    meet(world);
    send(2, &requests[5]);
    until([&] {
        mpi.testsome(4, requests.data(), &count, indices, statuses);
        return count != 0;
    });
    EXPECT_EQ(count, 1);
    EXPECT_EQ(indices[0], 3);
    EXPECT_EQ(statuses[0].MPI_TAG, 2);
    EXPECT_FALSE(last("testsome").incomplete);
    EXPECT_EQ(of("irecv"), (totals{.calls = 2, .completions = 1, .received = 8}));
    meet(world);
    send(1, &requests[6]);
    mpi.waitall(7, requests.data(), MPI_STATUSES_IGNORE);
}

TEST_P(lists, some_of_many_and_of_nothing) {
    exchange(18);
    int indices[80] = {};
    int count = 0;
    mpi.waitsome(length, requests.data(), &count, indices, MPI_STATUSES_IGNORE);
    EXPECT_GT(count, 0);
    until([&] {
        mpi.testsome(length, requests.data(), &count, indices, MPI_STATUSES_IGNORE);
        return count == MPI_UNDEFINED;
    });
    EXPECT_FALSE(last("testsome").incomplete);
    mpi.waitsome(0, requests.data(), &count, indices, MPI_STATUSES_IGNORE);
    EXPECT_EQ(count, MPI_UNDEFINED);
    expect_exchanged(18);
}

TEST_P(lists, waitany_completes_one_at_a_time) {
    exchange(3);
    std::set<int> places;
    for (int i = 0; i < 6; ++i) {
        int index = MPI_UNDEFINED;
        mpi.waitany(length, requests.data(), &index, MPI_STATUS_IGNORE);
        places.insert(index);
    }
    EXPECT_EQ(places, (std::set{2, 4, 6, 8, 10, 12}));
    EXPECT_EQ(of("waitany"), (totals{.calls = 6}));
    expect_exchanged(3);
}

TEST_P(lists, waitany_of_the_message_that_came_first_names_it) {
    receive(1, &requests[1]);
    receive(2, &requests[2]);
    meet(world);
    send(2, &requests[9]);
    int index = MPI_UNDEFINED;
    MPI_Status status{};
    mpi.waitany(3, requests.data(), &index, &status);
    EXPECT_EQ(index, 2);
    EXPECT_EQ(status.MPI_TAG, 2);
    EXPECT_EQ(of("irecv"), (totals{.calls = 2, .completions = 1, .received = 8}));
    EXPECT_EQ(log().completions.back().tag, 2);
    meet(world);
    send(1, &requests[10]);
    mpi.waitall(11, requests.data(), MPI_STATUSES_IGNORE);
}

TEST_P(lists, testany_completes_one_or_none) {
    receive(1, &requests[1]);
    int done = 1;
    int index = 0;
    mpi.testany(3, requests.data(), &index, &done, MPI_STATUS_IGNORE);
    EXPECT_EQ(done, 0);
    EXPECT_TRUE(last("testany").incomplete);
    meet(world);
    send(1, &requests[2]);
    for (int i = 0; i < 2; ++i) test_any(3);
    EXPECT_FALSE(last("testany").incomplete);
    expect_exchanged(1);
}

TEST_P(lists, testall_completes_all_or_none) {
    receive(1, &requests[1]);
    receive(2, &requests[2]);
    meet(world);
    send(2, &requests[4]);
    int done = 1;
    mpi.testall(5, requests.data(), &done, MPI_STATUSES_IGNORE);
    EXPECT_EQ(done, 0);
    EXPECT_TRUE(last("testall").incomplete);
    EXPECT_EQ(of("irecv").completions, 0);
    EXPECT_EQ(of("isend").completions, 0);
    meet(world);
    send(1, &requests[3]);
    test_all(5, MPI_STATUSES_IGNORE);
    EXPECT_FALSE(last("testall").incomplete);
    expect_exchanged(2);
}

TEST_P(lists, testall_writes_the_callers_statuses) {
    exchange(1);
    MPI_Status statuses[6] = {};
    test_all(length, statuses);
    EXPECT_EQ(statuses[2].MPI_SOURCE, previous());
    EXPECT_EQ(statuses[2].MPI_TAG, 1);
    expect_exchanged(1);
}

TEST_P(lists, longer_than_any_inline_buffer) {
    exchange(18);
    for (int i = 0; i < 9; ++i) {
        int index = 0;
        mpi.waitany(length, requests.data(), &index, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 9; ++i) test_any(length);
    test_all(length, MPI_STATUSES_IGNORE);
    expect_exchanged(18);
}

TEST_P(lists, of_nothing_complete_at_once) {
    for (int count : {0, 3}) {
        int index = 0;
        int done = 0;
        mpi.waitany(count, requests.data(), &index, MPI_STATUS_IGNORE);
        EXPECT_EQ(index, MPI_UNDEFINED);
        mpi.testany(count, requests.data(), &index, &done, MPI_STATUS_IGNORE);
        EXPECT_EQ(index, MPI_UNDEFINED);
        EXPECT_EQ(done, 1);
        mpi.testall(count, requests.data(), &done, MPI_STATUSES_IGNORE);
        EXPECT_EQ(done, 1);
    }
    EXPECT_EQ(of("waitany"), (totals{.calls = 2}));
    EXPECT_EQ(last("testany").peer, not_applicable);
}

// The same with another request in flight, which is none of theirs.
TEST_P(lists, of_nothing_leave_the_requests_of_others) {
    receive(1, &requests[70]);
    int index = 0;
    int done = 0;
    mpi.waitany(3, requests.data(), &index, MPI_STATUS_IGNORE);
    mpi.testany(3, requests.data(), &index, &done, MPI_STATUS_IGNORE);
    mpi.testall(3, requests.data(), &done, MPI_STATUSES_IGNORE);
    mpi.waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("irecv").completions, 0);
    send(1, &requests[71]);
    mpi.waitall(80, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("irecv").completions, 1);
}

// Requests that were made where mpiprof does not look: their waits are calls that complete nothing.
TEST_P(lists, requests_of_unknown_origin_complete_nothing) {
    MPI_Request persistent = MPI_REQUEST_NULL;
    MPI_Request arriving = MPI_REQUEST_NULL;
    PMPI_Send_init(in.data(), 5, MPI_INT, next(), 90, world, &persistent);
    auto const start = [&] {
        PMPI_Irecv(out.data() + 9000, 5, MPI_INT, previous(), 90, world, &arriving);
        PMPI_Start(&persistent);
    };
    start();
    mpi.wait(&persistent, MPI_STATUS_IGNORE);
    EXPECT_NE(persistent, MPI_REQUEST_NULL);
    PMPI_Wait(&arriving, MPI_STATUS_IGNORE);
    receive(1, &requests[2]);
    start();
    requests[1] = persistent;
    PMPI_Ibarrier(world, &requests[0]);
    send(1, &requests[3]);
    mpi.waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(requests[1], persistent);
    requests[1] = MPI_REQUEST_NULL;
    PMPI_Wait(&arriving, MPI_STATUS_IGNORE);
    PMPI_Request_free(&persistent);
    expect_exchanged(1);
}

// Case P3.
TEST_P(lists, barrier_that_shares_the_handle_of_sends_is_one_of_its_own) {
    mpi.ibarrier(MPI_COMM_SELF, &requests[3]);
    mpi.isend(in.data(), 1, MPI_INT, MPI_PROC_NULL, 1, world, &requests[0]);
    mpi.isend(in.data(), 2, MPI_INT, MPI_PROC_NULL, 2, world, &requests[1]);
    mpi.irecv(out.data(), 2, MPI_INT, MPI_PROC_NULL, 3, world, &requests[2]);
    mpi.waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("isend"), (totals{.calls = 2, .completions = 2}));
    EXPECT_EQ(of("irecv"), (totals{.calls = 1, .completions = 1}));
    EXPECT_EQ(of("ibarrier"), (totals{.calls = 1, .completions = 1}));
}

// The same with a barrier of unknown origin.
TEST_P(lists, barrier_that_shares_the_handle_of_sends_takes_none_away) {
    PMPI_Ibarrier(MPI_COMM_SELF, &requests[3]);
    mpi.isend(in.data(), 1, MPI_INT, MPI_PROC_NULL, 1, world, &requests[0]);
    mpi.isend(in.data(), 2, MPI_INT, MPI_PROC_NULL, 2, world, &requests[1]);
    mpi.irecv(out.data(), 2, MPI_INT, MPI_PROC_NULL, 3, world, &requests[2]);
    mpi.waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("isend"), (totals{.calls = 2, .completions = 2}));
    EXPECT_EQ(of("irecv"), (totals{.calls = 1, .completions = 1}));
}

}  // namespace
}  // namespace oracle
