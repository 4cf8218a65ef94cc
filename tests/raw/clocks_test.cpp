// The ranks' clocks by rank 0's: all ranks of these tests read one clock, by which what was found out is
// judged.
#include "tests/raw/world.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <mpiprof/raw.hpp>
#include <mpiprof/raw/clock_exchange.hpp>
#include <thread>
#include <vector>

namespace {

using cases::world_rank;
using cases::world_size;
using mpiprof::clock_offset;
using mpiprof::clock_sample;
using mpiprof::timing::steady;
namespace sinks = mpiprof::sinks;

constexpr std::int64_t millisecond = 1'000'000;
constexpr std::int64_t second = 1'000 * millisecond;

/// A clock that is wrong: the machine's, from a moment on faster by so many parts in 10^6, and shifted.
struct wrong {
    using time_point = std::int64_t;
    static constexpr bool enabled = true;
    static constexpr char const* name = "wrong";

    static time_point now() noexcept { return at(steady::now()); }
    static std::int64_t nanoseconds(time_point from, time_point to) noexcept { return to - from; }

    /// What it shows when the machine's clock shows this.
    static time_point at(std::int64_t time) noexcept {
        return time + (time - begin) * faster / 1'000'000 + shift;
    }

    static inline std::int64_t begin = 0;
    static inline std::int64_t faster = 0;
    static inline std::int64_t shift = 0;
};

/// What is found out where the clock of each rank from 1 on is wrong by that much times its rank.
/// Each rank is on a machine of its own.
clock_offset compare_wrong_clocks(std::int64_t shift, std::int64_t faster, MPI_Comm comm = MPI_COMM_WORLD) {
    wrong::begin = steady::now();
    wrong::shift = shift * world_rank();
    wrong::faster = faster * world_rank();
    return mpiprof::raw::detail::compare_clocks<wrong>(comm, 1 + static_cast<unsigned>(world_rank()));
}

/// The sample is right within its bound, and that is small. Rank 0's clock is the machine's, as its ticks
/// are.
void expect_right(clock_sample const& sample) {
    EXPECT_LE(std::abs(sample.nanoseconds - sample.ticks), sample.error);
    EXPECT_GE(sample.error, 0);
    EXPECT_LT(sample.error, millisecond);
}

TEST(clocks, of_all_ranks_are_known_by_rank_0s) {
    for (auto const shift : {std::int64_t{0}, 10 * second, -10 * second}) {
        for (std::int64_t const faster : {0, 50, -50}) {
            auto const offset = compare_wrong_clocks(shift, faster);
            ASSERT_TRUE(offset.known());
            expect_right(mpiprof::detail::sample_clock<steady, wrong>(offset));
            if (world_rank() == 0) {
                EXPECT_EQ(offset.nanoseconds, 0);
                EXPECT_EQ(offset.error, 0);
            }
        }
    }
}

// A bound that is too large is of no use: here nothing but messages in memory takes time.
TEST(clocks, are_known_well) {
    auto least = INT64_MAX;
    for (int i = 0; i < 5; ++i) least = std::min(least, compare_wrong_clocks(10 * second, 0).error);
    EXPECT_LT(least, millisecond / 10);
}

// The clock went on running wrong since it was compared, which the bound allows for.
TEST(clocks, drift_after_they_were_compared) {
    auto const offset = compare_wrong_clocks(0, 50);
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    auto const sample = mpiprof::detail::sample_clock<steady, wrong>(offset);
    EXPECT_LE(std::abs(sample.nanoseconds - sample.ticks), sample.error);
    if (world_rank() > 0) {
        EXPECT_GT(sample.error, offset.error + 20 * millisecond / 1000 - 1);
    }
}

TEST(clocks, of_ranks_that_come_late) {
    if (world_rank() % 2 == 1) std::this_thread::sleep_for(std::chrono::milliseconds{20});
    expect_right(mpiprof::detail::sample_clock<steady, wrong>(compare_wrong_clocks(second, 50)));
}

TEST(clocks, of_ranks_in_another_order) {
    MPI_Comm reversed = MPI_COMM_NULL;
    PMPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &reversed);
    auto const offset = compare_wrong_clocks(second, 0, reversed);
    auto const expected = second * (world_size() - 1 - world_rank());
    EXPECT_LE(std::abs(offset.nanoseconds - expected), offset.error);
    PMPI_Comm_free(&reversed);
}

TEST(clocks, of_one_machine_are_one) {
    auto const offset = mpiprof::raw::detail::compare_clocks(MPI_COMM_WORLD);
    EXPECT_EQ(offset.nanoseconds, 0);
    EXPECT_EQ(offset.error, 0);
    EXPECT_TRUE(offset.same);
    auto const sample = mpiprof::detail::sample_clock<steady>(offset);
    EXPECT_LE(std::abs(sample.nanoseconds - sample.ticks), sample.error);
}

// As in containers with time namespaces of their own, which only the upper ranks are in.
TEST(clocks, of_one_machine_may_be_shown_shifted) {
    for (auto const shift : {second, -second}) {
        wrong::shift = world_rank() < 2 ? 0 : shift;
        wrong::faster = 0;
        auto const offset = mpiprof::raw::detail::compare_clocks<wrong>(MPI_COMM_WORLD, 1);
        EXPECT_LE(std::abs(offset.nanoseconds + wrong::shift), offset.error);
        EXPECT_EQ(offset.same, world_rank() < 2);
    }
}

