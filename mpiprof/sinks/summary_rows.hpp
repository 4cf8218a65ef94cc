// The rows of a summary: what is kept of the calls, the completions and the messages of one key.
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/core/completion.hpp>
#include <mpiprof/sinks/counter.hpp>
#include <mpiprof/sinks/histogram.hpp>
#include <mpiprof/sinks/sample.hpp>

namespace mpiprof::inline v1::sinks {

/// What the calls of one row have in common, packed so that it is compared and hashed in a few instructions.
class summary_key {
  public:
    /// The key of no call.
    constexpr summary_key() noexcept = default;

    constexpr summary_key(mpiprof::operation operation, mpiprof::operation request, phase_id phase,
                          communicator_id communicator, call_site site) noexcept
        : file_{site.file()},
          place_{std::uint64_t{site.line()} << 32 |
                 std::uint64_t{static_cast<std::uint16_t>(operation)} << 16 |
                 std::uint64_t{static_cast<std::uint16_t>(request)}},
          scope_{static_cast<std::uint64_t>(communicator) << 16 | phase} {}

    /// The key of these words.
    constexpr summary_key(char const* file, std::uint64_t place, std::uint64_t scope) noexcept
        : file_{file},
          place_{place},
          scope_{scope} {}

    constexpr bool operator==(summary_key const&) const = default;

    /// The words that it is, beside the file.
    constexpr std::uint64_t place() const noexcept { return place_; }
    constexpr std::uint64_t scope() const noexcept { return scope_; }

    /// The same on whatever communicator.
    constexpr summary_key without_communicator() const noexcept {
        return {operation(), request(), phase(), unknown_communicator, call_site{file_, line()}};
    }

    /// The same in whatever phase.
    constexpr summary_key without_phase() const noexcept {
        return {operation(), request(), 0, communicator(), call_site{file_, line()}};
    }

    /// Only what was called on which communicator.
    constexpr summary_key without_place() const noexcept {
        return {operation(), request(), 0, communicator(), call_site{}};
    }

    /// Nothing but what was called.
    constexpr summary_key operation_alone() const noexcept {
        return {operation(), request(), 0, unknown_communicator, call_site{}};
    }

    [[gnu::always_inline]] std::uint64_t hash() const noexcept { return hash(file_, place_, scope_); }

    /// Of the key of these words.
    [[gnu::always_inline]] static std::uint64_t hash(char const* file, std::uint64_t place,
                                                     std::uint64_t scope) noexcept {
        // Reversed, so that communicators and phases change other bits than lines and operations do.
        return (reinterpret_cast<std::uintptr_t>(file) ^ place ^ __builtin_bswap64(scope)) *
               0x9e3779b97f4a7c15;
    }

    constexpr mpiprof::operation operation() const noexcept {
        return static_cast<mpiprof::operation>(place_ >> 16 & 0xffff);
    }
    constexpr mpiprof::operation request() const noexcept {
        return static_cast<mpiprof::operation>(place_ & 0xffff);
    }
    constexpr phase_id phase() const noexcept { return static_cast<phase_id>(scope_ & 0xffff); }
    /// 48 bits, or unknown_communicator.
    constexpr communicator_id communicator() const noexcept {
        auto const id = static_cast<communicator_id>(scope_ >> 16);
        return id == (communicator_id{1} << 48) - 1 ? unknown_communicator : id;
    }
    /// Valid in the process that made the key only.
    constexpr char const* file() const noexcept { return file_; }
    constexpr std::uint32_t line() const noexcept { return static_cast<std::uint32_t>(place_ >> 32); }

  private:
    char const* file_ = nullptr;
    std::uint64_t place_ = 0;
    std::uint64_t scope_ = 0;
};

/// The call that a thread is in, in one word, so that its parts are always of one call.
class open_call {
  public:
    static constexpr std::uint32_t no_text = (1U << 24) - 1;

    /// Of no call.
    constexpr open_call() noexcept = default;

    /// Out of what `word` gave.
    constexpr explicit open_call(std::int64_t word) noexcept : word_{static_cast<std::uint64_t>(word)} {}

    /// `text` is the place of the file's name in the text area, or `no_text`.
    constexpr open_call(mpiprof::operation operation, std::uint32_t text, std::uint32_t line) noexcept
        : word_{static_cast<std::uint64_t>(operation) << 52 | std::uint64_t{text} << 28 |
                (line & ((1U << 28) - 1))} {}

    constexpr std::int64_t word() const noexcept { return static_cast<std::int64_t>(word_); }
    /// `none` outside of calls.
    constexpr mpiprof::operation operation() const noexcept {
        auto const number = word_ >> 52;
        return number < operation_count ? static_cast<mpiprof::operation>(number) : mpiprof::operation::none;
    }
    constexpr std::uint32_t text() const noexcept { return word_ >> 28 & no_text; }
    constexpr std::uint32_t line() const noexcept { return word_ & ((1U << 28) - 1); }

  private:
    static_assert(operation_count < 1 << 12 && static_cast<int>(mpiprof::operation::none) == 0);

    std::uint64_t word_ = 0;
};

/// A file's name by its pointer, which is valid in the process that wrote it only.
struct file_key {
    char const* file = nullptr;

    constexpr bool operator==(file_key const&) const = default;

