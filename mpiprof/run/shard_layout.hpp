// The file of shards that a process keeps while it runs.
#pragma once

#include <mpiprof/core/operation.hpp>
#include <mpiprof/run/process.hpp>
#include <mpiprof/sinks/summary_view.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace mpiprof::inline v1 {

namespace detail {

/// Copies as much as fits, terminated.
template <std::size_t Size>
void copy_text(char (&into)[Size], std::string_view text) noexcept {
    auto const length = text.copy(into, Size - 1);
    into[length] = '\0';
}

/// A text of the head, which a broken file may leave without its end.
template <std::size_t Size>
std::string text_of(char const (&text)[Size]) {
    return {text, ::strnlen(text, Size)};
}

}  // namespace detail

/// The head of the file; shards of `shard_size` bytes follow it, each beginning with its summary_layout. All
/// of it is in the byte order and the types of the machine and the version that wrote it. Whether its process
/// lives is known by `process` and `process_start`; nothing locks the file.
struct shard_file_head {
    static constexpr char right_magic[16] = "mpiprof-shards\n";
    static constexpr std::uint32_t right_version = 2;

    char magic[16] = {};
    std::uint32_t version = 0;
    /// Sizes of what the shards are made of, so that a reader knows whether they are what it knows.
    std::uint32_t operations = operation_count;
    std::uint32_t call_row_size = sizeof(sinks::call_row);
    std::uint32_t completion_row_size = sizeof(sinks::completion_row);
    std::uint32_t peer_row_size = sizeof(sinks::peer_row);
    std::uint32_t process = 0;
    std::uint64_t head_size = 0;
    std::atomic<std::uint64_t> shard_size{0};
    std::atomic<std::uint64_t> shards{0};
    /// -1 until they are known.
    std::atomic<std::int64_t> rank{-1};
    std::atomic<std::int64_t> world_size{-1};
    /// Of the clock: nanoseconds per tick as known by now, and ticks at the start.
    std::atomic<double> rate{1};
    std::int64_t start_ticks = 0;
    /// When the process started, as process_status has it.
    std::uint64_t process_start = 0;
    char start[32] = {};
    char clock[16] = {};
    char bytes[32] = {};
    char sink[64] = {};
    char host[256] = {};
    char library[256] = {};
    char program[256] = {};
    char command[4096] = {};
    /// As describe_filters gives them.
    char filters[1024] = {};
    /// As job_key() has it.
    char job[256] = {};
    /// Path of the run's profile, from the root.
    char output[4096] = {};
};

static_assert(std::atomic<double>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

}  // namespace mpiprof::inline v1
