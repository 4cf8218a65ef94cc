#include <mpiprof/cli/read_shards.hpp>

#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/run/collect.hpp>
#include <mpiprof/run/job_key.hpp>
#include <mpiprof/run/parse_settings.hpp>
#include <mpiprof/timing/tsc.hpp>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <vector>

namespace mpiprof::inline v1::cli {

namespace {

using mpiprof::detail::text_of;

void check_head(shard_file_head const& head) {
    constexpr shard_file_head ours{};
    if (head.version != head.right_version || head.operations != ours.operations ||
        head.call_row_size != ours.call_row_size || head.completion_row_size != ours.completion_row_size ||
        head.peer_row_size != ours.peer_row_size) {
        throw input_error("shards of another version of mpiprof; read them with that version's command");
    }
    if (double const rate = head.rate; !(rate > 0 && rate < 1e9)) throw input_error("no rate of its clock");
    if (head.rank < 0 || head.world_size <= head.rank) {
        throw input_error("the process did not know its rank yet when it ended");
    }
}

/// The shards that are there; a file cut short has fewer than its head says.
std::vector<sinks::summary_view> shards_of(shard_file_head const& head, std::string_view bytes) {
    std::vector<sinks::summary_view> found;
    std::uint64_t const size = head.shard_size;
    std::uint64_t const begin = head.head_size;
    if (begin < sizeof head || begin > bytes.size() || begin % 8 != 0) return found;
    if (size < sizeof(sinks::summary_layout) || size % 8 != 0) return found;
    auto const there = std::min<std::uint64_t>(head.shards, (bytes.size() - begin) / size);
    for (std::uint64_t number = 0; number < there; ++number) {
        sinks::summary_view const shard{bytes.data() + begin + number * size};
        if (shard.fits(size) && !shard.outdated()) found.push_back(shard);
    }
    return found;
}

/// The time by the clock of the shards, which all processes of the machine share; -1 by any other.
std::int64_t ticks_now(std::string_view clock) {
    if (clock == timing::steady::name) return timing::steady::now();
    if (clock == timing::tsc::name && clock == timing::tsc::source()) return timing::tsc::now();
    return -1;
}

/// The call that a shard's thread is in, or was in; `now` is -1 if the process is dead.
void add_in_progress(results::profile& run, shard_file_head const& head, sinks::summary_view const& shard,
                     std::int64_t now) {
    auto const open = shard.open();
    if (open.operation() == operation::none) return;
    auto const nanoseconds = [&](std::int64_t ticks) {
        return static_cast<std::int64_t>(static_cast<double>(std::max<std::int64_t>(ticks, 0)) * head.rate);
    };
    // Before the thread's first call there was none.
    auto const before = std::max(shard.last(), head.start_ticks);
    auto& made = run.in_progress.append();
    made.rank = head.rank;
    made.operation = name(open.operation());
    made.file = shard.file_of(open);
    made.line = open.line();
    made.threads = 1;
    made.since = nanoseconds(before - head.start_ticks);
    made.duration = now < 0 ? -1 : nanoseconds(now - before);
}

}  // namespace

bool is_shard_file(std::string_view bytes) noexcept {
    return bytes.size() >= sizeof(shard_file_head) &&
           std::memcmp(bytes.data(), shard_file_head::right_magic, sizeof shard_file_head::right_magic) == 0;
}

results::profile read_shards(std::string_view bytes) {
    auto const& head = *reinterpret_cast<shard_file_head const*>(bytes.data());
    check_head(head);
    bool const running = is_running(head);
    results::profile run;
    std::int64_t const rank = head.rank;
    double const rate = head.rate;
    run.program = text_of(head.program);
    run.command = text_of(head.command);
    run.start = text_of(head.start);
    run.job = text_of(head.job);
    run.library = text_of(head.library);
    run.clock = text_of(head.clock);
    run.bytes = text_of(head.bytes);
    run.sink = text_of(head.sink);
    run.world_size = head.world_size;
    run.filters = text_of(head.filters);
    settings filters;
    // What it does not understand it leaves at nothing.
    static_cast<void>(parse_settings(run.filters, "", filters));
    run.left_out = detail::ranks_left_out(filters.ranks, run.world_size);
    run.ranks = run.unfinished = {{rank, rank}};
    if (running) run.running = run.ranks;
    run.hosts = {{text_of(head.host), 1}};

    auto const now = running ? ticks_now(run.clock) : -1;
    auto last = std::max(now, head.start_ticks);
    detail::row_collector collector{run, rank, rate};
    for (auto const& shard : shards_of(head, bytes)) {
        collector.add(shard);
        add_in_progress(run, head, shard, now);
        last = std::max(last, shard.last());
    }
    collector.finish();
    results::combine(run.in_progress);
    auto const run_time = static_cast<double>(last - head.start_ticks) * rate;
    run.run_time = results::over_ranks::of(static_cast<std::int64_t>(run_time), rank);
    return run;
}

}  // namespace mpiprof::inline v1::cli
