// The trace sink: every record is found again in its chunks, and what finds no room is counted.
#include <mpiprof/sinks/trace.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <utility>
#include <vector>

namespace {

using mpiprof::call;
using mpiprof::completion;
using mpiprof::operation;
using mpiprof::sinks::trace_bytes;
using mpiprof::sinks::trace_chunk;
using mpiprof::sinks::trace_record;
using mpiprof::sinks::trace_slot;

/// Memory for so many chunks.
class memory final : public mpiprof::sinks::trace_memory {
  public:
    explicit memory(std::size_t chunks, bool newest = false) {
        size = 4096 + mpiprof::sinks::trace_names::room + chunks * sizeof(trace_chunk);
        auto* const mapped =
            ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        begin = static_cast<char*>(mapped);
        parts = &its_parts;
        keeps_newest = newest;
    }
    ~memory() { ::munmap(begin, size); }

    bool reserve(std::size_t end) noexcept override {
        reserved = std::max(reserved, end);
        return end <= size;
    }

    template <class Row>
    Row const* rows(mpiprof::sinks::trace_part const& part) const {
        return reinterpret_cast<Row const*>(begin + part.offset);
    }

    std::size_t reserved = 0;
    mpiprof::sinks::trace_parts its_parts;
};

struct traced {
    explicit traced(std::size_t chunks = 4, bool newest = false) : room{chunks, newest} {
        sink.keep_trace_in(room);
    }

    /// The chunks that count, oldest first.
    std::vector<trace_chunk const*> chunks() const {
        std::vector<trace_chunk const*> found;
        auto const* const all = room.rows<trace_chunk>(room.parts->chunks);
        for (std::uint64_t i = 0; i < room.parts->chunks.used; ++i) {
            if (all[i].state != trace_chunk::use::free && all[i].number >= room.parts->first)
                found.push_back(&all[i]);
        }
        std::sort(found.begin(), found.end(), [](auto* a, auto* b) { return a->number < b->number; });
        return found;
    }

    std::vector<trace_record> slots() const {
        std::vector<trace_record> all;
        for (auto const* chunk : chunks())
            all.insert(all.end(), chunk->records, chunk->records + chunk->used);
        return all;
    }

    std::string text(std::uint32_t place) const { return room.rows<char>(room.parts->texts) + place; }

    mpiprof::sinks::trace_kind const& kind(trace_record const& of) const {
        return room.rows<mpiprof::sinks::trace_kind>(room.parts->kinds)[of.kind];
    }

    std::uint64_t dropped() const {
        std::uint64_t sum = 0;
        auto const* const threads = room.rows<mpiprof::sinks::trace_thread>(room.parts->threads);
        for (std::uint64_t i = 0; i < room.parts->threads.used; ++i) sum += threads[i].dropped;
        return sum;
    }