// What is not known of the parent's clock is not known of the child's either.
TEST(clocks, are_known_through_the_parents) {
    mpiprof::raw::detail::told_time const parent{0, {second, 300, 0, false}, 1};
    auto const elsewhere = mpiprof::raw::detail::through_parent({50, 20, 7, false}, parent, 2);
    EXPECT_EQ(elsewhere.nanoseconds, second + 50);
    EXPECT_EQ(elsewhere.error, 320);
    EXPECT_EQ(elsewhere.when, 7);
    auto const beside = mpiprof::raw::detail::through_parent({15, 20, 7, false}, parent, 1);
    EXPECT_EQ(beside.nanoseconds, second);
    EXPECT_EQ(beside.error, 300);
    EXPECT_FALSE(beside.same);
    EXPECT_FALSE(mpiprof::raw::detail::through_parent({}, parent, 1).known());
}

TEST(clocks, of_machines_that_are_not_known_are_not_one) {
    wrong::shift = wrong::faster = 0;
    auto const offset = mpiprof::raw::detail::compare_clocks<wrong>(MPI_COMM_WORLD, 0);
    EXPECT_EQ(offset.same, world_rank() == 0);
    EXPECT_LE(std::abs(offset.nanoseconds), offset.error);
}

TEST(clocks, that_nothing_is_known_of_stay_unknown) {
    clock_offset const nothing;
    EXPECT_FALSE(nothing.known());
    EXPECT_EQ(nothing.error_at(second), -1);
}

/// A recording of its own for each number.
template <std::size_t Number>
using traced = mpiprof::instrumentation<
    steady, mpiprof::bytes::payload,
    sinks::fanout<sinks::basic_summary<8 * Number>, sinks::on_request<sinks::trace>>>;
using traced_alone = mpiprof::instrumentation<steady, mpiprof::bytes::payload, sinks::trace>;

mpiprof::settings settings_of(std::string const& name, std::string const& wanted) {
    mpiprof::settings options;
    options.output = cases::in_test_directory(name + ".json");
    options.sinks = wanted;
    options.trace_size = std::int64_t{1} << 20;
    return options;
}

/// The samples in this rank's trace; fails where there is no trace.
std::vector<clock_sample> samples_of(std::string const& name) {
    auto const path = cases::in_test_directory(name + ".rank" + std::to_string(world_rank()) + ".trace");
    mpiprof::trace_head head;
    std::ifstream file{path, std::ios::binary};
    file.read(reinterpret_cast<char*>(&head), sizeof head);
    EXPECT_TRUE(file.good()) << path;
    return {head.sample, head.sample + head.samples};
}

void expect_samples(std::string const& name, std::size_t count) {
    // One rank alone compares nothing.
    auto const samples = samples_of(name);
    EXPECT_EQ(samples.size(), world_size() == 1 ? 0 : count) << name;
    for (auto const& each : samples) expect_right(each);
    if (samples.size() < 2) return;
    EXPECT_GT(samples[1].ticks, samples[0].ticks + 20 * millisecond) << name;
}

// With receives of the program's own on the world that anything matches, at the start and at the end. Last,
// for it ends the run.
TEST(clocks, are_compared_at_the_start_and_at_the_end_where_all_ranks_trace) {
    std::array<char, 2> buffer{};
    std::array<MPI_Request, 2> pending{};
    for (std::size_t i = 0; i < pending.size(); ++i)
        PMPI_Irecv(&buffer[i], 1, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &pending[i]);

    bool const last = world_rank() == world_size() - 1;
    mpiprof::profiler<traced<1>> const all{settings_of("all", "summary+trace")};
    mpiprof::profiler<traced<2>> const some{settings_of("some", last ? "summary" : "summary+trace")};
    auto files = settings_of("files", "summary+trace");
    files.merge = mpiprof::merge_by::files;
    mpiprof::profiler<traced<3>> const by_file{files};
    auto few = settings_of("few", "summary+trace");
    few.ranks = std::to_string(world_size() - 1);
    mpiprof::profiler<traced<4>> const chosen{few};
    mpiprof::profiler<traced_alone> const alone{settings_of("alone", "")};
    // Known to no other rank, until the end.
    auto late = settings_of("late", "trace");
    late.merge = mpiprof::merge_by::collective;
    mpiprof::recording_of<traced<5>>.start(late);
    mpiprof::recording_of<traced<6>>.start(settings_of("bare", "trace"));
    // A second handle compares nothing again.
    mpiprof::profiler<traced<1>> const again;

    mpiprof::profile(MPI_COMM_WORLD, all).barrier();
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    mpiprof::raw::detail::finish_run();
    for (auto& each : pending) {
        int none = 1;
        PMPI_Test(&each, &none, MPI_STATUS_IGNORE);
        EXPECT_EQ(none, 0) << "it took a message of mpiprof's";
        PMPI_Cancel(&each);
        PMPI_Wait(&each, MPI_STATUS_IGNORE);
    }

    expect_samples("all", 2);
    if (!last) expect_samples("some", 0);
    expect_samples("files", 2);
    if (last) expect_samples("few", 2);
    expect_samples("alone", 2);
    expect_samples("late", 1);
    expect_samples("bare", 0);
}

}  // namespace
