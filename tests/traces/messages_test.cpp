// Which send belongs to which receive, and which calls are one collective.
#include <mpiprof/traces/messages.hpp>

#include "tests/traces/temporary_folder.hpp"
#include "tests/traces/trace_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using mpiprof::traces::message;
using mpiprof::traces::message_end;
using mpiprof::traces::trace;
using test_support::trace_builder;
using testing::ElementsAre;
using testing::UnorderedElementsAre;
using enum mpiprof::operation;

mpiprof::call to(mpiprof::operation what, int peer, std::int64_t begin, std::int64_t bytes = 8, int tag = 1) {
    mpiprof::call made;
    made.operation = what;
    made.communicator = 0;
    made.peer = peer;
    made.tag = tag;
    made.sent = bytes;
    made.begin = begin;
    made.end = begin + 2;
    return made;
}

mpiprof::call from(mpiprof::operation what, int peer, std::int64_t begin, std::int64_t bytes = 8,
                   int tag = 1) {
    auto made = to(what, peer, begin, 0, tag);
    made.received = bytes;
    return made;
}

mpiprof::completion done(mpiprof::operation what, int peer, std::int64_t posted, std::int64_t observed,
                         std::int64_t bytes = 8, int tag = 1) {
    mpiprof::completion made;
    made.operation = what;
    made.communicator = 0;
    made.peer = peer;
    made.tag = tag;
    made.posted = posted;
    made.observed = observed;
    made.received = bytes;
    return made;
}

/// "0->1 sent..received" of each, "?" for an end that is not there.
std::vector<std::string> lines(std::deque<message> const& all) {
    std::vector<std::string> made;
    auto const time = [](message_end const& end) { return end.exists() ? fmt::format("{}", end.time) : "?"; };
    for (auto const& each : all) {
        auto const& send = each.sent;
        auto const& receive = each.received;
        made.push_back(fmt::format("{}->{} {}..{}", send.exists() ? send.rank : receive.peer,
                                   send.exists() ? send.peer : receive.rank, time(send), time(receive)));
    }
    return made;
}

class messages : public testing::Test {
  protected:
    trace read() { return trace{run_.write(folder_.path())}; }
    std::vector<std::string> found() { return lines(messages_of(read())); }
    test_support::thread_builder& thread(int rank) { return run_.rank(rank).thread(); }

    test_support::temporary_folder folder_;
    trace_builder run_{2};
};

TEST_F(messages, of_the_small_program) {
    trace const all{test_support::small_program().write(folder_.path())};
    auto const found = messages_of(all);
    EXPECT_THAT(lines(found), ElementsAre("0->1 110..125", "0->1 130..165", "0->1 180..205", "1->0 185..200",
                                          "0->2 290..310", "0->3 330..?"));
    EXPECT_EQ(found[1].received.posted, 126);
    EXPECT_EQ(found[1].received.bytes, 1000);
    EXPECT_EQ(found[1].received.event, (mpiprof::traces::event_id{1, 0, 3}));
    EXPECT_EQ(found[2].sent.communicator, test_support::halo);
    EXPECT_EQ(found[4].sent.communicator, test_support::between);
    EXPECT_EQ(found[5].sent.tag, 55);
}

TEST_F(messages, are_received_in_the_order_of_posting) {
    thread(0).call(to(send, 1, 10, 100)).call(to(send, 1, 20, 200));
    // The second request completes first.
    thread(1).completion(done(irecv, 0, 6, 40, 200)).completion(done(irecv, 0, 5, 50, 100));
    EXPECT_THAT(found(), ElementsAre("0->1 10..50", "0->1 20..40"));
}

