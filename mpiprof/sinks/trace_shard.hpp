// What one thread writes of a trace.
#pragma once

#include <mpiprof/sinks/trace_chunks.hpp>
#include <mpiprof/sinks/trace_names.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace mpiprof::inline v1::sinks {

/// What all threads of a trace share.
struct trace_store {
    trace_names names;
    trace_chunks chunks;
};

/// Turns the records of one thread into slots of chunks.
class trace_shard {
  public:
    /// Has nothing been written since it was made, or cleared?
    bool fresh() const noexcept { return fresh_; }

    /// Before the first record: where to write to.
    [[gnu::cold]] void enter(trace_store& store) noexcept {
        if (store_ == nullptr) thread_ = store.names.add_thread();
        store_ = &store;
        fresh_ = false;
    }

    // Slots are filled where they lie: a copy would wait for its parts to be stored.

    [[gnu::always_inline]] void record(call const& record) noexcept {
        auto* const slot = room(record.begin);
        if (slot == nullptr) return drop();
        slot->kind = kind_of(record, record.request, record.root);
        slot->flags = record.flags;
        slot->message = {record.peer, record.tag};
        if (put_bytes(*slot, record) && put_length(*slot, record.begin, record.end)) {
            slot->type = trace_slot::call;
            slot->begin = static_cast<std::int32_t>(record.begin - base_);
            bool const found_nothing = record.flags == call_incomplete;
            if (found_nothing && repeat(*slot, record)) return;
            publish(1);
            if (found_nothing) remember_run(record.begin);
        } else {
            slot->type = trace_slot::wide_call;
            slot->message = {record.peer, record.tag};
            put_wide(slot, trace_wide_call{record.begin, record.end, record.sent, record.received,
                                           record.capacity, record.overhead, record.written, record.read});
        }
    }

    [[gnu::always_inline]] void complete(completion const& record) noexcept {
        auto* const slot = room(record.observed);
        if (slot == nullptr) return drop();
        slot->kind = kind_of(record, operation::none, not_applicable);
        slot->message = {record.peer, record.tag};
        bool const compact = put_bytes(*slot, record) && put_length(*slot, record.posted, record.observed) &&
                             record.waited >= 0 && record.waited <= UINT32_MAX;
        if (compact) {
            slot->type = trace_slot::completion;
            slot->waited = static_cast<std::uint32_t>(record.waited);
            slot->begin = static_cast<std::int32_t>(record.observed - base_);
            publish(1);
        } else {
            slot->type = trace_slot::wide_completion;
            put_wide(slot,
                     trace_wide_completion{record.posted, record.observed, record.waited, record.received,
                                           record.read, record.sent, record.taken_back, record.cancelled});
        }
    }

    /// The thread enters a phase (phase_begin), or leaves it (phase_end).
    void phase(trace_slot what, phase_id which, std::int64_t time) noexcept {
        summary_key const key{operation::none, operation::none, which, unknown_communicator, {}};
        auto* const slot = room(time);
        if (slot == nullptr) return drop();
        *slot = {};
        slot->type = what;
        slot->kind = number_of({key, not_applicable});
        slot->begin = static_cast<std::int32_t>(time - base_);
        publish(1);
    }

    /// For its thread: forgets what it has written.
    void clear() noexcept {
        if (chunk_ != nullptr) store_->chunks.free(*chunk_);
        chunk_ = nullptr;
        run_ = no_run;
        dropped_ = 0;
        fresh_ = true;
        if (store_ != nullptr) store_->names.dropped_by(thread_).store(0, std::memory_order_relaxed);
    }

  private:
    /// A kind that was found lately. A program calls from few places most of the time.
    struct remembered_kind {
        trace_key key;
        std::uint16_t number = 0;
    };
    static constexpr int remembered_bits = 8;
    static constexpr std::uint32_t no_run = UINT32_MAX;
    /// Slots that one record may need: a base, and three of a wide one.
    static constexpr std::uint32_t most_slots = 4;

    template <class Record>
    std::uint16_t kind_of(Record const& record, operation request, int root) noexcept {
        return number_of({{record.operation, request, record.phase, record.communicator, record.site}, root});
    }

    std::uint16_t number_of(trace_key const& key) noexcept {
        auto& kind = kinds_[key.hash() >> (64 - remembered_bits)];
        if (kind.number == 0 || kind.key != key) [[unlikely]]
            kind = {key, store_->names.number_of(key)};
        return kind.number;
    }

    /// Puts the record's one byte count, or two, into the slot. False where it has others.
    static bool put_bytes(trace_record& slot, call const& record) noexcept {
        auto const put = [&](trace_bytes which, std::int64_t bytes) {
            slot.bytes_are = which;
            slot.bytes = bytes;
            return true;
        };
        bool const of_files = (record.written | record.read) != 0;
        bool const has_capacity = record.capacity != not_applicable;
        if (!has_capacity && !of_files && record.overhead == 0) {
            if (record.received == 0) return put(trace_bytes::sent, record.sent);
            if (record.sent == 0) return put(trace_bytes::received, record.received);
            if (record.peer != not_applicable || record.tag != not_applicable) return false;
            slot.more = record.received;
            return put(trace_bytes::both, record.sent);
        }
        if ((record.sent | record.received | record.overhead) != 0) return false;
        if (!of_files) return put(trace_bytes::capacity, record.capacity);
        if (has_capacity) return false;
        if (record.read == 0) return put(trace_bytes::written, record.written);
        return record.written == 0 && put(trace_bytes::read, record.read);
    }