    memory room;
    mpiprof::sinks::trace sink;
};

call a_call(operation which, std::int64_t begin, std::int64_t end) {
    call record;
    record.operation = which;
    record.communicator = 0;
    record.site = mpiprof::call_site{"file.cpp", 12};
    record.begin = begin;
    record.end = end;
    return record;
}

call a_test(std::int64_t begin, std::int64_t end, std::int64_t capacity = 64) {
    auto record = a_call(operation::test, begin, end);
    record.flags = mpiprof::call_incomplete;
    record.request = operation::irecv;
    record.peer = 3;
    record.tag = 9;
    record.capacity = capacity;
    return record;
}

TEST(trace_sink, writes_a_message_into_one_slot) {
    traced trace;
    auto record = a_call(operation::send, 1000, 1500);
    record.peer = 3;
    record.tag = 7;
    record.sent = 3'000'000'000;
    record.flags = mpiprof::call_estimated;
    trace.sink.record(record);
    auto const slots = trace.slots();
    ASSERT_EQ(slots.size(), 1U);
    auto const& slot = slots[0];
    EXPECT_EQ(slot.type, trace_slot::call);
    EXPECT_EQ(trace.chunks()[0]->base + slot.begin, 1000);
    EXPECT_EQ(slot.duration, 500U);
    EXPECT_EQ(slot.flags, mpiprof::call_estimated);
    EXPECT_EQ(slot.message.peer, 3);
    EXPECT_EQ(slot.message.tag, 7);
    EXPECT_EQ(slot.bytes_are, trace_bytes::sent);
    EXPECT_EQ(slot.bytes, 3'000'000'000);
    auto const& kind = trace.kind(slot);
    EXPECT_EQ(kind.operation, static_cast<int>(operation::send));
    EXPECT_EQ(kind.communicator, 0);
    EXPECT_EQ(kind.root, -1);
    EXPECT_EQ(kind.line, 12U);
    EXPECT_EQ(trace.text(kind.file), "file.cpp");
    EXPECT_EQ(trace.text(kind.phase), "");
}

TEST(trace_sink, tells_which_bytes_the_one_count_is) {
    struct one {
        std::int64_t call::* count;
        trace_bytes which;
    };
    for (auto const& [count, which] :
         {one{&call::sent, trace_bytes::sent}, one{&call::received, trace_bytes::received},
          one{&call::capacity, trace_bytes::capacity}, one{&call::written, trace_bytes::written},
          one{&call::read, trace_bytes::read}}) {
        traced trace;
        auto record = a_call(operation::send, 1, 2);
        record.*count = 40;
        trace.sink.record(record);
        ASSERT_EQ(trace.slots().size(), 1U);
        EXPECT_EQ(trace.slots()[0].type, trace_slot::call);
        EXPECT_EQ(trace.slots()[0].bytes_are, which);
        EXPECT_EQ(trace.slots()[0].bytes, 40);
    }
    traced trace;
    auto both = a_call(operation::allreduce, 1, 2);
    both.sent = -1;
    both.received = 24;
    trace.sink.record(both);
    ASSERT_EQ(trace.slots().size(), 1U);
    EXPECT_EQ(trace.slots()[0].bytes_are, trace_bytes::both);
    EXPECT_EQ(trace.slots()[0].bytes, -1);
    EXPECT_EQ(trace.slots()[0].more, 24);
}

/// The wide part after slot number `first`.
template <class Wide>
Wide wide_after(std::vector<trace_record> const& slots, std::size_t first) {
    Wide wide;
    std::memcpy(&wide, &slots[first + 1], sizeof wide);
    return wide;
}

TEST(trace_sink, writes_what_is_out_of_the_ordinary_in_full) {
    traced trace;
    auto record = a_call(operation::alltoall, 5, 6);
    record.sent = 1;
    record.received = 2;
    record.overhead = 4;
    record.peer = 8;
    trace.sink.record(record);
    auto two = a_call(operation::sendrecv, 7, 8);
    two.sent = 10;
    two.received = 20;
    two.peer = 3;
    two.tag = 2;
    trace.sink.record(two);
    auto const slots = trace.slots();
    ASSERT_EQ(slots.size(), 6U);
    EXPECT_EQ(slots[0].type, trace_slot::wide_call);
    EXPECT_EQ(slots[0].message.peer, 8);
    auto const wide = wide_after<mpiprof::sinks::trace_wide_call>(slots, 0);
    EXPECT_EQ(wide.begin, 5);
    EXPECT_EQ(wide.end, 6);
    EXPECT_EQ(wide.sent, 1);
    EXPECT_EQ(wide.received, 2);
    EXPECT_EQ(wide.capacity, -1);
    EXPECT_EQ(wide.overhead, 4);
    EXPECT_EQ(slots[3].type, trace_slot::wide_call);
    EXPECT_EQ(slots[3].message.peer, 3);
    EXPECT_EQ(slots[3].message.tag, 2);
    EXPECT_EQ(wide_after<mpiprof::sinks::trace_wide_call>(slots, 3).received, 20);
}

TEST(trace_sink, keeps_times_however_far_apart) {
    traced trace;
    std::int64_t const far = std::int64_t{1} << 40;
    trace.sink.record(a_call(operation::barrier, 100, 200));
    trace.sink.record(a_call(operation::barrier, far, far + 5));
    trace.sink.record(a_call(operation::barrier, far + 10, 2 * far));
    auto const slots = trace.slots();
    ASSERT_EQ(slots.size(), 6U);
    EXPECT_EQ(slots[1].type, trace_slot::base);
    EXPECT_EQ(slots[1].base, far);
    EXPECT_EQ(slots[2].type, trace_slot::call);
    EXPECT_EQ(slots[2].begin, 0);
    EXPECT_EQ(slots[2].duration, 5U);
    EXPECT_EQ(slots[3].type, trace_slot::wide_call);
    auto const wide = wide_after<mpiprof::sinks::trace_wide_call>(slots, 3);
    EXPECT_EQ(wide.begin, far + 10);
    EXPECT_EQ(wide.end, 2 * far);
}

TEST(trace_sink, writes_completions) {
    traced trace;
    completion done;
    done.operation = operation::irecv;
    done.peer = 2;
    done.tag = 5;
    done.communicator = 0;
    done.posted = 1000;
    done.observed = 4000;
    done.waited = 700;
    done.received = 80;
    trace.sink.complete(done);
    completion sent = done;
    sent.operation = operation::isend;
    sent.received = 0;
    sent.sent = 16;
    trace.sink.complete(sent);
    completion cancelled = done;
    cancelled.received = 0;
    cancelled.cancelled = true;
    cancelled.taken_back = 0;
    trace.sink.complete(cancelled);
    completion odd = done;
    odd.observed = 900;  // a clock that steps back
    trace.sink.complete(odd);
    auto const slots = trace.slots();
    ASSERT_EQ(slots.size(), 6U);
    EXPECT_EQ(slots[0].type, trace_slot::completion);
    EXPECT_EQ(trace.chunks()[0]->base + slots[0].begin, 4000);
    EXPECT_EQ(slots[0].duration, 3000U);
    EXPECT_EQ(slots[0].waited, 700U);
    EXPECT_EQ(slots[0].bytes_are, trace_bytes::received);
    EXPECT_EQ(slots[0].bytes, 80);
    EXPECT_EQ(slots[0].message.peer, 2);
    EXPECT_EQ(slots[1].bytes_are, trace_bytes::sent);
    EXPECT_EQ(slots[1].bytes, 16);
    EXPECT_EQ(slots[2].bytes_are, trace_bytes::taken_back);
    EXPECT_EQ(slots[3].type, trace_slot::wide_completion);
    EXPECT_EQ(wide_after<mpiprof::sinks::trace_wide_completion>(slots, 3).observed, 900);
}

TEST(trace_sink, folds_runs_of_calls_that_found_nothing) {
    traced trace;
    trace.sink.record(a_test(100, 110));
    trace.sink.record(a_test(120, 125));
    trace.sink.record(a_test(130, 137));
    trace.sink.record(a_test(140, 141, 65));  // of another request
    auto found = a_test(150, 160);
    found.flags = 0;
    trace.sink.record(found);
    trace.sink.record(a_test(170, 171));
    auto const slots = trace.slots();
    ASSERT_EQ(slots.size(), 5U);
    EXPECT_EQ(slots[0].type, trace_slot::repeated);
    EXPECT_EQ(slots[0].count, 3U);
    EXPECT_EQ(slots[0].inside, 22);
    EXPECT_EQ(slots[0].duration, 37U);
    EXPECT_EQ(slots[0].begin, 0);
    // The first of them.
    EXPECT_EQ(slots[1].type, trace_slot::call);
    EXPECT_EQ(slots[1].duration, 10U);
    EXPECT_EQ(slots[1].bytes_are, trace_bytes::capacity);
    EXPECT_EQ(slots[1].bytes, 64);
    for (std::size_t i = 2; i < 5; ++i) EXPECT_EQ(slots[i].type, trace_slot::call);
}

TEST(trace_sink, folds_a_million_into_two_slots) {
    traced trace{1};
    for (int i = 0; i < 1'000'000; ++i) trace.sink.record(a_test(i * 10, i * 10 + 4));
    ASSERT_EQ(trace.slots().size(), 2U);
    EXPECT_EQ(trace.slots()[0].count, 1'000'000U);
    EXPECT_EQ(trace.slots()[0].inside, 4'000'000);
    EXPECT_EQ(trace.dropped(), 0U);
}

TEST(trace_sink, starts_a_new_run_where_one_would_be_too_long_for_its_slot) {
    traced trace;
    std::int64_t const gap = std::int64_t{1} << 31;
    for (int i = 0; i < 6; ++i) trace.sink.record(a_test(i * gap, i * gap + 4));
    std::uint64_t calls = 0;
    auto const slots = trace.slots();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].type == trace_slot::call) ++calls;
        if (slots[i].type != trace_slot::repeated) continue;
        calls += slots[i].count;
        ++i;
    }
    EXPECT_EQ(calls, 6U);
}