TEST_F(messages, of_another_tag_or_communicator_are_others) {
    auto elsewhere = to(send, 1, 10);
    elsewhere.communicator = test_support::halo;
    run_.rank(0).communicator({test_support::halo, 0, 2, -1, 0, 0, 0, 0});
    run_.rank(1).communicator({test_support::halo, 0, 2, -1, 1, 0, 0, 0});
    thread(0).call(elsewhere).call(to(send, 1, 20, 8, 2)).call(to(send, 1, 30));
    thread(1).call(from(recv, 0, 40)).call(from(recv, 0, 50, 8, 2));
    EXPECT_THAT(found(), ElementsAre("0->1 20..52", "0->1 30..42", "0->1 10..?"));
}

TEST_F(messages, are_none_with_nobody_or_when_they_failed) {
    auto failed = to(send, 1, 10);
    failed.flags = mpiprof::call_failed;
    thread(0)
        .call(failed)
        .call(to(send, mpiprof::null_process, 20))
        .call(from(recv, mpiprof::null_process, 30));
    thread(0).completion(done(irecv, mpiprof::null_process, 35, 40));
    EXPECT_THAT(found(), ElementsAre());
}

TEST_F(messages, that_were_cancelled_are_none) {
    thread(0).call(to(isend, 1, 10)).call(to(isend, 1, 20)).call(to(isend, 1, 30));
    auto cancelled = done(isend, 1, 20, 40, 0);
    cancelled.cancelled = true;
    cancelled.taken_back = 8;
    auto unreceived = done(irecv, 0, 15, 60, 0);
    unreceived.cancelled = true;
    thread(0).completion(cancelled);
    thread(1).completion(unreceived).call(from(recv, 0, 70)).call(from(recv, 0, 80));
    EXPECT_THAT(found(), ElementsAre("0->1 10..72", "0->1 30..82"));
}

TEST_F(messages, of_started_requests) {
    auto started = to(start, 1, 10);
    started.request = send_init;
    mpiprof::call all_started;
    all_started.operation = startall;
    all_started.sent = 16;
    all_started.begin = 21;
    all_started.end = 23;
    auto sent = done(send_init, 1, 20, 30, 0);
    sent.sent = 16;
    thread(0).call(started).call(all_started).completion(sent).completion(done(send_init, 1, 10, 31, 0));
    thread(1).completion(done(recv_init, 0, 5, 40)).completion(done(recv_init, 0, 6, 41, 16));
    EXPECT_THAT(found(), ElementsAre("0->1 10..40", "0->1 20..41"));
}

TEST_F(messages, of_matched_probes_are_received_in_the_order_of_the_probes) {
    thread(0).call(to(send, 1, 10, 100)).call(to(send, 1, 20, 200)).call(to(send, 1, 30, 300));
    auto probed = from(mprobe, 0, 40, 0);
    auto matched = from(mrecv, 0, 60, 100);
    matched.communicator = mpiprof::unknown_communicator;
    auto later = done(imrecv, 0, 70, 80, 300);
    later.communicator = mpiprof::unknown_communicator;
    auto found_it = from(improbe, 0, 55, 0);
    // Between both probes a plain receive gets the second message.
    thread(1).call(probed).call(from(recv, 0, 50, 200)).call(found_it).call(matched).completion(later);
    EXPECT_THAT(found(), ElementsAre("0->1 10..62", "0->1 20..52", "0->1 30..80"));
}

TEST_F(messages, of_a_nonblocking_exchange) {
    thread(0).call(to(isendrecv, 1, 10, 5)).completion(done(isendrecv, 1, 10, 30, 6));
    thread(1).call(to(isendrecv, 0, 11, 6)).completion(done(isendrecv, 0, 11, 31, 5));
    EXPECT_THAT(found(), ElementsAre("0->1 10..31", "1->0 11..30"));
}

TEST_F(messages, to_ranks_without_a_trace_have_one_end) {
    thread(0).call(to(send, 1, 10)).call(from(recv, 1, 20));
    EXPECT_THAT(found(), ElementsAre("0->1 10..?", "1->0 ?..22"));
}

