// Persistent requests: made once, started again and again.
#include "tests/oracle/attached_buffer.hpp"
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/profiled_test.hpp"

#include <algorithm>

namespace oracle {
namespace {

/// Each rank sends to its next and receives from its previous.
class persistent_requests : public profiled_test {
  protected:
    void make_receive(int count, int tag, MPI_Request* request) {
        mpi.recv_init(out.data() + 100 * tag, count, MPI_INT, previous(), tag, world, request);
    }

    void make_send(int count, int tag, MPI_Request* request) {
        mpi.send_init(in.data() + 100 * tag, count, MPI_INT, next(), tag, world, request);
    }

    void wait(MPI_Request* request) { mpi.wait(request, MPI_STATUS_IGNORE); }

    void start_both() {
        mpi.start(&receive);
        meet(world);
        mpi.start(&send);
    }

    void free_all(std::vector<MPI_Request>& requests) {
        for (auto& request : requests) {
            if (request != MPI_REQUEST_NULL) mpi.request_free(&request);
        }
    }

    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Request receive = MPI_REQUEST_NULL;
};
ORACLE_ALL_FORMS(persistent_requests);

TEST_P(persistent_requests, every_start_counts_and_their_making_does_not) {
    struct mode {
        char const* name;
        decltype(&PMPI_Send_init) init;
    };
    mode const modes[] = {{"send_init", mpi.send_init},
                          {"bsend_init", mpi.bsend_init},
                          {"ssend_init", mpi.ssend_init},
                          {"rsend_init", mpi.rsend_init}};
    attached_buffer const buffer{mpi};
    int count = 3;
    for (auto const& [name, init] : modes) {
        make_receive(100, count, &receive);
        EXPECT_EQ(last("recv_init").capacity, 400);
        init(in.data(), count, MPI_INT, next(), count, world, &send);
        EXPECT_EQ(of(name), (totals{.calls = 1}));
        EXPECT_EQ(last(name).peer, next());
        EXPECT_EQ(last(name).tag, count);
        for (int i = 1; i <= 3; ++i) {
            start_both();
            EXPECT_EQ(last("start").request, name);
            EXPECT_EQ(last("start").sent, 4 * count);
            EXPECT_EQ(last("start").peer, next());
            EXPECT_EQ(last("start").tag, count);
            wait(&receive);
            EXPECT_EQ(last("wait").request, "recv_init");
            EXPECT_EQ(last("wait").peer, previous());
            wait(&send);
            EXPECT_EQ(last("wait").request, name);
            EXPECT_NE(send, MPI_REQUEST_NULL);
            EXPECT_EQ(of(name), (totals{.calls = 1, .completions = i}));
        }
        mpi.request_free(&receive);
        mpi.request_free(&send);
        ++count;
    }
    EXPECT_EQ(of("recv_init"), (totals{.calls = 4, .completions = 12, .received = 3 * 4 * (3 + 4 + 5 + 6)}));
    EXPECT_EQ(of("start"), (totals{.calls = 24, .sent = 3 * 4 * (3 + 4 + 5 + 6)}));
}

TEST_P(persistent_requests, payload_is_made_of_sizes_not_of_extents) {
    layouts const messages;
    for (auto const& each : messages.all()) {
        mpi.recv_init(out.data(), each.count + 1, each.type, previous(), 5, world, &receive);
        mpi.send_init(in.data(), each.count, each.type, next(), 5, world, &send);
        start_both();
        EXPECT_EQ(last("start").sent, each.nbytes);
        wait(&receive);
        EXPECT_EQ(log().completions.back().received, each.nbytes);
        wait(&send);
        mpi.request_free(&receive);
        mpi.request_free(&send);
    }
}

TEST_P(persistent_requests, wildcards_are_resolved_each_time) {
    mpi.recv_init(out.data(), 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &receive);
    EXPECT_EQ(last("recv_init").peer, anybody);
    for (int tag = 1; tag <= 3; ++tag) {
        mpi.start(&receive);
        EXPECT_EQ(last("start").peer, anybody);
        EXPECT_EQ(last("start").tag, anything);
        meet(world);
        MPI_Request other = MPI_REQUEST_NULL;
        mpi.isend(in.data(), tag, MPI_INT, next(), tag, world, &other);
        MPI_Status status{};
        mpi.wait(&receive, &status);
        EXPECT_EQ(status.MPI_TAG, tag);
        EXPECT_EQ(last("wait").peer, previous());
        EXPECT_EQ(last("wait").tag, tag);
        wait(&other);
    }
    EXPECT_EQ(of("recv_init"), (totals{.calls = 1, .completions = 3, .received = 24}));
    mpi.request_free(&receive);
}

TEST_P(persistent_requests, null_process_takes_and_gives_nothing) {
    mpi.send_init(in.data(), 3, MPI_INT, MPI_PROC_NULL, 1, world, &send);
    mpi.recv_init(out.data(), 3, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, world, &receive);
    for (int i = 0; i < 3; ++i) {
        start_both();
        EXPECT_EQ(last("start").peer, null_process);
        wait(&send);
        wait(&receive);
    }
    EXPECT_EQ(of("start"), (totals{.calls = 6}));
    EXPECT_EQ(of("send_init"), (totals{.calls = 1, .completions = 3}));
    EXPECT_EQ(of("recv_init"), (totals{.calls = 1, .completions = 3}));
    mpi.request_free(&send);
    mpi.request_free(&receive);
}

TEST_P(persistent_requests, inactive_ones_complete_nothing) {
    make_send(3, 1, &send);
    int done = 0;
    wait(&send);
    mpi.test(&send, &done, MPI_STATUS_IGNORE);
    EXPECT_EQ(done, 1);
    mpi.waitall(1, &send, MPI_STATUSES_IGNORE);
    EXPECT_NE(send, MPI_REQUEST_NULL);
    EXPECT_EQ(of("send_init"), (totals{.calls = 1}));
    mpi.request_free(&send);
    EXPECT_EQ(send, MPI_REQUEST_NULL);
}

TEST_P(persistent_requests, after_a_completion_they_are_inactive) {
    make_send(3, 1, &send);
    make_receive(3, 1, &receive);
    start_both();
    wait(&receive);
    wait(&send);
    wait(&receive);
    wait(&send);
    EXPECT_EQ(of("send_init").completions, 1);
    EXPECT_EQ(of("recv_init").completions, 1);
    mpi.request_free(&receive);
    mpi.request_free(&send);
}

TEST_P(persistent_requests, cancelled_receive_gets_nothing_and_may_be_started_again) {
    make_receive(3, 1, &receive);
    mpi.start(&receive);
    mpi.cancel(&receive);
    wait(&receive);
    EXPECT_TRUE(log().completions.back().cancelled);
    EXPECT_EQ(of("recv_init"), (totals{.calls = 1, .completions = 1}));
    make_send(3, 1, &send);
    start_both();
    wait(&receive);
    wait(&send);
    EXPECT_EQ(of("recv_init"), (totals{.calls = 1, .completions = 2, .received = 12}));
    mpi.request_free(&receive);
    mpi.request_free(&send);
}

// Nobody sees it complete.
TEST_P(persistent_requests, freed_while_active_is_counted_and_forgotten) {
    make_receive(3, 1, &receive);
    make_send(3, 1, &send);
    start_both();
    mpi.request_free(&send);
    wait(&receive);
    mpi.request_free(&receive);
    EXPECT_EQ(of("start"), (totals{.calls = 2, .sent = 12}));
    EXPECT_EQ(of("send_init"), (totals{.calls = 1}));
}

TEST_P(persistent_requests, stand_in_lists_with_others) {
    std::vector<MPI_Request> requests(6, MPI_REQUEST_NULL);
    make_receive(4, 1, &requests[0]);
    make_send(4, 1, &requests[2]);
    // Inactive.
    make_send(4, 3, &requests[4]);
    for (int i = 1; i <= 2; ++i) {
        mpi.start(&requests[0]);
        mpi.irecv(out.data(), 10, MPI_INT, previous(), 2, world, &requests[1]);
        meet(world);
        mpi.start(&requests[2]);
        mpi.isend(in.data(), 5, MPI_INT, next(), 2, world, &requests[3]);
        mpi.waitall(6, requests.data(), MPI_STATUSES_IGNORE);
        EXPECT_EQ(of("send_init").completions, i);
        EXPECT_EQ(of("recv_init").received, 16 * i);
        EXPECT_EQ(of("irecv").received, 20 * i);
        EXPECT_EQ(requests[1], MPI_REQUEST_NULL);
        EXPECT_EQ(requests[3], MPI_REQUEST_NULL);
    }
    EXPECT_EQ(of("send_init"), (totals{.calls = 2, .completions = 2}));
    free_all(requests);
}

/// What there are no request objects for.
class persistent_lists : public persistent_requests {
  protected:
    /// Three receives and three sends of 1 to 3 ints.
    void make_all() {
        for (int tag = 1; tag <= 3; ++tag) {
            make_receive(50, tag, &requests[place(tag)]);
            make_send(tag, tag, &requests[place(tag + 3)]);
        }
    }