    static bool put_bytes(trace_record& slot, completion const& record) noexcept {
        auto const put = [&](trace_bytes which, std::int64_t bytes) {
            slot.bytes_are = which;
            slot.bytes = bytes;
            return true;
        };
        bool const sends = record.sent != not_applicable;
        if (record.cancelled) {
            bool const others = sends || (record.received | record.read) != 0;
            return !others && put(trace_bytes::taken_back, record.taken_back);
        }
        if (record.taken_back != 0) return false;
        if (sends) return (record.received | record.read) == 0 && put(trace_bytes::sent, record.sent);
        if (record.read == 0) return put(trace_bytes::received, record.received);
        return record.received == 0 && put(trace_bytes::read, record.read);
    }

    static bool put_length(trace_record& slot, std::int64_t begin, std::int64_t end) noexcept {
        auto const length = static_cast<std::uint64_t>(end - begin);
        slot.duration = static_cast<std::uint32_t>(length);
        return length <= UINT32_MAX;
    }

    template <class Wide>
    void put_wide(trace_record* slot, Wide const& rest) noexcept {
        std::memcpy(static_cast<void*>(slot + 1), &rest, sizeof rest);
        publish(3);
    }

    /// The next slot, with as many behind it as a record may need, in a chunk whose base is near this time;
    /// nullptr where there is no more room.
    trace_record* room(std::int64_t time) noexcept {
        if (used_ + most_slots > trace_chunk::slots || chunk_ == nullptr) [[unlikely]] {
            if (!next_chunk(time)) return nullptr;
        }
        auto const distance = time - base_;
        if (distance != static_cast<std::int32_t>(distance)) [[unlikely]]
            put_base(time);
        return chunk_->records + used_;
    }

    [[gnu::cold, gnu::noinline]] bool next_chunk(std::int64_t time) noexcept {
        if (chunk_ != nullptr) trace_chunks::give_back(*chunk_, count_);
        run_ = no_run;
        count_ = used_ = 0;
        base_ = time;
        chunk_ = store_->chunks.take(thread_, time, dropped_);
        if (chunk_ != nullptr) dropped_ = 0;
        return chunk_ != nullptr;
    }

    [[gnu::cold, gnu::noinline]] void put_base(std::int64_t time) noexcept {
        base_ = time;
        run_ = no_run;
        auto& slot = chunk_->records[used_];
        slot = {};
        slot.base = time;
        chunk_->used.store(++used_, std::memory_order_release);
    }

    /// What is in the next slots is there for readers now.
    void publish(std::uint32_t slots) noexcept {
        used_ += slots;
        ++count_;
        run_ = no_run;
        chunk_->used.store(used_, std::memory_order_release);
    }

    void drop() noexcept {
        ++dropped_;
        store_->names.dropped_by(thread_).fetch_add(1, std::memory_order_relaxed);
    }

    /// The record written last found nothing, and may be the first of a run.
    void remember_run(std::int64_t begin) noexcept {
        run_ = used_ - 1;
        run_begin_ = begin;
    }

    /// Adds the call in the next slot to the run that the last record is, or begins. False where it does not
    /// go on with it.
    bool repeat(trace_record const& made, call const& record) noexcept {
        if (run_ == no_run) return false;
        auto& run = chunk_->records[run_];
        bool const begun = run.type == trace_slot::repeated;
        auto const& first = chunk_->records[begun ? run_ + 1 : run_];
        bool const same = first.kind == made.kind && first.bytes_are == made.bytes_are &&
                          first.bytes == made.bytes && first.more == made.more;
        auto const span = record.end - run_begin_;
        if (!same || span > UINT32_MAX || run.count == UINT32_MAX) return false;
        auto const inside = std::int64_t{made.duration};
        if (!begun) {
            // Over `made`, which is not published.
            chunk_->records[used_] = run;
            chunk_->used.store(++used_, std::memory_order_release);
            run.inside = std::int64_t{run.duration};
            run.count = 1;
            run.type = trace_slot::repeated;
        }
        ++run.count;
        run.inside += inside;
        run.duration = static_cast<std::uint32_t>(span);
        return true;
    }

    bool fresh_ = true;
    trace_store* store_ = nullptr;
    trace_chunk* chunk_ = nullptr;
    std::int64_t base_ = 0;
    std::uint32_t used_ = 0;
    /// Records in the chunk.
    std::uint32_t count_ = 0;
    std::uint32_t thread_ = 0;
    /// The slot of the run of repeated calls that the last record is or begins, and its begin.
    std::uint32_t run_ = no_run;
    std::int64_t run_begin_ = 0;
    /// Records that were lost since the last chunk.
    std::uint64_t dropped_ = 0;
    remembered_kind kinds_[1 << remembered_bits];
};

}  // namespace mpiprof::inline v1::sinks