TEST(trace_sink, counts_what_finds_no_room_when_it_keeps_the_oldest) {
    traced trace{1};
    for (int i = 0; i < 5000; ++i) trace.sink.record(a_call(operation::send, i * 10, i * 10 + 5));
    auto const kept = trace.slots().size();
    EXPECT_GT(kept, 2000U);
    EXPECT_EQ(trace.slots()[0].begin, 0);
    EXPECT_EQ(kept + trace.dropped(), 5000U);
    EXPECT_LE(trace.room.reserved, trace.room.size);
    // It goes on when there is room again.
    trace.sink.reset();
    trace.sink.record(a_call(operation::send, 1, 2));
    EXPECT_EQ(trace.slots().size(), 1U);
    EXPECT_EQ(trace.dropped(), 0U);
}

TEST(trace_sink, drops_old_chunks_when_it_keeps_the_newest) {
    traced trace{3, true};
    for (int i = 0; i < 100'000; ++i) trace.sink.record(a_call(operation::send, i * 10, i * 10 + 5));
    auto const chunks = trace.chunks();
    ASSERT_EQ(chunks.size(), 3U);
    auto const kept = trace.slots().size();
    EXPECT_GT(kept, 4000U);
    EXPECT_EQ(kept + trace.room.parts->overwritten, 100'000U);
    EXPECT_EQ(trace.dropped(), 0U);
    auto const& last = chunks.back()->records[chunks.back()->used - 1];
    EXPECT_EQ(chunks.back()->base + last.begin, 999'990);
    EXPECT_EQ(chunks[0]->number + 2, chunks[2]->number);
}

TEST(trace_sink, gives_each_thread_chunks_of_its_own) {
    constexpr int threads = 8;
    constexpr int calls = 20'000;
    traced trace{256};
    std::vector<std::thread> all;
    // Those that run one after the other may share chunks.
    std::barrier together{threads};
    for (int thread = 0; thread < threads; ++thread) {
        all.emplace_back([&trace, &together, thread] {
            together.arrive_and_wait();
            for (int i = 0; i < calls; ++i) {
                auto record = a_call(operation::send, i * 10, i * 10 + 5);
                record.tag = thread;
                record.sent = i;
                trace.sink.record(record);
            }
            together.arrive_and_wait();
        });
    }
    for (auto& each : all) each.join();
    std::map<std::int32_t, std::int64_t> next;
    std::map<std::uint32_t, std::vector<std::int32_t>> tags;
    for (auto const* chunk : trace.chunks()) {
        for (std::uint32_t i = 0; i < chunk->used; ++i) {
            auto const& slot = chunk->records[i];
            EXPECT_EQ(slot.bytes, next[slot.message.tag]++);
            EXPECT_EQ(slot.message.tag, chunk->records[0].message.tag) << "two threads in one chunk";
        }
    }
    ASSERT_EQ(next.size(), std::size_t{threads});
    for (auto const& [tag, count] : next) EXPECT_EQ(count, calls) << tag;
}

TEST(trace_sink, keeps_the_operations_of_more_kinds_than_it_has_room_for) {
    traced trace{32};
    constexpr std::uint32_t sites = 40'000;
    for (std::uint32_t line = 1; line <= sites; ++line) {
        auto record = a_call(line % 2 == 0 ? operation::send : operation::recv, line, line + 1);
        record.site = mpiprof::call_site{"many.cpp", line};
        trace.sink.record(record);
    }
    std::map<int, int> calls;
    int exact = 0;
    auto const slots = trace.slots();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        auto const& kind = trace.kind(slots[i]);
        ++calls[kind.operation];
        if (kind.line == i + 1) ++exact;
    }
    EXPECT_EQ(slots.size(), sites);
    EXPECT_EQ(calls[static_cast<int>(operation::send)], static_cast<int>(sites / 2));
    EXPECT_EQ(calls[static_cast<int>(operation::recv)], static_cast<int>(sites / 2));
    EXPECT_GT(exact, 12'000);
}

TEST(trace_sink, loses_the_phase_before_the_communicator) {
    static std::string name;
    mpiprof::sinks::phase_name.store([](mpiprof::phase_id phase) noexcept {
        name = phase == 0 ? "" : "a phase of its own for each step: " + std::to_string(phase);
        return name.c_str();
    });
    traced trace{64};
    for (int step = 1; step <= 60'000; ++step) {
        auto record = a_call(operation::send, step, step + 1);
        record.communicator = 77;
        record.phase = static_cast<mpiprof::phase_id>(step);
        trace.sink.record(record);
    }
    auto const slots = trace.slots();
    ASSERT_EQ(slots.size(), 60'000U);
    for (auto const& slot : slots) {
        EXPECT_EQ(trace.kind(slot).communicator, 77);
        EXPECT_EQ(trace.kind(slot).line, 12U);
    }
    EXPECT_EQ(trace.text(trace.kind(slots[0]).phase), "a phase of its own for each step: 1");
    EXPECT_EQ(trace.text(trace.kind(slots.back()).phase), "");
    mpiprof::sinks::phase_name.store(nullptr);
}

TEST(trace_sink, writes_phases_of_the_registry_by_their_names) {
    mpiprof::sinks::phase_name.store(
        [](mpiprof::phase_id phase) noexcept { return phase == 4 ? "solve" : ""; });
    traced trace;
    trace.sink.begin(4, 100);
    auto record = a_call(operation::barrier, 110, 120);
    record.phase = 4;
    trace.sink.record(record);
    trace.sink.end(4, 130);
    auto const slots = trace.slots();
    ASSERT_EQ(slots.size(), 3U);
    EXPECT_EQ(slots[0].type, trace_slot::phase_begin);
    EXPECT_EQ(trace.text(trace.kind(slots[0]).phase), "solve");
    EXPECT_EQ(trace.kind(slots[0]).operation, 0);
    EXPECT_EQ(trace.text(trace.kind(slots[1]).phase), "solve");
    EXPECT_EQ(slots[2].type, trace_slot::phase_end);
    EXPECT_EQ(trace.chunks()[0]->base + slots[2].begin, 130);
    mpiprof::sinks::phase_name.store(nullptr);
}

TEST(trace_sink, begins_with_the_phases_that_the_thread_is_in) {
    mpiprof::sinks::visit_open_phases.store([](auto* visit, void* context) noexcept {
        visit(2, context);
        visit(3, context);
    });
    traced later;
    later.sink.record(a_call(operation::barrier, 110, 120));
    ASSERT_EQ(later.slots().size(), 3U);
    EXPECT_EQ(later.slots()[0].type, trace_slot::phase_begin);
    EXPECT_EQ(later.slots()[1].type, trace_slot::phase_begin);
    // The one that begins now is among those that it is in.
    traced first;
    first.sink.begin(3, 100);
    EXPECT_EQ(first.slots().size(), 2U);
    mpiprof::sinks::visit_open_phases.store(nullptr);
}

TEST(trace_sink, takes_nothing_without_memory) {
    auto const sink = std::make_unique<mpiprof::sinks::trace>();
    sink->record(a_call(operation::send, 1, 2));
    sink->reset();
    EXPECT_FALSE(sink->has_trace());
}

TEST(trace_sink, takes_nothing_where_its_tables_find_no_room) {
    memory room{0};
    room.size = 10'000;
    auto const sink = std::make_unique<mpiprof::sinks::trace>();
    EXPECT_FALSE(sink->keep_trace_in(room));
    EXPECT_FALSE(sink->has_trace());
    sink->record(a_call(operation::send, 1, 2));
}

}  // namespace
