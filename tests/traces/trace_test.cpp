// What a trace says is what was written: golden values, and every way in which a file can be wrong.
#include <mpiprof/traces/trace.hpp>

#include <mpiprof/results/input_error.hpp>

#include "tests/traces/temporary_folder.hpp"
#include "tests/traces/trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace {

using mpiprof::results::input_error;
using mpiprof::traces::event;
using mpiprof::traces::event_type;
using mpiprof::traces::trace;
using test_support::trace_builder;
using test_support::write_bytes;
using testing::ElementsAre;
using testing::HasSubstr;
using enum mpiprof::operation;

class traces : public testing::Test {
  protected:
    std::string path(std::string const& name) const { return folder_ / name; }
    trace read(trace_builder const& run) const { return trace{run.write(folder_.path())}; }
    /// What is wrong with a file of these bytes.
    std::string error_of(std::string const& bytes) const {
        write_bytes(path("wrong"), bytes);
        try {
            trace{{path("wrong")}};
        } catch (input_error const& error) {
            return error.what();
        }
        return "nothing";
    }

    test_support::temporary_folder folder_;
};

std::vector<event> events(trace const& from, std::size_t rank, std::size_t thread = 0) {
    std::vector<event> all;
    from.for_each(rank, thread, [&](event const& each) { all.push_back(each); });
    return all;
}

/// Type, operation, begin, end, peer, tag, bytes (sent, else received, else capacity) and phase.
std::string line(event const& each) {
    auto const text = [](auto... values) {
        std::string made;
        ((made += (made.empty() ? "" : " ") + std::string{values}), ...);
        return made;
    };
    auto const number = [](std::int64_t value) { return std::to_string(value); };
    auto const times = number(each.begin) + ".." + number(each.end);
    switch (each.type) {
    case event_type::phase_begin:
        return text("begin", times, each.phase);
    case event_type::phase_end:
        return text("end", times, each.phase);
    case event_type::completion:
        return text("done", name(each.completion.operation), times, number(each.completion.peer),
                    number(each.completion.tag), number(each.completion.received), each.phase);
    default:
        return text(each.type == event_type::repeated ? "repeated" : "call", name(each.call.operation), times,
                    number(each.call.peer), number(each.call.tag), number(region_bytes(each.call)),
                    each.phase);
    }
}

std::vector<std::string> lines(trace const& from, std::size_t rank, std::size_t thread = 0) {
    std::vector<std::string> all;
    for (auto const& each : events(from, rank, thread)) all.push_back(line(each));
    return all;
}

mpiprof::call sent_to(int peer, std::int64_t begin, std::int64_t end, std::int64_t bytes = 8) {
    mpiprof::call made;
    made.operation = send;
    made.communicator = 0;
    made.peer = peer;
    made.tag = 1;
    made.sent = bytes;
    made.begin = begin;
    made.end = end;
    return made;
}

TEST_F(traces, hold_what_was_written) {
    auto const from = read(test_support::small_program());
    EXPECT_EQ(from.world_size(), 4);
    EXPECT_THAT(from.notes(), ElementsAre());
    EXPECT_THAT(lines(from, 0),
                ElementsAre("begin 100..100 solve", "call send 110..120 1 7 100 solve",
                            "call isend 130..135 1 8 1000 solve", "done isend 130..160 1 8 0 solve",
                            "call waitall 140..160 -1 -1 0 solve", "begin 170..170 inner \"quoted\"",
                            "done sendrecv 180..200 0 4 50 inner \"quoted\"",
                            "call sendrecv 180..200 0 3 40 inner \"quoted\"", "end 210..210 inner \"quoted\"",
                            "call bcast 220..240 -1 -1 64 solve", "call allreduce 250..280 -1 -1 8 solve",
                            "call send 290..300 0 5 24 solve", "call allreduce 305..310 -1 -1 8 solve",
                            "call send 320..325 1 99 0 solve", "call send 330..335 3 55 11 solve",
                            "end 340..340 solve"));
    EXPECT_THAT(lines(from, 1),
                ElementsAre("call recv 112..125 0 7 100 ", "call irecv 126..128 -2 8 2000 ",
                            "repeated test 130..150 -2 8 2000 ", "done irecv 126..165 0 8 1000 ",
                            "call wait 151..165 0 8 2000 ", "done sendrecv 185..205 1 3 40 ",
                            "call sendrecv 185..205 1 4 50 ", "call bcast 230..245 -1 -1 64 ",
                            "call allreduce 255..281 -1 -1 8 "));
    EXPECT_THAT(lines(from, 2, 1), ElementsAre("call recv 295..310 0 5 24 "));
}

