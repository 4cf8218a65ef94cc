// Sums per kind of call, in fixed memory.
#pragma once

#include <mpiprof/core/concepts.hpp>
#include <mpiprof/sinks/counter.hpp>
#include <mpiprof/sinks/fixed_table.hpp>
#include <mpiprof/sinks/per_thread.hpp>

namespace mpiprof::inline v1::sinks {

/// What the calls of one row of a summary have in common.
struct summary_key {
    mpiprof::operation operation = operation::none;
    mpiprof::operation request = operation::none;
    phase_id phase = 0;
    communicator_id communicator = unknown_communicator;
    char const* file = "";
    std::uint32_t line = 0;

    bool operator==(summary_key const&) const = default;

    std::uint64_t hash() const noexcept {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
        auto mixed =
            (static_cast<std::uint64_t>(operation) << 48 | static_cast<std::uint64_t>(request) << 32 | line) *
            odd;
        mixed = (mixed ^ mixed >> 29 ^ reinterpret_cast<std::uintptr_t>(file)) * odd;
        mixed = (mixed ^ mixed >> 29 ^ static_cast<std::uint64_t>(communicator) ^
                 static_cast<std::uint64_t>(phase) << 48) *
                odd;
        return mixed ^ mixed >> 32;
    }
};

/// Sums over the calls of one key. Unknown byte counts are counted, and add to no sum.
struct call_row {
    counter calls;
    counter failed;
    counter incomplete;
    counter estimated;
    counter sent;
    counter received;
    counter overhead;
    counter unknown;
    sample time;

    void add(call const& record) noexcept {
        calls.add(1);
        if ((record.flags & call_failed) != 0) failed.add(1);
        if ((record.flags & call_incomplete) != 0) incomplete.add(1);
        if ((record.flags & call_estimated) != 0) estimated.add(1);
        if (record.sent >= 0) sent.add(record.sent);
        if (record.received >= 0) received.add(record.received);
        if (record.sent < 0 || record.received < 0) unknown.add(1);
        overhead.add(record.overhead);
        time.add(record.end - record.begin);
    }
};

/// Sums over the completions of one key; `pending` is the time from posting to observed completion.
struct completion_row {
    counter completions;
    counter cancelled;
    counter received;
    counter taken_back;
    counter unknown;
    sample pending;

    void add(completion const& record) noexcept {
        completions.add(1);
        if (record.cancelled) cancelled.add(1);
        if (record.received >= 0) received.add(record.received);
        if (record.received < 0) unknown.add(1);
        taken_back.add(record.taken_back);
        pending.add(record.observed - record.posted);
    }
};

/// Adds up calls by operation, request, communicator, call site and phase, and completions likewise. Each
/// thread has room for `Capacity` kinds of calls and half as many of completions; what finds no room is added
/// up in one overflow row and so stays counted. Nothing is allocated after a thread's first record.
template <std::size_t Capacity>
class basic_summary {
  public:
    static constexpr char const* name = "summary";

    void record(call const& record) noexcept {
        if (auto* const mine = shards_.local()) {
            mine->calls[{record.operation, record.request, record.phase, record.communicator,
                         record.site.file(), record.site.line()}]
                .add(record);
        }
    }

    void complete(completion const& record) noexcept {
        if (auto* const mine = shards_.local()) {
            mine->completions[{record.operation, operation::none, record.phase, record.communicator,
                               record.site.file(), record.site.line()}]
                .add(record);
        }
    }

    /// Calls visit(summary_key, call_row) for each row of each thread: one key may come once a thread.
    template <class Visitor>
    void for_each_call(Visitor visit) const {
        shards_.for_each([&](shard const& each) { each.calls.for_each(visit); });
    }

    /// Calls visit(summary_key, completion_row) likewise.
    template <class Visitor>
    void for_each_completion(Visitor visit) const {
        shards_.for_each([&](shard const& each) { each.completions.for_each(visit); });
    }

    /// Calls visit(call_row, completion_row) for each thread's overflow rows.
    template <class Visitor>
    void for_each_overflow(Visitor visit) const {
        shards_.for_each(
            [&](shard const& each) { visit(each.calls.overflow(), each.completions.overflow()); });
    }

    /// Records lost because a thread found no memory for its rows.
    std::int64_t lost() const noexcept { return shards_.lost(); }

  private:
    struct shard {
        fixed_table<summary_key, call_row, Capacity> calls;
        fixed_table<summary_key, completion_row, Capacity / 2> completions;
    };

    per_thread<shard> shards_;
};

/// A summary of the default size: about 720 KiB a thread.
using summary = basic_summary<4096>;

static_assert(completion_sink<summary>);

}  // namespace mpiprof::inline v1::sinks
