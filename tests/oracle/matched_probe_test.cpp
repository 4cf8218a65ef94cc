// Messages that are matched first and received later.
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/profiled_test.hpp"

namespace oracle {
namespace {

class matched_probes : public profiled_test {
  protected:
    void SetUp() override {
        profiled_test::SetUp();
        PMPI_Comm_split(world, 0, -rank, &turned_);
        know(turned_);
    }
    void TearDown() override {
        finish_sends();
        PMPI_Comm_free(&turned_);
        profiled_test::TearDown();
    }

    /// Sends to the next rank without waiting for it.
    void send_to_next(int count, MPI_Datatype type, int tag, MPI_Comm comm = MPI_COMM_WORLD) {
        mpi.isend(in.data(), count, type, (rank_in(comm) + 1) % size, tag, comm, &sends_[sent_++]);
    }

    void finish_sends() {
        mpi.waitall(static_cast<int>(sent_), sends_.data(), MPI_STATUSES_IGNORE);
        sent_ = 0;
    }

    /// The ranks of the world in reverse order.
    MPI_Comm turned_ = MPI_COMM_NULL;
    MPI_Message message_ = MPI_MESSAGE_NULL;

  private:
    std::vector<MPI_Request> sends_ = std::vector<MPI_Request>(4, MPI_REQUEST_NULL);
    std::size_t sent_ = 0;
};
ORACLE_ALL_FORMS(matched_probes);

TEST_P(matched_probes, probe_names_the_message_and_the_receive_counts_it) {
    send_to_next(3, MPI_INT, 6);
    MPI_Status status{};
    mpi.mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &message_, &status);
    EXPECT_EQ(of("mprobe"), (totals{.calls = 1}));
    EXPECT_EQ(last("mprobe").peer, previous());
    EXPECT_EQ(last("mprobe").tag, 6);
    EXPECT_EQ(status.MPI_TAG, 6);
    mpi.mrecv(out.data(), 100, MPI_INT, &message_, &status);
    EXPECT_EQ(message_, MPI_MESSAGE_NULL);
    EXPECT_EQ(of("mrecv"), (totals{.calls = 1, .received = 12}));
    EXPECT_EQ(last("mrecv").peer, previous());
    EXPECT_EQ(last("mrecv").tag, 6);
    EXPECT_EQ(status.MPI_SOURCE, previous());
    EXPECT_EQ(out.front(), previous());
}

TEST_P(matched_probes, receive_is_of_the_communicator_that_was_probed) {
    int const before = (rank_in(turned_) + size - 1) % size;
    send_to_next(3, MPI_INT, 6, turned_);
    mpi.mprobe(MPI_ANY_SOURCE, 6, turned_, &message_, MPI_STATUS_IGNORE);
    mpi.mrecv(out.data(), 100, MPI_INT, &message_, MPI_STATUS_IGNORE);
    EXPECT_EQ(last("mrecv").peer, before);
    send_to_next(4, MPI_INT, 7, turned_);
    mpi.mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, turned_, &message_, MPI_STATUS_IGNORE);
    MPI_Request request = MPI_REQUEST_NULL;
    mpi.imrecv(out.data(), 100, MPI_INT, &message_, &request);
    mpi.wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(last("wait").peer, before);
}

TEST_P(matched_probes, several_at_once_are_received_in_any_order) {
    MPI_Message messages[3] = {};
    for (int tag = 1; tag <= 3; ++tag) send_to_next(tag, MPI_DOUBLE, tag);
    for (int tag = 1; tag <= 3; ++tag) {
        mpi.mprobe(previous(), tag, world, &messages[tag - 1], MPI_STATUS_IGNORE);
    }
    for (int tag = 3; tag >= 1; --tag) {
        mpi.mrecv(out.data(), 100, MPI_DOUBLE, &messages[tag - 1], MPI_STATUS_IGNORE);
        EXPECT_EQ(last("mrecv").tag, tag);
        EXPECT_EQ(last("mrecv").received, 8 * tag);
    }
}

TEST_P(matched_probes, nonblocking_receive_keeps_the_capacity_and_completes_with_what_arrived) {
    send_to_next(3, MPI_INT, 6);
    mpi.mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &message_, MPI_STATUS_IGNORE);
    MPI_Request request = MPI_REQUEST_NULL;
    mpi.imrecv(out.data(), 100, MPI_INT, &message_, &request);
    EXPECT_EQ(of("imrecv"), (totals{.calls = 1}));
    EXPECT_EQ(last("imrecv").capacity, 400);
    mpi.wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(of("imrecv"), (totals{.calls = 1, .completions = 1, .received = 12}));
    EXPECT_EQ(last("wait").request, "imrecv");
    EXPECT_EQ(last("wait").tag, 6);
}

TEST_P(matched_probes, nothing_found_keeps_the_wildcards) {
    int found = 1;
    mpi.improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &found, &message_, MPI_STATUS_IGNORE);
    EXPECT_EQ(found, 0);
    EXPECT_TRUE(last("improbe").incomplete);
    EXPECT_EQ(last("improbe").peer, anybody);
    EXPECT_EQ(last("improbe").tag, anything);
}

TEST_P(matched_probes, nonblocking_probe_finds_the_message_at_last) {
    layouts const messages;
    for (auto const& each : messages.all()) {
        send_to_next(each.count, each.type, 6);
        until([&] {
            int found = 0;
            mpi.improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &found, &message_, MPI_STATUS_IGNORE);
            return found != 0;
        });
        EXPECT_EQ(last("improbe").peer, previous());
        mpi.mrecv(out.data(), each.count, each.type, &message_, MPI_STATUS_IGNORE);
        EXPECT_EQ(last("mrecv").received, each.nbytes);
        finish_sends();
    }
}

TEST_P(matched_probes, null_process_is_found_at_once_and_gives_nothing) {
    int found = 0;
    mpi.mprobe(MPI_PROC_NULL, MPI_ANY_TAG, world, &message_, MPI_STATUS_IGNORE);
    EXPECT_EQ(message_, MPI_MESSAGE_NO_PROC);
    EXPECT_EQ(last("mprobe").peer, null_process);
    mpi.mrecv(out.data(), 10, MPI_INT, &message_, MPI_STATUS_IGNORE);
    EXPECT_EQ(of("mrecv"), (totals{.calls = 1}));
    EXPECT_EQ(last("mrecv").peer, null_process);
    mpi.improbe(MPI_PROC_NULL, MPI_ANY_TAG, world, &found, &message_, MPI_STATUS_IGNORE);
    EXPECT_EQ(found, 1);
    EXPECT_EQ(last("improbe").peer, null_process);
    MPI_Request request = MPI_REQUEST_NULL;
    mpi.imrecv(out.data(), 10, MPI_INT, &message_, &request);
    mpi.wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(of("imrecv"), (totals{.calls = 1, .completions = 1}));
}

}  // namespace
}  // namespace oracle