TEST_F(traces, hold_the_rest_of_a_record) {
    auto const from = read(test_support::small_program());
    auto const first = events(from, 0);
    EXPECT_STREQ(first[1].call.site.file(), "main.cpp");
    EXPECT_EQ(first[1].call.site.line(), 10U);
    EXPECT_EQ(first[1].call.duration, 10);
    EXPECT_EQ(first[6].completion.communicator, test_support::halo);
    EXPECT_EQ(first[9].call.root, 0);
    EXPECT_EQ(first[13].call.flags, mpiprof::call_failed);
    EXPECT_EQ(first[15].id.number, 15U);
    auto const tests = events(from, 1)[2];
    EXPECT_EQ(tests.repeats, 3);
    EXPECT_EQ(tests.inside, 9);
    EXPECT_EQ(tests.call.request, irecv);
    EXPECT_EQ(tests.call.flags, mpiprof::call_incomplete);
}

TEST_F(traces, know_ranks_and_threads) {
    auto const from = read(test_support::small_program());
    ASSERT_EQ(from.ranks().size(), 4U);
    auto const& third = from.ranks()[2];
    EXPECT_EQ(third.number, 2);
    EXPECT_EQ(third.begin, 0);
    EXPECT_EQ(third.end, 310);
    EXPECT_EQ(third.to_monotonic, 5'000'000'000);
    EXPECT_EQ(third.to_realtime, 1'700'000'000'000'000'000);
    EXPECT_EQ(third.host, "node");
    EXPECT_EQ(third.start_time, "2026-12-01T12:00:00Z");
    ASSERT_EQ(third.threads.size(), 2U);
    EXPECT_EQ(third.threads[0].name, "main thread");
    EXPECT_EQ(third.threads[1].name, "worker");
    EXPECT_FALSE(third.unfinished);
}

TEST_F(traces, tell_threads_of_one_name_apart) {
    trace_builder run{2};
    for (auto const* const name : {"m", "m 2", "m", "thread 5", "", "m"}) run.rank(0).another_thread(name);
    run.rank(1).another_thread("m");
    auto const from = read(run);
    std::vector<std::string> names;
    for (auto const& thread : from.ranks()[0].threads) names.push_back(thread.name);
    EXPECT_THAT(names, ElementsAre("m", "m 2", "m 3", "thread 5", "thread 5 2", "m 4"));
    EXPECT_EQ(from.ranks()[1].threads[0].name, "m");
}

// Cases CM6 and IC5.
TEST_F(traces, know_the_communicator_of_each_event) {
    auto run = test_support::small_program();
    mpiprof::call elsewhere = sent_to(1, 400, 410);
    elsewhere.communicator = 0xabc;  // nobody has described it
    run.rank(0).thread().call(elsewhere);
    auto const from = read(run);
    using ranks = std::vector<std::int64_t>;
    auto const& known = from.communicators();
    EXPECT_THAT(known.at(mpiprof::world_communicator).groups, ElementsAre(ranks{0, 1, 2, 3}));
    EXPECT_THAT(known.at(mpiprof::self_communicator).groups, ElementsAre(ranks{}));
    EXPECT_THAT(known.at(test_support::halo).groups, ElementsAre(ranks{1, 0}));
    EXPECT_THAT(known.at(test_support::between).groups, ElementsAre(ranks{0, 1}, ranks{2, 3}));
    EXPECT_EQ(known.at(test_support::halo).name, "halo");
    EXPECT_EQ(known.at(test_support::between).name, "communicator 99");
    EXPECT_EQ(known.at(test_support::badly_named).name, test_support::bad_name);
    EXPECT_EQ(known.at(0xabc).name, "communicator abc");
    from.for_each([&](event const& each) {
        auto const id =
            each.type == event_type::completion ? each.completion.communicator : each.call.communicator;
        EXPECT_TRUE(id == mpiprof::unknown_communicator || known.contains(id));
    });
}

TEST_F(traces, know_who_a_peer_is) {
    auto const from = read(test_support::small_program());
    EXPECT_EQ(from.world_rank(mpiprof::world_communicator, 0, 3), 3);
    EXPECT_EQ(from.world_rank(mpiprof::world_communicator, 0, 4), -1);
    EXPECT_EQ(from.world_rank(mpiprof::self_communicator, 2, 0), 2);
    EXPECT_EQ(from.world_rank(test_support::halo, 0, 0), 1);
    EXPECT_EQ(from.world_rank(test_support::between, 1, 0), 2);
    EXPECT_EQ(from.world_rank(test_support::between, 3, 1), 1);
    EXPECT_EQ(from.world_rank(test_support::halo, 0, mpiprof::null_process), -1);
    EXPECT_EQ(from.world_rank(0xdef, 0, 0), -1);
}

TEST_F(traces, of_one_rank_say_which_are_missing) {
    auto const paths = test_support::small_program().write(folder_.path());
    trace const from{{paths[1]}};
    EXPECT_THAT(from.notes(), ElementsAre("there is no trace of 3 of the run's 4 ranks"));
    EXPECT_THAT(from.communicators().at(test_support::halo).groups,
                ElementsAre(std::vector<std::int64_t>{1, -1}));
}

TEST_F(traces, hold_wide_records) {
    trace_builder run{2};
    auto& thread = run.rank(0).thread();
    auto wide = sent_to(1, 10, 10 + (std::int64_t{1} << 33), 7);
    wide.received = 3;
    wide.overhead = 16;
    wide.read = 5;
    thread.call(wide);
    mpiprof::completion done;
    done.operation = irecv;
    done.communicator = 0;
    done.peer = 1;
    done.tag = 4;
    done.posted = 20;
    done.observed = 20 + (std::int64_t{1} << 34);
    done.waited = std::int64_t{1} << 33;
    done.received = 9;
    thread.completion(done);
    auto const all = events(read(run), 0);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].end, wide.end);
    EXPECT_EQ(all[0].call.received, 3);
    EXPECT_EQ(all[0].call.overhead, 16);
    EXPECT_EQ(all[0].call.read, 5);
    EXPECT_EQ(all[0].call.peer, 1);
    EXPECT_EQ(all[1].begin, 20);
    EXPECT_EQ(all[1].completion.waited, done.waited);
    EXPECT_EQ(all[1].completion.sent, mpiprof::not_applicable);
}