    std::uint64_t hash() const noexcept {
        return reinterpret_cast<std::uintptr_t>(file) * 0x9e3779b97f4a7c15;
    }
};

struct file_row {
    file_key key;
    std::uint32_t text = open_call::no_text;
};

/// A key, and the places of its names in the text area of its shard.
struct named_key {
    summary_key key;
    std::uint32_t file = 0;
    std::uint32_t phase = 0;
};

/// Sums over the calls of one key. Unknown byte counts are counted, and add to no sum.
struct call_row : named_key {
    /// Of the calls' times in nanoseconds; all calls are in it.
    histogram durations;
    sample time;
    /// Of the calls' messages in bytes, where they move one by themselves and its size is known.
    histogram sizes;
    counter sent;
    counter received;
    counter overhead;
    counter written;
    counter read;
    counter failed;
    counter incomplete;
    counter estimated;
    counter unknown;

    std::int64_t calls() const noexcept { return durations.total(); }

    /// Is it a call that succeeded, of known and exact bytes, with none beside the payload or of files?
    [[gnu::always_inline]] static bool is_ordinary(call const& record) noexcept {
        return (record.flags & ~(call_in_place | call_incomplete)) == 0 &&
               (record.sent | record.received) >= 0 && (record.overhead | record.written | record.read) == 0;
    }

    [[gnu::always_inline]] void add(call const& record) noexcept {
        durations.add(record.duration);
        time.add(record.end - record.begin);
        if (record.sent > 0) sent.add(record.sent);
        if (record.received > 0) received.add(record.received);
        if ((record.flags & call_incomplete) != 0) incomplete.add(1);
        if (!is_ordinary(record)) {
            bool const is_unknown = (record.sent | record.received | record.written | record.read) < 0;
            add_rest(record.flags, is_unknown, record.overhead, record.written, record.read);
        }
        if (auto const size = message_size(record); size >= 0) sizes.add(size);
    }

  private:
    /// -1 for a call that moved no message by itself.
    [[gnu::always_inline]] static std::int64_t message_size(call const& record) noexcept {
        auto const side = message_side_of(record.operation, record.request);
        bool const moves = side != message_side::none && side != message_side::arriving;
        bool const moved = moves && (record.flags & call_failed) == 0 && record.peer != null_process;
        return moved ? region_bytes(record) : -1;
    }

    void add_rest(unsigned flags, bool is_unknown, std::int64_t bytes_beside, std::int64_t to_files,
                  std::int64_t from_files) noexcept {
        if ((flags & call_failed) != 0) failed.add(1);
        if ((flags & call_estimated) != 0) estimated.add(1);
        if (is_unknown) unknown.add(1);
        overhead.add(bytes_beside);
        if (to_files > 0) written.add(to_files);
        if (from_files > 0) read.add(from_files);
    }
};

/// Sums over the completions of one key; `pending` is the time from posting to observed completion, and
/// `waited` what of it was spent in calls that waited.
struct completion_row : named_key {
    counter completions;
    sample pending;
    sample waited;
    /// Of the messages that arrived, in bytes, and of those that were sent without a call of their own.
    histogram sizes;
    counter received;
    counter read;
    counter cancelled;
    counter taken_back;
    counter unknown;

    [[gnu::always_inline]] void add(completion const& record) noexcept {
        completions.add(1);
        pending.add(not_negative(record.observed - record.posted));
        waited.add(not_negative(record.waited));
        if (record.taken_back != 0) taken_back.add(record.taken_back);
        if (record.cancelled) {
            cancelled.add(1);
            return;
        }
        if ((record.received | record.read) < 0) unknown.add(1);
        if (record.received > 0) received.add(record.received);
        if (record.read > 0) read.add(record.read);
        if (auto const size = message_size(record); size >= 0) sizes.add(size);
    }

  private:
    [[gnu::always_inline]] static std::int64_t not_negative(std::int64_t ticks) noexcept {
        return ticks > 0 ? ticks : 0;
    }

    /// -1 for one that brought no message of known size and sent none.
    [[gnu::always_inline]] static std::int64_t message_size(completion const& record) noexcept {
        if (record.peer == null_process) return -1;
        return completion_brings_message(record.operation) ? record.received : record.sent;
    }
};

/// A rank in a communicator, as the other side of messages.
struct peer_key {
    communicator_id communicator = unknown_communicator;
    std::int64_t peer = not_applicable;

    constexpr bool operator==(peer_key const&) const = default;

    constexpr std::uint64_t hash() const noexcept {
        return (static_cast<std::uint64_t>(communicator) + static_cast<std::uint64_t>(peer)) *
               0x9e3779b97f4a7c15;
    }
};

/// Messages to and from one peer. A message counts where its bytes do; one of unknown size adds no bytes.
struct peer_row {
    peer_key key;
    counter sends;
    counter sent;
    counter receives;
    counter received;

    /// The message that the call itself sent or received, or both.
    [[gnu::always_inline]] void add(call const& record) noexcept {
        auto const side = message_side_of(record.operation, record.request);
        if (side != message_side::received) add_sent(record.sent);
        if (side == message_side::received || side == message_side::both) add_received(record.received);
    }

    /// The message that a completion brought, or the one that its request sent without a call of its own; a
    /// cancelled send is taken back.
    [[gnu::always_inline]] void add(completion const& record) noexcept {
        if (record.cancelled) {
            sends.add(-1);
            sent.add(-record.taken_back);
        } else if (completion_brings_message(record.operation)) add_received(record.received);
        else add_sent(record.sent);
    }

  private:
    [[gnu::always_inline]] void add_sent(std::int64_t bytes) noexcept {
        sends.add(1);
        if (bytes > 0) sent.add(bytes);
    }

    [[gnu::always_inline]] void add_received(std::int64_t bytes) noexcept {
        receives.add(1);
        if (bytes > 0) received.add(bytes);
    }
};

}  // namespace mpiprof::inline v1::sinks
