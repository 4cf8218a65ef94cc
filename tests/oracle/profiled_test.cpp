#include "tests/oracle/profiled_test.hpp"

#include "tests/oracle/records.hpp"

#include <algorithm>
#include <map>
#include <mpiprof/raw.hpp>
#include <ostream>

namespace oracle {

namespace {

/// World ranks of the peers on a communicator, by its identity.
std::map<mpiprof::communicator_id, std::vector<int>>& known_peers() {
    static std::map<mpiprof::communicator_id, std::vector<int>> known;
    return known;
}

/// A call as a line; what the oracle cannot tell is left out on both sides.
std::string line_of(call const& value, call const& judge) {
    auto line = value.operation + (value.failed ? " failed" : "") + (value.incomplete ? " incomplete" : "") +
                (value.in_place ? " in_place" : "");
    auto const add = [&](char const* field, long long number, long long judged) {
        if (judged != cannot_tell) line += std::string{" "} + field + "=" + std::to_string(number);
    };
    add("peer", value.peer, judge.peer);
    add("tag", value.tag, judge.tag);
    add("root", value.root, judge.root);
    add("sent", value.sent, judge.sent);
    add("received", value.received, judge.received);
    add("written", value.written, judge.written);
    add("read", value.read, judge.read);
    add("capacity", value.capacity, judge.capacity);
    if (judge.request != "?") line += " request=" + value.request;
    return line;
}

std::string line_of(completion const& value) {
    return value.operation + (value.cancelled ? " cancelled" : "") + " peer=" + std::to_string(value.peer) +
           " tag=" + std::to_string(value.tag) + " received=" + std::to_string(value.received) +
           " read=" + std::to_string(value.read) + " sent=" + std::to_string(value.sent) +
           " taken_back=" + std::to_string(value.taken_back);
}

std::map<std::string, totals> totals_of(record const& events) {
    std::map<std::string, totals> sums;
    for (auto const& each : events.calls) {
        auto& sum = sums[each.operation];
        ++sum.calls;
        sum.sent += each.sent;
        sum.received += each.received;
        sum.written += each.written;
        sum.read += each.read;
    }
    for (auto const& each : events.completions) {
        auto& sum = sums[each.operation];
        ++sum.completions;
        sum.received += each.received;
        sum.read += each.read;
        sum.sent -= each.taken_back;
    }
    return sums;
}

record mpiprof_record() {
    record events;
    for (auto const& each : recorded().calls) events.calls.push_back(as_call(each));
    for (auto const& each : recorded().completions) events.completions.push_back(as_completion(each));
    return events;
}

void expect_same_calls(std::vector<call> const& ours, std::vector<call> const& oracles) {
    ASSERT_EQ(ours.size(), oracles.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_EQ(line_of(ours[i], oracles[i]), line_of(oracles[i], oracles[i])) << "call number " << i;
    }
}

/// In any order: among requests of one handle, nobody knows which completed first.
void expect_same_completions(std::vector<completion> ours, std::vector<completion> oracles) {
    ASSERT_EQ(ours.size(), oracles.size());
    std::sort(ours.begin(), ours.end());
    std::sort(oracles.begin(), oracles.end());
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(line_of(ours[i]), line_of(oracles[i]));
}

/// World rank of a record's peer, -1 where there is none.
template <class Record>
int world_rank_of_peer(Record const& value) {
    if (value.peer < 0) return -1;
    auto const known = known_peers().find(value.communicator);
    auto const place = static_cast<std::size_t>(value.peer);
    if (known != known_peers().end() && place < known->second.size()) return known->second[place];
    ADD_FAILURE() << name(value.operation) << " with a peer that the test did not tell of";
    return -1;
}

/// Operations that send as many bytes, over all ranks, as they receive.
constexpr char const* conserving_collectives[] = {"gather",
                                                  "igather",
                                                  "gatherv",
                                                  "igatherv",
                                                  "scatter",
                                                  "iscatter",
                                                  "scatterv",
                                                  "iscatterv",
                                                  "alltoall",
                                                  "ialltoall",
                                                  "alltoallv",
                                                  "ialltoallv",
                                                  "alltoallw",
                                                  "ialltoallw",
                                                  "neighbor_allgather",
                                                  "ineighbor_allgather",
                                                  "neighbor_allgatherv",
                                                  "ineighbor_allgatherv",
                                                  "neighbor_alltoall",
                                                  "ineighbor_alltoall",
                                                  "neighbor_alltoallv",
                                                  "ineighbor_alltoallv",
                                                  "neighbor_alltoallw",
                                                  "ineighbor_alltoallw"};

/// What this rank sent and received by its own records, to be held against those of the other ranks.
class ledger {
  public:
    void add(collected const& records) {
        for (auto const& each : records.calls) {
            if ((each.flags & mpiprof::call_failed) == 0) add_message(each, each.sent, each.received);
        }
        for (auto const& each : records.completions) {
            auto const started = each.sent == mpiprof::not_applicable ? 0 : each.sent;
            add_message(each, started - each.taken_back, each.received);
        }
        auto totals_by_operation = totals_of(mpiprof_record());
        for (std::size_t i = 0; i < collectives; ++i) {
            auto const& sums = totals_by_operation[conserving_collectives[i]];
            collective_sent(i) += sums.sent;
            collective_received(i) += sums.received;
        }
    }

