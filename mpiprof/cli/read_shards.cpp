#include <mpiprof/cli/read_shards.hpp>

#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/run/collect.hpp>
#include <mpiprof/run/shard_layout.hpp>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <vector>

namespace mpiprof::inline v1::cli {

namespace {

/// A text of the head, which a broken file may leave without its end.
template <std::size_t Size>
std::string text_of(char const (&text)[Size]) {
    return {text, ::strnlen(text, Size)};
}

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
        if (shard.fits(size)) found.push_back(shard);
    }
    return found;
}

}  // namespace

bool is_shard_file(std::string_view bytes) noexcept {
    return bytes.size() >= sizeof(shard_file_head) &&
           std::memcmp(bytes.data(), shard_file_head::right_magic, sizeof shard_file_head::right_magic) == 0;
}

results::profile read_shards(std::string_view bytes) {
    auto const& head = *reinterpret_cast<shard_file_head const*>(bytes.data());
    check_head(head);
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
    run.ranks = run.unfinished = {{rank, rank}};
    run.hosts = {{text_of(head.host), 1}};

    auto last = head.start_ticks;
    detail::row_collector collector{run, rank, rate};
    for (auto const& shard : shards_of(head, bytes)) {
        collector.add(shard);
        last = std::max(last, shard.last());
    }
    collector.finish();
    auto const run_time = static_cast<double>(last - head.start_ticks) * rate;
    run.run_time = results::over_ranks::of(static_cast<std::int64_t>(run_time), rank);
    return run;
}

}  // namespace mpiprof::inline v1::cli
