// The region sink: a user's profiler gets each region's name once, and all stays in it.
#include <mpiprof/sinks/region.hpp>

#include <mpiprof/bytes/payload.hpp>
#include <mpiprof/core/scope.hpp>
#include <mpiprof/sinks/fanout.hpp>
#include <mpiprof/sinks/on_request.hpp>
#include <mpiprof/timing/steady.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<std::int64_t> allocations{0};

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc{};
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using mpiprof::operation;
using mpiprof::sinks::fanout;
using mpiprof::sinks::region;
using mpiprof::sinks::summary;

/// Writes down all that it is told.
struct timed_profiler {
    std::vector<std::string> names;
    std::vector<std::string> log;

    int define(std::string_view name) noexcept {
        names.emplace_back(name);
        return static_cast<int>(names.size()) - 1;
    }
    void begin(int handle, std::int64_t time) noexcept { write("begin", handle, time); }
    void end(int handle, std::int64_t time) noexcept { write("end", handle, time); }
    void complete(int handle, std::int64_t posted, std::int64_t observed) noexcept {
        write("posted", handle, posted);
        write("observed", handle, observed);
    }
    void write(std::string const& what, int handle, std::int64_t time) {
        log.push_back(what + ' ' + names[static_cast<std::size_t>(handle)] + ' ' + std::to_string(time));
    }
};

/// Counts stays by region, in memory that it has from the start.
struct counting_profiler {
    std::atomic<std::int64_t> defined{0};
    std::atomic<std::int64_t> begun[2048] = {};
    std::atomic<std::int64_t> ended[2048] = {};

    counting_profiler() = default;
    counting_profiler(counting_profiler&&) noexcept {}

    std::size_t define(std::string_view) noexcept { return static_cast<std::size_t>(defined++); }
    void begin(std::size_t handle, std::int64_t) noexcept { ++begun[handle]; }
    void end(std::size_t handle, std::int64_t) noexcept { ++ended[handle]; }
};

/// Has a clock of its own.
struct live_profiler {
    std::vector<std::string> names;
    std::vector<std::string> log;

    std::size_t define(std::string_view name) noexcept {
        names.emplace_back(name);
        return names.size() - 1;
    }
    void push(std::size_t handle) noexcept { log.push_back("push " + names[handle]); }
    void pop() noexcept { log.emplace_back("pop"); }
};

static_assert(mpiprof::completion_sink<region<timed_profiler>>);
static_assert(mpiprof::sink<region<counting_profiler>> &&
              !mpiprof::completion_sink<region<counting_profiler>>);
static_assert(mpiprof::live_sink<region<live_profiler>> && !mpiprof::live_sink<region<timed_profiler>>);
static_assert(mpiprof::live_sink<fanout<summary, region<live_profiler>>>);
static_assert(!mpiprof::live_sink<fanout<summary, region<timed_profiler>>>);
static_assert(std::string_view{fanout<summary, region<timed_profiler>>::name} == "summary+region");

mpiprof::call a_call(operation which, std::int64_t sent, std::int64_t begin, std::int64_t end) {
    mpiprof::call record;
    record.operation = which;
    record.sent = sent;
    record.peer = 2;
    record.tag = 9;
    record.communicator = 7;
    record.begin = begin;
    record.end = end;
    return record;
}

TEST(region, hands_over_names_once_and_all_times) {
    region<timed_profiler> sink;
    sink.record(a_call(operation::send, 32, 10, 14));
    sink.record(a_call(operation::send, 32, 20, 25));
    sink.record(a_call(operation::ssend, 3145728000, 30, 30));
    EXPECT_EQ(sink.profiler().names,
              (std::vector<std::string>{
                  "mpi:other", "mpi:send kind=point-to-point bytes=32 peer=2 root=-1 tag=9 comm=7",
                  "mpi:ssend kind=point-to-point bytes=3145728000 peer=2 root=-1 tag=9 comm=7"}));
    std::string const small = sink.profiler().names[1];
    std::string const large = sink.profiler().names[2];
    EXPECT_EQ(
        sink.profiler().log,
        (std::vector<std::string>{"begin " + small + " 10", "end " + small + " 14", "begin " + small + " 20",
                                  "end " + small + " 25", "begin " + large + " 30", "end " + large + " 30"}));
    EXPECT_EQ(sink.regions(), 2U);
    EXPECT_EQ(sink.others(), 0);
}

TEST(region, names_waits_by_what_they_wait_for) {
    region<timed_profiler> sink;
    auto wait = a_call(operation::wait, 0, 1, 2);
    wait.request = operation::irecv;
    wait.capacity = 64;
    sink.record(wait);
    EXPECT_EQ(sink.profiler().names.at(1),
              "mpi:wait kind=wait bytes=64 peer=2 root=-1 tag=9 comm=7 request=irecv");
}

TEST(region, tells_every_field_apart) {
    region<counting_profiler> sink;
    auto const record_changed = [&](auto change) {
        auto record = a_call(operation::bcast, 8, 0, 1);
        change(record);
        sink.record(record);
    };
    record_changed([](auto&) {});
    record_changed([](auto& record) { record.operation = operation::reduce; });
    record_changed([](auto& record) { record.request = operation::isend; });
    record_changed([](auto& record) { record.sent = 9; });
    record_changed([](auto& record) { record.peer = 3; });
    record_changed([](auto& record) { record.root = 0; });
    record_changed([](auto& record) { record.tag = 2147483647; });
    record_changed([](auto& record) { record.communicator = 8; });
    record_changed([](auto& record) { record.site = mpiprof::call_site{"other.cpp", 1}; });
    EXPECT_EQ(sink.regions(), 8U);
    EXPECT_EQ(sink.profiler().begun[1], 2);
}