    /// Sums up over all ranks, compares, and starts anew.
    void settle() {
        PMPI_Allreduce(MPI_IN_PLACE, cells_.data(), static_cast<int>(cells_.size()), MPI_LONG_LONG, MPI_SUM,
                       MPI_COMM_WORLD);
        for (int from = 0; from < size_; ++from) {
            for (int to = 0; to < size_; ++to) {
                EXPECT_EQ(sent(from, to), received(from, to)) << "from rank " << from << " to rank " << to;
            }
        }
        for (std::size_t i = 0; i < collectives; ++i) {
            EXPECT_EQ(collective_sent(i), collective_received(i)) << conserving_collectives[i];
        }
        cells_.assign(cells_.size(), 0);
    }

  private:
    static constexpr std::size_t collectives = std::size(conserving_collectives);

    template <class Record>
    void add_message(Record const& value, long long sent_bytes, long long received_bytes) {
        auto const peer = world_rank_of_peer(value);
        if (peer < 0) return;
        sent(rank_, peer) += sent_bytes;
        received(peer, rank_) += received_bytes;
    }

    std::size_t pair(int from, int to) const { return static_cast<std::size_t>(from * size_ + to); }
    std::size_t pairs() const { return pair(size_, 0); }
    long long& sent(int from, int to) { return cells_[pair(from, to)]; }
    long long& received(int from, int to) { return cells_[pairs() + pair(from, to)]; }
    long long& collective_sent(std::size_t i) { return cells_[2 * pairs() + i]; }
    long long& collective_received(std::size_t i) { return cells_[2 * pairs() + collectives + i]; }

    int const rank_ = rank_in(MPI_COMM_WORLD);
    int const size_ = size_of(MPI_COMM_WORLD);
    std::vector<long long> cells_ = std::vector<long long>(2 * (pairs() + collectives));
};

/// The ledger of the suite that runs.
ledger& ledger_of_suite() {
    static ledger only;
    return only;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, totals const& sums) {
    return out << sums.calls << " calls, " << sums.completions << " completions, sent " << sums.sent
               << ", received " << sums.received << ", written " << sums.written << ", read " << sums.read;
}

totals of(std::string const& operation) { return totals_of(mpiprof_record())[operation]; }

call last(std::string const& operation) {
    auto const& calls = recorded().calls;
    auto const found = std::find_if(calls.rbegin(), calls.rend(),
                                    [&](auto const& each) { return name(each.operation) == operation; });
    return found == calls.rend() ? call{} : as_call(*found);
}

completion last_completion() {
    auto const& completions = recorded().completions;
    return completions.empty() ? completion{} : as_completion(completions.back());
}

int rank_in(MPI_Comm comm) {
    int value = 0;
    PMPI_Comm_rank(comm, &value);
    return value;
}

int size_of(MPI_Comm comm) {
    int value = 0;
    PMPI_Comm_size(comm, &value);
    return value;
}

void meet(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Ibarrier(comm, &request);
    until([&] {
        int done = 0;
        PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
}

void know(MPI_Comm comm) {
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    MPI_Group peers = MPI_GROUP_NULL;
    between != 0 ? PMPI_Comm_remote_group(comm, &peers) : PMPI_Comm_group(comm, &peers);
    int count = 0;
    PMPI_Group_size(peers, &count);
    std::vector<int> places(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) places[static_cast<std::size_t>(i)] = i;
    auto world_ranks = places;
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(peers, count, places.data(), world, world_ranks.data());
    PMPI_Group_free(&world);
    PMPI_Group_free(&peers);
    known_peers()[mpiprof::profile<instrumentation>(comm).identity()] = world_ranks;
}

void profiled_test::SetUp() {
    // No rank's receives shall catch messages of the next test.
    meet(MPI_COMM_WORLD);
    know(MPI_COMM_WORLD);
    know(MPI_COMM_SELF);
    recorded() = {};
    log() = {};
}

void profiled_test::TearDown() {
    auto const ours = mpiprof_record();
    EXPECT_EQ(totals_of(ours), totals_of(log()));
    expect_same_calls(ours.calls, log().calls);
    expect_same_completions(ours.completions, log().completions);
    EXPECT_EQ(requests_in_flight(), 0u);
    EXPECT_EQ(mpiprof::raw::request_table::instance().size(), 0u);
    if (conserves_) ledger_of_suite().add(recorded());
}

void profiled_test::TearDownTestSuite() { ledger_of_suite().settle(); }

std::string form_name(testing::TestParamInfo<form const*> const& info) { return info.param->name; }

}  // namespace oracle