    void start_all() {
        mpi.startall(3, requests.data());
        meet(world);
        mpi.startall(3, requests.data() + 3);
    }

    /// Calls `attempt` until nothing is active.
    template <class Attempt>
    void exhaust(Attempt attempt) {
        int rounds = 0;
        until([&] { return attempt() == MPI_UNDEFINED || ++rounds > 1'000'000; });
    }

    void expect_completed(int times) {
        EXPECT_EQ(of("recv_init"), (totals{.calls = 3, .completions = 3 * times, .received = 24 * times}));
        EXPECT_EQ(of("send_init"), (totals{.calls = 3, .completions = 3 * times}));
        EXPECT_EQ(std::count(requests.begin(), requests.end(), MPI_REQUEST_NULL), 0);
    }

    static std::size_t place(int number) { return static_cast<std::size_t>(number - 1); }

    std::vector<MPI_Request> requests = std::vector<MPI_Request>(6, MPI_REQUEST_NULL);
};
ORACLE_HANDLE_FORMS(persistent_lists);

TEST_P(persistent_lists, startall_counts_the_sum_and_each_completion_its_peer) {
    make_all();
    start_all();
    EXPECT_EQ(of("startall"), (totals{.calls = 2, .sent = 24}));
    EXPECT_EQ(last("startall").sent, 24);
    EXPECT_EQ(last("startall").peer, not_applicable);
    mpi.waitall(6, requests.data(), MPI_STATUSES_IGNORE);
    expect_completed(1);
    free_all(requests);
}

TEST_P(persistent_lists, every_way_to_complete_them) {
    make_all();
    start_all();
    exhaust([&] {
        int done = 0;
        mpi.testall(6, requests.data(), &done, MPI_STATUSES_IGNORE);
        return done != 0 ? MPI_UNDEFINED : 0;
    });
    expect_completed(1);
    start_all();
    exhaust([&] {
        int index = 0;
        mpi.waitany(6, requests.data(), &index, MPI_STATUS_IGNORE);
        return index;
    });
    expect_completed(2);
    start_all();
    exhaust([&] {
        int index = 0;
        int done = 0;
        mpi.testany(6, requests.data(), &index, &done, MPI_STATUS_IGNORE);
        return done != 0 ? index : 0;
    });
    expect_completed(3);
    int indices[6] = {};
    start_all();
    exhaust([&] {
        int count = 0;
        mpi.waitsome(6, requests.data(), &count, indices, MPI_STATUSES_IGNORE);
        return count;
    });
    expect_completed(4);
    start_all();
    exhaust([&] {
        int count = 0;
        mpi.testsome(6, requests.data(), &count, indices, MPI_STATUSES_IGNORE);
        return count;
    });
    expect_completed(5);
    free_all(requests);
}

TEST_P(persistent_lists, cancelled_send_of_several_is_taken_back) {
    make_send(3, 1, &send);
    make_receive(3, 1, &receive);
    mpi.startall(1, &send);
    mpi.cancel(&send);
    wait(&send);
    bool const cancelled = log().completions.back().cancelled;
    int others = 0;
    int const mine = cancelled ? 1 : 0;
    PMPI_Sendrecv(&mine, 1, MPI_INT, next(), 99, &others, 1, MPI_INT, previous(), 99, world,
                  MPI_STATUS_IGNORE);
    if (others == 0) {
        mpi.startall(1, &receive);
        wait(&receive);
    }
    mpi.request_free(&send);
    mpi.request_free(&receive);
}

#if MPIPROF_INTERNAL_PERSISTENT_COLLECTIVES

class persistent_collectives : public persistent_requests {};
ORACLE_HANDLE_FORMS(persistent_collectives);

TEST_P(persistent_collectives, every_start_counts) {
    MPI_Request requests[4] = {};
    mpi.bcast_init(in.data(), 3, MPI_INT, 0, world, MPI_INFO_NULL, &requests[0]);
    mpi.allreduce_init(in.data(), out.data(), 2, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &requests[1]);
    mpi.allgather_init(in.data(), 5, MPI_INT, out.data() + 1000, 5, MPI_INT, world, MPI_INFO_NULL,
                       &requests[2]);
    mpi.barrier_init(world, MPI_INFO_NULL, &requests[3]);
    for (int i = 1; i <= 3; ++i) {
        for (auto& request : requests) mpi.start(&request);
        EXPECT_EQ(of("start").sent, i * ((rank == 0 ? 12 : 0) + 8 + 20));
        EXPECT_EQ(of("start").received, i * ((rank == 0 ? 0 : 12) + 8 + 20 * size));
        for (auto& request : requests) wait(&request);
        EXPECT_EQ(of("allreduce_init"), (totals{.calls = 1, .completions = i}));
    }
    for (auto& request : requests) mpi.request_free(&request);
}

TEST_P(persistent_collectives, startall_counts_them_too) {
    MPI_Request requests[3] = {};
    mpi.allreduce_init(in.data(), out.data(), 2, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &requests[0]);
    make_receive(10, 1, &requests[1]);
    make_send(4, 1, &requests[2]);
    for (int i = 1; i <= 3; ++i) {
        mpi.startall(3, requests);
        EXPECT_EQ(of("startall"), (totals{.calls = i, .sent = 24 * i, .received = 8 * i}));
        mpi.waitall(3, requests, MPI_STATUSES_IGNORE);
        EXPECT_EQ(of("recv_init").received, 16 * i);
    }
    for (auto& request : requests) mpi.request_free(&request);
}

#endif

}  // namespace
}  // namespace oracle
