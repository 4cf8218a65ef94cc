// How a trace lies in memory, and in a file: tables of what its records have in common, and chunks of
// records. All of it is in the byte order and the types of the machine that wrote it.
#pragma once

#include <mpiprof/core/call.hpp>
#include <mpiprof/core/completion.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mpiprof::inline v1::sinks {

/// What a slot of a chunk holds.
enum class trace_slot : std::uint8_t {
    base,       ///< the time from which the slots after it count
    call,       ///< one call
    wide_call,  ///< one call that fits in no single slot; the two slots after it belong to it
    /// Calls of one kind that found nothing (tests, probes), one after the other. The slot after it is the
    /// first of them, as it was before others followed, and belongs to it.
    repeated,
    completion,       ///< one request that completed
    wide_completion,  ///< one that fits in no single slot; the two slots after it belong to it
    phase_begin,      ///< the thread enters the phase that its kind names
    phase_end,        ///< it leaves that phase
};

/// Which byte counts of a record `bytes` and `more` are. The counts that they do not name are 0, the capacity
/// and a completion's `sent` not_applicable.
enum class trace_bytes : std::uint8_t {
    sent,
    received,
    capacity,
    written,
    read,
    taken_back,  ///< of a completion, which is cancelled
    both,        ///< `bytes` were sent and `more` received; peer and tag do not apply
};

/// Of a message: as call::peer and call::tag.
struct trace_envelope {
    std::int32_t peer = not_applicable;
    std::int32_t tag = not_applicable;
};

/// A record, or the first part of one. Times are ticks of the clock; `begin` counts from the last `base` slot
/// before it in its chunk, or else from the chunk's base.
struct trace_record {
    trace_slot type = trace_slot::base;
    trace_bytes bytes_are = trace_bytes::sent;
    /// Number of a row of the table of kinds.
    std::uint16_t kind = 0;
    /// Begin of a call, of the first of repeated ones, or of a phase; end of a phase; end of the call that
    /// observed a completion.
    std::int32_t begin = 0;
    /// From begin to end of a call, to the end of the last of repeated ones; from the posting of a request to
    /// its observed completion.
    std::uint32_t duration = 0;
    union {
        /// Of a call: its call_flags.
        std::uint32_t flags = 0;
        /// Of repeated calls: how many.
        std::uint32_t count;
        /// Of a completion, as completion::waited.
        std::uint32_t waited;
    };
    union {
        trace_envelope message = {};
        std::int64_t more;
    };
    union {
        std::int64_t bytes = 0;
        /// Of a `base` slot: ticks.
        std::int64_t base;
        /// Of repeated calls: ticks inside of them.
        std::int64_t inside;
    };
};

/// What follows a `wide_call`, whose kind, flags, peer and tag stand in its first slot; times are absolute.
struct trace_wide_call {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t sent;
    std::int64_t received;
    std::int64_t capacity;
    std::int64_t overhead;
    std::int64_t written;
    std::int64_t read;
};

/// What follows a `wide_completion`; as of a call.
struct trace_wide_completion {
    std::int64_t posted;
    std::int64_t observed;
    std::int64_t waited;
    std::int64_t received;
    std::int64_t read;
    std::int64_t sent;
    std::int64_t taken_back;
    std::int64_t cancelled;
};

static_assert(sizeof(trace_record) == 32);
static_assert(sizeof(trace_wide_call) == 2 * sizeof(trace_record));
static_assert(sizeof(trace_wide_completion) == 2 * sizeof(trace_record));

/// Records of one thread, in the order in which they were made: that of the ends of calls.
struct trace_chunk {
    static constexpr std::size_t slots = 2046;

    enum class use : std::uint32_t {
        free,  ///< as a chunk of zeros is
        open,  ///< a thread writes to it
        full,  ///< no thread does
        spilling,
    };

    std::atomic<use> state{use::free};
    /// Number of the thread's row in the table of threads.
    std::uint32_t thread = 0;
    /// How many-th chunk it is that was taken, from 1: the order of a thread's chunks.
    std::uint64_t number = 0;
    std::int64_t base = 0;
    /// Records that the thread lost before this chunk, since its last one.
    std::uint64_t dropped = 0;
    /// How many slots are in use.
    std::atomic<std::uint32_t> used{0};
    /// How many calls, completions and phases they make, once the chunk is full.
    std::uint32_t count = 0;
    std::uint32_t unused[6] = {};
    trace_record records[slots];
};

static_assert(sizeof(trace_chunk) == 65536);

/// What calls, completions and phases have in common; of a phase, the operation is `none`.
struct trace_kind {
    std::uint16_t operation = 0;
    std::uint16_t request = 0;
    std::int32_t root = not_applicable;
    communicator_id communicator = unknown_communicator;
    /// Places in the texts.
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t phase = 0;
    std::uint32_t unused = 0;
};

/// A communicator that kinds name.
struct trace_communicator {
    communicator_id id = unknown_communicator;
    communicator_id parent = unknown_communicator;
    /// Of the process's own group, and of the remote one of an intercommunicator, else -1.
    std::int32_t size = not_applicable;
    std::int32_t remote_size = not_applicable;
    /// The process's rank in its own group; -1 if unknown.
    std::int32_t rank = not_applicable;
    /// Rank in the world of rank 0 of its own group, by which the two groups of an intercommunicator are told
    /// apart; -1 if unknown.
    std::int32_t first = not_applicable;
    std::uint32_t guessed = 0;
    /// Place in the texts.
    std::uint32_t name = 0;
};

/// A thread; another one may go on where it ended.
struct trace_thread {
    /// As gettid() has it.
    std::int64_t id = 0;
    /// Place in the texts.
    std::uint32_t name = 0;
    std::uint32_t unused = 0;
    /// Records that it lost, all in all.
    std::atomic<std::uint64_t> dropped{0};
};

/// Where one part of a trace lies: `used` rows, from `offset` bytes after the head's begin.
struct trace_part {
    std::uint64_t offset = 0;
    std::uint64_t row_size = 0;
    std::atomic<std::uint64_t> used{0};
};

/// The parts of a trace. Number 0 of the kinds and of the threads is what found no row of its own any more;
/// number 0 of the texts is "".
struct trace_parts {
    trace_part kinds;
    trace_part communicators;
    trace_part threads;
    /// Bytes; each text ends with a 0.
    trace_part texts;
    /// Chunks that were ever taken; free ones among them are passed over.
    trace_part chunks;
    /// The least number of a chunk that counts: what lies in others was to be forgotten.
    std::atomic<std::uint64_t> first{1};
    /// Records in chunks that were taken again for newer ones.
    std::atomic<std::uint64_t> overwritten{0};
};

}  // namespace mpiprof::inline v1::sinks
