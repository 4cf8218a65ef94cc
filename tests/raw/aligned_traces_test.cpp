// Traces of ranks whose clocks differ, from their recording to their reading: cases CL4 and CL5.
#include "tests/raw/world.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mpiprof/raw.hpp>
#include <mpiprof/traces/trace.hpp>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr std::int64_t millisecond = 1'000'000;
constexpr std::int64_t second = 1'000 * millisecond;

/// The rank of this process, which its launcher tells before MPI runs.
int launched_rank() {
    for (auto const* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
        if (auto const* const rank = std::getenv(name)) return std::atoi(rank);
    }
    return 0;
}

/// The time on rank 1's machine: 10 s ahead, and faster by 500 parts in 10^6.
std::int64_t on_another_machine(std::int64_t time) {
    static std::int64_t const begin = time;
    return time + 10 * second + (time - begin) / 2000;
}

}  // namespace

/// In place of the C library's, so that all of the process, mpiprof included, reads its own machine's clock.
extern "C" int clock_gettime(clockid_t which, timespec* time) noexcept {
    static bool const is_elsewhere = launched_rank() == 1;
    auto const result = static_cast<int>(::syscall(SYS_clock_gettime, which, time));
    if (!is_elsewhere || which != CLOCK_MONOTONIC || result != 0) return result;
    auto const changed = on_another_machine(std::int64_t{time->tv_sec} * second + time->tv_nsec);
    *time = {static_cast<std::time_t>(changed / second), static_cast<long>(changed % second)};
    return 0;
}

namespace {

using mpiprof::operation;
using mpiprof::traces::clock_knowledge;
namespace sinks = mpiprof::sinks;

constexpr int round_trips = 200;

template <class Timing>
using traced = mpiprof::instrumentation<Timing, mpiprof::bytes::payload,
                                        sinks::fanout<sinks::summary, sinks::on_request<sinks::trace>>>;
using by_counter = traced<mpiprof::timing::tsc>;
using by_steady = traced<mpiprof::timing::steady>;
/// Of which the ranks do not know of each other.
using unsampled = mpiprof::instrumentation<mpiprof::timing::steady, mpiprof::bytes::payload, sinks::trace>;

mpiprof::settings settings_of(std::string const& name) {
    mpiprof::settings options;
    options.output = cases::in_test_directory(name + ".json");
    options.sinks = "trace";
    options.trace_size = std::int64_t{1} << 20;
    return options;
}

/// One message each way, with a tag of its own.
template <class Instrumentation>
void exchange(int tag) {
    auto world = mpiprof::profile<Instrumentation>(MPI_COMM_WORLD);
    int const other = 1 - cases::world_rank();
    int value = 0;
    if (other == 1) world.send(&value, 1, MPI_INT, other, tag);
    world.recv(&value, 1, MPI_INT, other, tag, MPI_STATUS_IGNORE);
    if (other == 0) world.send(&value, 1, MPI_INT, other, tag);
}

/// When a message was sent, and when it had been received.
struct message {
    std::int64_t sent = -1;
    std::int64_t received = -1;

    std::int64_t under_way() const { return received - sent; }
};

/// Records a run of two ranks, and lets rank 0 read the traces.
class aligned_traces : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (cases::world_size() != 2) return;
        mpiprof::profiler<by_counter> const counter{settings_of("counter")};
        mpiprof::profiler<by_steady> const steady{settings_of("steady")};
        mpiprof::recording_of<unsampled>.start(settings_of("unsampled"));
        for (int i = 0; i < round_trips; ++i) {
            exchange<by_counter>(i);
            exchange<by_steady>(i);
            exchange<unsampled>(i);
            std::this_thread::sleep_for(std::chrono::microseconds{500});
        }
        if (cases::world_rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds{100});
        mpiprof::profile<by_steady>(MPI_COMM_SELF).barrier();
        mpiprof::raw::detail::finish_run();
        PMPI_Barrier(MPI_COMM_WORLD);
    }

    void SetUp() override {
        if (cases::world_size() != 2) GTEST_SKIP() << "for 2 ranks";
        if (cases::world_rank() != 0) GTEST_SKIP() << "rank 0 reads";
    }

    static mpiprof::traces::trace read(std::string const& name) {
        auto const path = cases::in_test_directory(name);
        return mpiprof::traces::trace{{path + ".rank0.trace", path + ".rank1.trace"}};
    }

    /// The messages that a rank sent, by their tags.
    static std::map<int, message> messages_of(mpiprof::traces::trace const& run, std::uint32_t sender) {
        std::map<int, message> found;
        run.for_each([&](mpiprof::traces::event const& each) {
            if (each.type != mpiprof::traces::event_type::call) return;
            if (each.call.operation == operation::send && each.id.rank == sender)
                found[each.call.tag].sent = each.begin;
            if (each.call.operation == operation::recv && each.id.rank != sender)
                found[each.call.tag].received = each.end;
        });
        return found;
    }

    /// The least and the most that a rank's messages were under way.
    static std::pair<std::int64_t, std::int64_t> time_under_way(std::map<int, message> const& messages) {
        auto const [least, most] = std::ranges::minmax_element(
            messages, {}, [](auto const& each) { return each.second.under_way(); });
        return {least->second.under_way(), most->second.under_way()};
    }

    /// No message arrives before it was sent, beyond what the clocks may be off, and none takes as long as
    /// they differ: those sent first and those sent last.
    static void expect_aligned(std::string const& name) {
        auto const run = read(name);
        ASSERT_EQ(run.ranks().size(), 2U);
        std::int64_t bound = 0;
        for (auto const& each : run.ranks()) {
            // The counter is the machine's own, whatever clock_gettime says, and so the same one.
            bool const is_same = each.clock == "tsc" && each.number == 1;
            EXPECT_EQ(each.clock_known, is_same ? clock_knowledge::same : clock_knowledge::measured)
                << name << ", rank " << each.number;
            EXPECT_GE(each.clock_error, 0);
            bound += each.clock_error;
        }
        EXPECT_LT(bound, millisecond);
        for (std::uint32_t sender : {0U, 1U}) {
            auto const messages = messages_of(run, sender);
            ASSERT_EQ(messages.size(), std::size_t{round_trips});
            auto const [least, most] = time_under_way(messages);
            EXPECT_GE(least, -bound) << name << ", sent by rank " << sender;
            EXPECT_LT(least, millisecond);
            EXPECT_LT(most, second);
        }
    }
};

TEST_F(aligned_traces, CL5_by_the_counter) { expect_aligned("counter"); }

TEST_F(aligned_traces, CL5_by_the_monotonic_clock) { expect_aligned("steady"); }

// Else these tests would show nothing.
TEST_F(aligned_traces, without_samples_are_off_by_what_the_clocks_differ) {
    auto const run = read("unsampled");
    EXPECT_LT(time_under_way(messages_of(run, 1)).second, -9 * second);
    EXPECT_GT(time_under_way(messages_of(run, 0)).first, 9 * second);
}

TEST_F(aligned_traces, CL4_each_rank_ends_when_it_ended) {
    auto const run = read("steady");
    ASSERT_EQ(run.ranks().size(), 2U);
    EXPECT_GT(run.ranks()[1].end, run.ranks()[0].end + 50 * millisecond);
    run.for_each([&](mpiprof::traces::event const& each) {
        EXPECT_LE(each.end, run.ranks()[each.id.rank].end);
        EXPECT_GE(each.begin, run.ranks()[each.id.rank].begin);
    });
}

}  // namespace