TEST_F(traces, count_times_from_bases) {
    trace_builder run{1};
    auto& thread = run.rank(0).thread();
    constexpr std::int64_t day = 86'400'000'000'000;
    thread.call(sent_to(0, 5, 6)).call(sent_to(0, day, day + 4)).call(sent_to(0, day + 5, day + 7));
    EXPECT_THAT(lines(read(run), 0),
                ElementsAre("call send 5..6 0 1 8 ", "call send 86400000000000..86400000000004 0 1 8 ",
                            "call send 86400000000005..86400000000007 0 1 8 "));
}

TEST_F(traces, put_chunks_in_their_order) {
    trace_builder run{1};
    auto& rank = run.rank(0);
    for (int i = 0; i < 5000; ++i) {
        rank.thread("a").call(sent_to(0, 10 * i, 10 * i + 1));
        rank.thread("b").call(sent_to(0, 10 * i + 5, 10 * i + 6));
    }
    auto const from = read(run);
    for (std::size_t thread = 0; thread < 2; ++thread) {
        auto const all = events(from, 0, thread);
        ASSERT_EQ(all.size(), 5000U);
        for (std::size_t i = 0; i < all.size(); ++i)
            ASSERT_EQ(all[i].begin, static_cast<std::int64_t>(10 * i + 5 * thread));
    }
}

TEST_F(traces, leave_out_what_was_to_be_forgotten) {
    trace_builder run{1};
    run.rank(0).thread().call(sent_to(0, 1, 2)).next_chunk().call(sent_to(0, 3, 4));
    run.rank(0).facts.first_chunk = 2;
    EXPECT_THAT(lines(read(run), 0), ElementsAre("call send 3..4 0 1 8 "));
}

TEST_F(traces, say_what_was_dropped) {
    trace_builder run{1};
    run.rank(0).thread().call(sent_to(0, 1, 2)).dropped(30);
    run.rank(0).facts.keeps_newest = true;
    run.rank(0).facts.overwritten = 12;
    run.rank(0).facts.finished = false;
    auto const from = read(run);
    EXPECT_EQ(from.ranks()[0].dropped, 42);
    EXPECT_EQ(from.ranks()[0].threads[0].dropped, 30);
    EXPECT_TRUE(from.ranks()[0].keeps_newest);
    EXPECT_TRUE(from.ranks()[0].unfinished);
    EXPECT_THAT(from.notes(), ElementsAre(HasSubstr("rank 0 did not reach the end"),
                                          HasSubstr("42 records of rank 0 were lost, the oldest ones")));
}