TEST_F(messages, to_oneself) {
    auto own = to(isend, 0, 10);
    own.communicator = mpiprof::self_communicator;
    auto back = from(recv, 0, 20);
    back.communicator = mpiprof::self_communicator;
    thread(0).call(own).call(back);
    thread(1);
    EXPECT_THAT(found(), ElementsAre("0->0 10..22"));
}

TEST_F(messages, whose_old_ones_were_lost_match_from_the_end) {
    thread(0).call(to(send, 1, 10, 100)).call(to(send, 1, 20, 200)).call(to(send, 1, 30, 300));
    thread(1).dropped(5).call(from(recv, 0, 45, 300));
    run_.rank(1).facts.keeps_newest = true;
    EXPECT_THAT(found(), ElementsAre("0->1 30..47", "0->1 10..?", "0->1 20..?"));
}

TEST_F(messages, whose_new_ones_were_lost_match_from_the_begin) {
    thread(0).call(to(send, 1, 10, 100)).dropped(7);
    thread(1).call(from(recv, 0, 15, 100)).call(from(recv, 0, 25, 200));
    EXPECT_THAT(found(), ElementsAre("0->1 10..17", "0->1 ?..27"));
}

TEST_F(messages, never_arrive_before_they_were_sent_where_one_is_missing) {
    // Rank 0 was not recorded when it sent the first.
    thread(0).call(to(send, 1, 50));
    thread(1).call(from(recv, 0, 10)).call(from(recv, 0, 60));
    EXPECT_THAT(found(), ElementsAre("0->1 50..62", "0->1 ?..12"));
}

/// "operation members begin..end" and how many are missing.
std::vector<std::string> lines(std::deque<mpiprof::traces::collective> const& all) {
    std::vector<std::string> made;
    for (auto const& each : all) {
        made.push_back(fmt::format("{} {} {}..{} {}", name(each.operation), each.members.size(), each.begin,
                                   each.end, each.missing));
    }
    return made;
}

mpiprof::call collective(mpiprof::operation what, std::int64_t begin) {
    mpiprof::call made;
    made.operation = what;
    made.communicator = 0;
    made.begin = begin;
    made.end = begin + 5;
    return made;
}

TEST_F(messages, collectives_of_the_small_program) {
    trace const all{test_support::small_program().write(folder_.path())};
    auto const found = collectives_of(all);
    EXPECT_THAT(lines(found), ElementsAre("bcast 4 220..247 0", "allreduce 4 250..283 0",
                                          "barrier 2 290..300 0", "allreduce 1 305..310 0"));
    EXPECT_EQ(found[2].communicator, test_support::badly_named);
    EXPECT_EQ(found[3].communicator, mpiprof::self_communicator);
    EXPECT_EQ(found[3].rank, 0);
    EXPECT_EQ(found[0].rank, -1);
    EXPECT_EQ(found[0].members[3], (mpiprof::traces::event_id{3, 0, 0}));
}

TEST_F(messages, collectives_are_the_nth_of_each) {
    thread(0).call(collective(barrier, 10)).call(collective(barrier, 20)).call(collective(barrier, 30));
    thread(1).call(collective(barrier, 11)).call(collective(barrier, 21));
    EXPECT_THAT(lines(collectives_of(read())),
                ElementsAre("barrier 2 10..16 0", "barrier 2 20..26 0", "barrier 1 30..35 1"));
}

TEST_F(messages, collectives_whose_old_ones_were_lost_are_counted_from_the_end) {
    thread(0).call(collective(barrier, 10)).call(collective(barrier, 20)).call(collective(barrier, 30));
    thread(1).dropped(1).call(collective(barrier, 31));
    run_.rank(1).facts.keeps_newest = true;
    EXPECT_THAT(lines(collectives_of(read())),
                ElementsAre("barrier 1 10..15 1", "barrier 1 20..25 1", "barrier 2 30..36 0"));
}

}  // namespace
