// Wildcards: what a receive is told to accept is not what it got.
#include "tests/raw/recorder.hpp"
#include "tests/raw/world.hpp"

#include <array>
#include <set>
#include <tuple>

namespace {

using cases::recorded;
using cases::recorder;
using mpiprof::operation;

TEST(wildcards, W1_ignored_status_still_tells_source_and_bytes) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 100> buffer{};
    if (world.rank() == 0) {
        world.send(buffer.data(), 4, MPI_INT, 1, 7);
    } else {
        world.recv(buffer.data(), 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_STATUS_IGNORE);
        auto const recv = records.call(operation::recv);
        EXPECT_EQ(recv.received, 16);
        EXPECT_EQ(recv.sent, 0);
        EXPECT_EQ(recv.peer, 0);
        EXPECT_EQ(recv.tag, 7);
        EXPECT_EQ(recv.flags, 0);
    }
}

TEST(wildcards, W2_completions_resolve_the_source_that_the_posting_left_open) {
    CASES_NEED_RANKS(3);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 16> buffer{};
    if (world.rank() == 0) {
        std::array<MPI_Request, 2> requests{};
        world.irecv(buffer.data(), 8, MPI_INT, MPI_ANY_SOURCE, 5, &requests[0]);
        world.irecv(buffer.data() + 8, 8, MPI_INT, MPI_ANY_SOURCE, 5, &requests[1]);
        for (auto const& posted : records.calls(operation::irecv)) {
            EXPECT_EQ(posted.peer, mpiprof::any_source);
            EXPECT_EQ(posted.tag, 5);
            EXPECT_EQ(posted.capacity, 32);
            EXPECT_EQ(posted.received, 0);
        }
        cases::calls::waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        std::set<std::tuple<int, std::int64_t>> arrived;
        for (auto const& done : records.completions(operation::irecv))
            arrived.emplace(done.peer, done.received);
        EXPECT_EQ(arrived, (std::set<std::tuple<int, std::int64_t>>{{1, 12}, {2, 20}}));
        EXPECT_EQ(records.completions().size(), 2U);
    } else {
        world.send(buffer.data(), world.rank() == 1 ? 3 : 5, MPI_INT, 0, 5);
    }
}

TEST(wildcards, W3_probes_carry_no_bytes_and_keep_the_order) {
    CASES_NEED_RANKS(2);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<double, 10> buffer{};
    if (world.rank() == 0) {
        world.send(buffer.data(), 1, MPI_INT, 1, 1);
        world.send(buffer.data(), 10, MPI_DOUBLE, 1, 2);
    } else {
        for (int const tag : {1, 2}) {
            MPI_Status status;
            EXPECT_EQ(world.probe(0, MPI_ANY_TAG, &status), MPI_SUCCESS);
            EXPECT_EQ(status.MPI_TAG, tag);
            int flag = 0;
            EXPECT_EQ(world.iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
            EXPECT_EQ(flag, 1);
            world.recv(buffer.data(), 10, tag == 1 ? MPI_INT : MPI_DOUBLE, 0, tag, MPI_STATUS_IGNORE);
        }
        std::int64_t received = 0;
        int tag = 1;
        for (auto const& call : records.calls()) {
            received += call.received;
            EXPECT_EQ(call.peer, 0);
            EXPECT_EQ(call.tag, tag);
            if (call.operation == operation::recv) ++tag;
            else EXPECT_EQ(call.received, 0) << mpiprof::name(call.operation);
        }
        EXPECT_EQ(received, 84);
        EXPECT_EQ(records.calls(operation::recv).size(), 2U);
        EXPECT_EQ(records.calls().size(), 6U);
        EXPECT_EQ(records.completions().size(), 0U);
    }
}

TEST(wildcards, W3_an_iprobe_that_finds_nothing_stays_open) {
    CASES_NEED_RANKS(1);
    recorder const records;
    int flag = 1;
    recorded(MPI_COMM_WORLD).iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(flag, 0);
    auto const iprobe = records.call(operation::iprobe);
    EXPECT_EQ(iprobe.flags, mpiprof::call_incomplete);
    EXPECT_EQ(iprobe.peer, mpiprof::any_source);
    EXPECT_EQ(iprobe.tag, mpiprof::any_tag);
}

TEST(wildcards, W4_large_wildcard_receives_completed_together) {
    CASES_NEED_RANKS(2);
    constexpr int messages = 4;
    constexpr int bytes = 2 << 20;
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::vector<char> buffer(static_cast<std::size_t>(messages) * bytes, static_cast<char>(world.rank()));
    MPI_Request requests[messages] = {};
    for (int i = 0; i < messages; ++i) {
        auto* const place = buffer.data() + i * bytes;
        if (world.rank() == 0) world.irecv(place, bytes, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, &requests[i]);
        else world.isend(place, bytes - i, MPI_CHAR, 0, i, &requests[i]);
    }
    EXPECT_EQ(cases::calls::waitall(messages, requests, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    auto const done = records.completions();
    ASSERT_EQ(done.size(), static_cast<std::size_t>(messages));
    for (int i = 0; i < messages; ++i) {
        auto const& each = done[static_cast<std::size_t>(i)];
        EXPECT_EQ(each.peer, 1 - world.rank());
        EXPECT_EQ(each.tag, i);
        EXPECT_EQ(each.received, world.rank() == 0 ? bytes - i : 0);
    }
    EXPECT_EQ(buffer.front(), 1);
}

TEST(wildcards, W5_names_are_the_same_text_with_every_library) {
    CASES_NEED_RANKS(1);
    recorder const records;
    auto const world = recorded(MPI_COMM_WORLD);
    std::array<int, 2> const out{};
    std::array<int, 8> in{};
    MPI_Request request = MPI_REQUEST_NULL;
    world.send(out.data(), 2, MPI_INT, MPI_PROC_NULL, 5);
    world.irecv(in.data(), 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, &request);
    world.send(out.data(), 2, MPI_INT, 0, 6);
    cases::calls::wait(&request, MPI_STATUS_IGNORE);
    world.recv(in.data(), 8, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_STATUS_IGNORE);
    world.bcast(in.data(), 1, MPI_INT, 0);
    std::vector<std::string> names;
    for (auto const& call : records.calls())
        names.push_back(mpiprof::format_region(mpiprof::metadata_of(call)));
    EXPECT_EQ(names, (std::vector<std::string>{
                         "mpi:send kind=point-to-point bytes=0 peer=-3 root=-1 tag=5 comm=0",
                         "mpi:irecv kind=point-to-point bytes=32 peer=-2 root=-1 tag=-2 comm=0",
                         "mpi:send kind=point-to-point bytes=8 peer=0 root=-1 tag=6 comm=0",
                         "mpi:wait kind=wait bytes=32 peer=0 root=-1 tag=6 comm=0 request=irecv",
                         "mpi:recv kind=point-to-point bytes=0 peer=-3 root=-1 tag=-2 comm=0",
                         "mpi:bcast kind=collective bytes=4 peer=-1 root=0 tag=-1 comm=0",
                     }));
}

}  // namespace