TEST_F(traces, take_in_chunks_that_were_spilled) {
    for (bool const moved : {false, true}) {
        trace_builder run{1};
        auto& rank = run.rank(0);
        rank.thread().call(sent_to(0, 1, 2)).next_chunk().call(sent_to(0, 3, 4));
        rank.facts.finished = false;
        rank.facts.spilled_chunks = 1;
        rank.facts.spilled = moved ? "/elsewhere/run.spilled" : path("run.spilled");
        write_bytes(path("run.trace"), rank.bytes());
        write_bytes(path("run.spilled"), rank.spilled_bytes());
        EXPECT_THAT(lines(trace{{path("run.trace")}}, 0),
                    ElementsAre("call send 1..2 0 1 8 ", "call send 3..4 0 1 8 "));
    }
    std::filesystem::remove(path("run.spilled"));
    trace const from{{path("run.trace")}};
    EXPECT_THAT(lines(from, 0), ElementsAre("call send 3..4 0 1 8 "));
    EXPECT_THAT(from.notes(),
                testing::Contains(HasSubstr("spilled to is not there: /elsewhere/run.spilled")));
}

TEST_F(traces, are_read_from_one_file_of_all) {
    auto const run = test_support::small_program();
    trace const apart = read(run);
    trace const together{{run.write_archive(path("all"))}};
    ASSERT_EQ(together.ranks().size(), 4U);
    for (std::size_t rank = 0; rank < 4; ++rank) EXPECT_EQ(lines(together, rank), lines(apart, rank));
}

// Cases CL2 and O13.
TEST_F(traces, never_go_back_in_time) {
    trace_builder run{1};
    auto& thread = run.rank(0).thread();
    thread.call(sent_to(0, 5000, 5010)).call(sent_to(0, 4000, 4010)).call(sent_to(0, 5011, 5012));
    thread.wide().call(sent_to(0, 6000, 0));  // its end was never set
    std::int64_t last = 0;
    for (auto const& each : events(read(run), 0)) {
        EXPECT_LE(each.begin, each.end);
        EXPECT_LE(last, each.end);
        EXPECT_GE(each.call.duration, 0);
        last = each.end;
    }
    EXPECT_EQ(last, 5012);
}

TEST_F(traces, of_other_runs_are_refused) {
    auto const error = [](std::vector<std::string> const& paths) -> std::string {
        try {
            trace{paths};
        } catch (input_error const& caught) {
            return caught.what();
        }
        return "nothing";
    };
    auto const paths = test_support::small_program().write(folder_.path());
    trace_builder other{4};
    other.rank(1).facts.job = "another";
    trace_builder larger{5};
    larger.rank(4).thread();
    write_bytes(path("other"), other.rank(1).bytes());
    write_bytes(path("larger"), larger.rank(4).bytes());
    EXPECT_THAT(error({paths[0], path("other")}), HasSubstr("/other: of job 'another', the files before it"));
    EXPECT_THAT(error({paths[0], path("larger")}), HasSubstr("/larger: of a run of 5 ranks"));
    EXPECT_THAT(error({paths[0], paths[0]}), HasSubstr("has rank 0 like a file before it"));
    EXPECT_THAT(error({path("nothing")}), HasSubstr("/nothing: No such file or directory"));
    EXPECT_THAT(error({folder_.path()}), HasSubstr("Is a directory"));
}

TEST_F(traces, of_other_versions_are_refused) {
    auto const bytes = test_support::small_program().rank(0).bytes();
    auto const with = [&](std::size_t place, auto value) {
        auto changed = bytes;
        changed.replace(place, sizeof value, reinterpret_cast<char const*>(&value), sizeof value);
        return changed;
    };
    using mpiprof::trace_head;
    EXPECT_EQ(error_of(bytes), "nothing");
    EXPECT_THAT(error_of("{}"), HasSubstr("no trace of mpiprof"));
    EXPECT_THAT(error_of(bytes.substr(0, 100)), HasSubstr("byte 100: cut off in the head"));
    EXPECT_THAT(error_of(with(offsetof(trace_head, version), std::uint32_t{2})),
                HasSubstr("another version"));
    EXPECT_THAT(error_of(with(offsetof(trace_head, order), std::uint32_t{0x04030201})),
                HasSubstr("another byte order"));
    EXPECT_THAT(error_of(with(offsetof(trace_head, operations), std::uint32_t{3})),
                HasSubstr("another version"));
    EXPECT_THAT(error_of(with(offsetof(trace_head, rate), 0.0)), HasSubstr("no rate of its clock"));
    EXPECT_THAT(error_of(with(offsetof(trace_head, rank), std::int64_t{-1})),
                HasSubstr("did not know its rank"));
    EXPECT_THAT(error_of(with(offsetof(trace_head, parts.kinds.offset), std::uint64_t{1} << 60)),
                HasSubstr("cut off in the table of kinds"));
}