TEST(region, hands_over_completions) {
    region<timed_profiler> sink;
    mpiprof::completion done;
    done.operation = operation::irecv;
    done.received = 24;
    done.peer = 1;
    done.tag = 5;
    done.communicator = 0;
    done.posted = 100;
    done.observed = 150;
    sink.complete(done);
    std::string const name = "mpi:irecv kind=point-to-point bytes=24 peer=1 root=-1 tag=5 comm=0";
    EXPECT_EQ(sink.profiler().log,
              (std::vector<std::string>{"posted " + name + " 100", "observed " + name + " 150"}));
}

// Case RG2 of users' reports.
TEST(region, gives_one_region_to_what_finds_none_left) {
    region<counting_profiler, 100> sink;
    for (std::int64_t size = 0; size < 10000; ++size) sink.record(a_call(operation::send, size, 0, 1));
    for (std::int64_t size = 0; size < 100; ++size) sink.record(a_call(operation::send, size, 0, 1));
    EXPECT_EQ(sink.regions(), 100U);
    EXPECT_EQ(sink.others(), 9900);
    EXPECT_EQ(sink.profiler().defined, 101);
    EXPECT_EQ(sink.profiler().begun[0], 9900);
    for (std::size_t handle = 1; handle <= 100; ++handle) EXPECT_EQ(sink.profiler().ended[handle], 2);
}

TEST(region, allocates_nothing_when_it_knows_a_call) {
    region<counting_profiler> sink;
    auto const before = allocations.load();
    for (std::int64_t call = 0; call < 100000; ++call) sink.record(a_call(operation::send, call, 0, 1));
    EXPECT_EQ(allocations.load(), before);
    EXPECT_EQ(sink.others(), 100000 - 1024);
    static_assert(sizeof(mpiprof::sinks::region_table<std::size_t, 1024>) < 200'000);
}

TEST(region, is_for_many_threads) {
    region<counting_profiler> sink;
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&] {
                for (std::int64_t call = 0; call < 20000; ++call)
                    sink.record(a_call(operation::send, call % 200, 0, 1));
            });
        }
    }
    EXPECT_EQ(sink.regions(), 200U);
    EXPECT_EQ(sink.profiler().defined, 201);
    for (std::size_t handle = 1; handle <= 200; ++handle) {
        EXPECT_EQ(sink.profiler().begun[handle], 400);
        EXPECT_EQ(sink.profiler().ended[handle], 400);
    }
}

TEST(region, works_beside_a_summary) {
    fanout<summary, mpiprof::sinks::on_request<region<timed_profiler>>> sink;
    sink.record(a_call(operation::send, 8, 1, 2));
    auto const& its = sink.get<mpiprof::sinks::on_request<region<timed_profiler>>>();
    EXPECT_TRUE(its.profiler().log.empty());
    sink.pick([](std::string_view) { return true; });
    sink.record(a_call(operation::send, 8, 3, 4));
    sink.complete({});
    EXPECT_EQ(its.profiler().log.size(), 4U);
    std::int64_t calls = 0;
    sink.for_each_shard(
        [&](auto const& shard) { shard.for_each_call([&](auto const& row) { calls += row.calls(); }); });
    EXPECT_EQ(calls, 2);
}

template <class Sink>
using instrumentation = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, Sink>;

/// A send with a call inside of it, as of a library that sends by others' calls; one leaves by an exception.
template <class Sink>
void make_calls(Sink& sink) {
    mpiprof::scope<operation::bcast, instrumentation<Sink>> outer{&sink, 3, {}};
    try {
        mpiprof::scope<operation::send, instrumentation<Sink>> inner{&sink, 3, {}};
        throw std::runtime_error{"from the call"};
    } catch (std::runtime_error const&) {
    }
    outer.stop();
    mpiprof::scope<operation::bcast, instrumentation<Sink>> again{&sink, 3, {}, outer.release()};
    mpiprof::scope<operation::recv, instrumentation<Sink>> unrecorded{nullptr, 3, {}};
}

std::vector<std::string> const expected_calls{
    "push mpi:bcast kind=collective bytes=-1 peer=-1 root=-1 tag=-1 comm=3",
    "push mpi:send kind=point-to-point bytes=-1 peer=-1 root=-1 tag=-1 comm=3", "pop", "pop"};

TEST(region, pushes_and_pops_in_pairs_around_calls) {
    region<live_profiler> sink;
    make_calls(sink);
    EXPECT_EQ(sink.profiler().log, expected_calls);
}

TEST(region, pushes_and_pops_beside_a_summary) {
    fanout<summary, region<live_profiler>> sink;
    make_calls(sink);
    EXPECT_EQ(sink.get<region<live_profiler>>().profiler().log, expected_calls);
}

TEST(region, has_times_of_the_instrumentations_clock) {
    region<timed_profiler> sink;
    auto const before = mpiprof::timing::steady::now();
    make_calls(sink);
    auto const after = mpiprof::timing::steady::now();
    ASSERT_EQ(sink.profiler().log.size(), 4U);
    auto last = before;
    for (auto const& line : {sink.profiler().log[0], sink.profiler().log[1]}) {
        auto const time = std::stoll(line.substr(line.rfind(' ')));
        EXPECT_GE(time, last);
        last = time;
    }
    EXPECT_LE(last, after);
}

}  // namespace