TEST_F(traces, that_are_damaged_keep_what_precedes) {
    using mpiprof::sinks::trace_chunk;
    using mpiprof::sinks::trace_record;
    trace_builder run{1};
    auto& rank = run.rank(0);
    rank.thread().call(sent_to(0, 1, 2)).call(sent_to(0, 3, 4)).call(sent_to(0, 5, 6));
    auto const first = rank.chunks_offset() + offsetof(trace_chunk, records);
    auto const damaged = [&](std::size_t place, char value) {
        auto bytes = rank.bytes();
        bytes[place] = value;
        write_bytes(path("damaged"), bytes);
        return trace{{path("damaged")}};
    };
    auto const second = first + sizeof(trace_record);
    for (auto const& from : {damaged(second, 77), damaged(second + offsetof(trace_record, bytes_are), 50),
                             damaged(second + offsetof(trace_record, kind), 50), damaged(second, 3),
                             damaged(second + 2 * sizeof(trace_record), 2)}) {
        auto const size = events(from, 0).size();
        EXPECT_EQ(lines(from, 0).front(), "call send 1..2 0 1 8 ");
        EXPECT_THAT(from.notes().empty() ? 3U : 1U, size);
    }
    auto const from = damaged(second, 77);
    EXPECT_EQ(from.ranks()[0].dropped, 2);
    EXPECT_THAT(from.notes().front(),
                testing::AllOf(HasSubstr("damaged: byte " + std::to_string(second)),
                               HasSubstr("a record of type 77; up to 2 records of rank 0 are lost")));
}

/// Events that can be read, and how many notes there are; -1 for a file that cannot be used.
std::pair<std::int64_t, std::size_t> read_all(std::string const& path) {
    try {
        trace const from{{path}};
        std::int64_t count = 0;
        from.for_each([&](event const&) { ++count; });
        return {count, from.notes().size()};
    } catch (input_error const&) {
        return {-1, 0};
    }
}

TEST_F(traces, cut_off_at_any_byte_keep_what_precedes) {
    trace_builder run{1};
    auto& rank = run.rank(0);
    rank.thread().call(sent_to(0, 1, 2)).call(sent_to(0, 3, 4)).next_chunk().call(sent_to(0, 5, 6));
    auto const whole = rank.bytes();
    auto const chunks = static_cast<std::size_t>(rank.chunks_offset());
    constexpr std::size_t chunk_head = offsetof(mpiprof::sinks::trace_chunk, records);
    auto const readable = [&](std::size_t size) -> std::int64_t {
        if (size < chunks) return -1;
        auto const in_chunk = [&](std::size_t begin, std::size_t all) {
            auto const there = size < begin + chunk_head ? 0 : (size - begin - chunk_head) / 32;
            return static_cast<std::int64_t>(std::min(there, all));
        };
        return in_chunk(chunks, 2) + in_chunk(chunks + 65536, 1);
    };
    write_bytes(path("cut"), whole);
    // What lies behind the last record of a chunk is all the same, as most of the head is.
    for (std::size_t size = chunks + 65536 + 200; size > 0;
         size -= size > 400 && size < chunks - 400 ? 97 : 1) {
        if (size == chunks + 65536 - 100) size = chunks + 200;
        if (size < chunks && size + 8 > chunks) continue;  // what fills up to a multiple of 8 is in no table
        std::filesystem::resize_file(path("cut"), size);
        auto const [count, notes] = read_all(path("cut"));
        ASSERT_EQ(count, readable(size)) << size;
        ASSERT_EQ(notes > 0, count >= 0 && count < 3) << size;
    }
}

TEST_F(traces, of_one_file_are_kept_where_others_in_it_are_damaged) {
    auto const run = test_support::small_program();
    run.write_archive(path("all"));
    std::ifstream file{path("all"), std::ios::binary};
    std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    // Of rank 1 the head is gone, and of the last the second half.
    bytes.replace(bytes.find("mpiprof-trace\n\n", bytes.find("mpiprof-trace\n\n") + 1), 4, "gone");
    write_bytes(path("damaged"), bytes.substr(0, bytes.size() - 75'000));
    trace const from{{path("damaged")}};
    ASSERT_EQ(from.ranks().size(), 2U);
    EXPECT_EQ(from.ranks()[1].number, 2);
    EXPECT_THAT(from.notes(), testing::Contains(HasSubstr("this rank's trace is lost")).Times(2));
}

}  // namespace
