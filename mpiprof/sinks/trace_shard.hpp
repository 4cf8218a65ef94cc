// What one thread writes of a trace.
#pragma once

#include <mpiprof/sinks/trace_chunks.hpp>
#include <mpiprof/sinks/trace_names.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

namespace mpiprof::inline v1::sinks {

/// What all threads of a trace share.
struct trace_store {
    trace_names names;
    trace_chunks chunks;
};

/// What a record that fits into one slot is made of, beside its key and its times.
struct compact_record {
    std::int64_t bytes = 0;
    /// A trace_envelope, or where `bytes_are` both the bytes received.
    std::int64_t more = 0;
    std::int32_t root = not_applicable;
    std::uint16_t flags = 0;
    trace_bytes bytes_are = trace_bytes::sent;

    /// All but the first two as one word, which is handed over in a register.
    [[gnu::always_inline]] std::uint64_t rest() const noexcept {
        return std::uint64_t{static_cast<std::uint32_t>(root)} << 32 | std::uint64_t{flags} << 16 |
               static_cast<std::uint64_t>(bytes_are);
    }
    [[gnu::always_inline]] static compact_record of(std::int64_t bytes, std::int64_t more,
                                                    std::uint64_t rest) noexcept {
        return {bytes, more, static_cast<std::int32_t>(rest >> 32), static_cast<std::uint16_t>(rest >> 16),
                static_cast<trace_bytes>(rest & 0xff)};
    }

    /// False where the call does not fit, whatever its times are. Much of it is known when the caller is
    /// compiled.
    [[gnu::always_inline]] bool take(call const& record) noexcept {
        root = record.root;
        flags = record.flags;
        more = std::bit_cast<std::int64_t>(trace_envelope{record.peer, record.tag});
        bool const of_files = (record.written | record.read) != 0;
        bool const has_capacity = record.capacity != not_applicable;
        if (!has_capacity && !of_files && record.overhead == 0) {
            if (record.received == 0) return put(trace_bytes::sent, record.sent);
            if (record.sent == 0) return put(trace_bytes::received, record.received);
            if (record.peer != not_applicable || record.tag != not_applicable) return false;
            more = record.received;
            return put(trace_bytes::both, record.sent);
        }
        if ((record.sent | record.received | record.overhead) != 0) return false;
        if (!of_files) return put(trace_bytes::capacity, record.capacity);
        if (has_capacity) return false;
        if (record.read == 0) return put(trace_bytes::written, record.written);
        return record.written == 0 && put(trace_bytes::read, record.read);
    }

    /// The same of a completion.
    [[gnu::always_inline]] bool take(completion const& record) noexcept {
        more = std::bit_cast<std::int64_t>(trace_envelope{record.peer, record.tag});
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

    /// Gives back what was taken.
    [[gnu::cold]] void give(call& record) const noexcept {
        auto const with = std::bit_cast<trace_envelope>(more);
        record.root = root;
        record.flags = flags;
        record.peer = bytes_are == trace_bytes::both ? not_applicable : with.peer;
        record.tag = bytes_are == trace_bytes::both ? not_applicable : with.tag;
        switch (bytes_are) {
        case trace_bytes::received:
            record.received = bytes;
            break;
        case trace_bytes::capacity:
            record.capacity = bytes;
            break;
        case trace_bytes::written:
            record.written = bytes;
            break;
        case trace_bytes::read:
            record.read = bytes;
            break;
        case trace_bytes::both:
            record.received = more;
            [[fallthrough]];
        default:
            record.sent = bytes;
        }
    }
    [[gnu::cold]] void give(completion& record) const noexcept {
        auto const with = std::bit_cast<trace_envelope>(more);
        record.peer = with.peer;
        record.tag = with.tag;
        record.cancelled = bytes_are == trace_bytes::taken_back;
        switch (bytes_are) {
        case trace_bytes::sent:
            record.sent = bytes;
            break;
        case trace_bytes::read:
            record.read = bytes;
            break;
        case trace_bytes::taken_back:
            record.taken_back = bytes;
            break;
        default:
            record.received = bytes;
        }
    }

  private:
    [[gnu::always_inline]] bool put(trace_bytes which, std::int64_t count) noexcept {
        bytes_are = which;
        bytes = count;
        return true;
    }
};

/// The key of a record's kind.
[[gnu::always_inline]] constexpr trace_key trace_key_of(call const& record) noexcept {
    return trace_key::of({record.operation, record.request, record.phase, record.communicator, record.site},
                         record.root);
}
[[gnu::always_inline]] constexpr trace_key trace_key_of(completion const& record) noexcept {
    return trace_key::of({record.operation, operation::none, record.phase, record.communicator, record.site},
                         not_applicable);
}

/// Turns the records of one thread into slots of chunks.
class trace_shard {
  public:
    /// Is it not known which phases the thread is in? Until then nothing is written.
    bool fresh() const noexcept { return fresh_.load(std::memory_order_relaxed); }

    /// Its thread may be in phases that were not told. Any thread may call it.
    void refresh() noexcept { fresh_.store(true, std::memory_order_relaxed); }

    /// Before the first record, and the next one after `refresh`: where to write to.
    [[gnu::cold]] void enter(trace_store& store) noexcept {
        if (store_ == nullptr) thread_ = store.names.add_thread();
        store_ = &store;
        told_ = 0;
        fresh_.store(false, std::memory_order_relaxed);
    }

    /// After `enter`, for each phase that the thread is in, outermost first: begins it where that was not
    /// told.
    [[gnu::cold]] void is_in_phase(phase_id which, std::int64_t time) noexcept {
        bool const known = told_ < open_count_ && open_[told_] == number_of(key_of(which));
        if (!known) begin_phase(which, time);
        ++told_;
    }

    /// The thread has ended, and another one goes on with what it left.
    [[gnu::cold]] void hand_on() noexcept {
        refresh();
        if (store_ == nullptr) return;
        leave_phases(last_time());
        if (!store_->names.tells_threads_apart()) return;
        if (chunk_ != nullptr) trace_chunks::give_back(*chunk_, count_);
        leave_chunk();
        thread_ = store_->names.add_thread();
    }

    /// Writes a call.
    [[gnu::always_inline]] void write(trace_key key, std::int64_t begin, std::int64_t end,
                                      compact_record const& made) noexcept {
        auto const length = static_cast<std::uint64_t>(end - begin);
        if (length > UINT32_MAX) return write_long(key, begin, end, made);
        auto* const slot = room(begin);
        if (slot == nullptr) return drop();
        put(*slot, trace_slot::call, key, begin, made);
        slot->duration = static_cast<std::uint32_t>(length);
        slot->flags = made.flags;
        bool const found_nothing = made.flags == call_incomplete;
        if (found_nothing && repeat(*slot, end)) return;
        publish(1);
        if (found_nothing) remember_run(begin);
    }

    /// The same of a completion.
    [[gnu::always_inline]] void write(trace_key key, std::int64_t posted, std::int64_t observed,
                                      std::int64_t waited, compact_record const& made) noexcept {
        auto const length = static_cast<std::uint64_t>(observed - posted);
        if (length > UINT32_MAX || static_cast<std::uint64_t>(waited) > UINT32_MAX)
            return write_long(key, posted, observed, waited, made);
        auto* const slot = room(observed);
        if (slot == nullptr) return drop();
        put(*slot, trace_slot::completion, key, observed, made);
        slot->duration = static_cast<std::uint32_t>(length);
        slot->waited = static_cast<std::uint32_t>(waited);
        publish(1);
    }

    /// Writes a call that fits in no single slot.
    [[gnu::cold]] void write_wide(call const& record) noexcept {
        put_wide(trace_slot::wide_call, trace_key_of(record), record.begin, record,
                 trace_wide_call{record.begin, record.end, record.sent, record.received, record.capacity,
                                 record.overhead, record.written, record.read});
    }

    [[gnu::cold]] void write_wide(completion const& record) noexcept {
        put_wide(trace_slot::wide_completion, trace_key_of(record), record.observed, record,
                 trace_wide_completion{record.posted, record.observed, record.waited, record.received,
                                       record.read, record.sent, record.taken_back, record.cancelled});
    }

    /// The thread has entered a phase.
    [[gnu::cold]] void begin_phase(phase_id which, std::int64_t time) noexcept {
        auto const kind = number_of(key_of(which));
        if (!put_phase(trace_slot::phase_begin, kind, time)) return;
        if (open_count_ < most_open) open_[open_count_++] = kind;
        else ++deeper_;
    }

    /// The thread has left a phase. Where its begin was not written, its end is not either.
    [[gnu::cold]] void end_phase(phase_id which, std::int64_t time) noexcept {
        auto const kind = number_of(key_of(which));
        if (deeper_ > 0) {
            --deeper_;
        } else {
            auto place = open_count_;
            while (place > 0 && open_[place - 1] != kind) --place;
            if (place == 0) return;
            std::copy(open_ + place, open_ + open_count_, open_ + place - 1);
            --open_count_;
        }
        put_phase(trace_slot::phase_end, kind, time);
    }

    /// For its thread: forgets what it has written.
    void clear() noexcept {
        if (chunk_ != nullptr) store_->chunks.free(*chunk_);
        leave_chunk();
        open_count_ = 0;
        deeper_ = 0;
        refresh();
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
    /// As if all slots were used.
    static constexpr std::uint32_t no_chunk = trace_chunk::slots;
    /// Slots that one record may need: a base, and three of a wide one.
    static constexpr std::uint32_t most_slots = 4;

    static trace_key key_of(phase_id phase) noexcept {
        return trace_key::of({operation::none, operation::none, phase, unknown_communicator, {}},
                             not_applicable);
    }

    /// False where there is no room.
    bool put_phase(trace_slot what, std::uint16_t kind, std::int64_t time) noexcept {
        auto* const slot = room(time);
        if (slot == nullptr) {
            drop();
            return false;
        }
        *slot = {};
        slot->type = what;
        slot->kind = kind;
        slot->begin = static_cast<std::int32_t>(time - base_);
        publish(1);
        return true;
    }

    void leave_phases(std::int64_t time) noexcept {
        for (; open_count_ > 0; --open_count_) put_phase(trace_slot::phase_end, open_[open_count_ - 1], time);
        deeper_ = 0;
    }

    /// The end of the last record in the chunk.
    std::int64_t last_time() const noexcept {
        auto time = base_;
        if (chunk_ == nullptr) return time;
        auto base = chunk_->base;
        for (std::uint32_t i = 0; i < used_; ++i) {
            auto const& slot = chunk_->records[i];
            switch (slot.type) {
            case trace_slot::base:
                base = slot.base;
                break;
            case trace_slot::repeated:
            case trace_slot::call:
                time = base + slot.begin + slot.duration;
                break;
            case trace_slot::wide_call:
            case trace_slot::wide_completion:
                // Begin and end, or posting and end, are the first words of both.
                std::memcpy(&time, reinterpret_cast<char const*>(&slot + 1) + sizeof time, sizeof time);
                break;
            default:
                time = base + slot.begin;
            }
            if (slot.type == trace_slot::repeated) ++i;
            if (slot.type == trace_slot::wide_call || slot.type == trace_slot::wide_completion) i += 2;
        }
        return time;
    }

    [[gnu::always_inline]] std::uint16_t number_of(trace_key key) noexcept {
        auto& kind = kinds_[key.hash() >> (64 - remembered_bits)];
        // Number 0, of a kind that has found no room, is that of an empty place too.
        if (kind.number == 0 || kind.key != key) [[unlikely]]
            remember(kind, key.file, key.place, key.scope, key.root);
        return kind.number;
    }

    [[gnu::cold, gnu::noinline]] void remember(remembered_kind& kind, char const* file, std::uint64_t place,
                                               std::uint64_t scope, int root) noexcept {
        trace_key const key{file, place, scope, root};
        kind = {key, store_->names.number_of(key)};
    }

    // A slot is filled where it lies: a copy would wait for its parts to be stored.
    [[gnu::always_inline]] void put(trace_record& slot, trace_slot type, trace_key key, std::int64_t time,
                                    compact_record const& made) noexcept {
        slot.type = type;
        slot.bytes_are = made.bytes_are;
        slot.kind = number_of(key);
        slot.begin = static_cast<std::int32_t>(time - base_);
        slot.more = made.more;
        slot.bytes = made.bytes;
    }

    /// Writes what would fit into a slot, but for its times.
    [[gnu::cold, gnu::noinline]] void write_long(trace_key key, std::int64_t begin, std::int64_t end,
                                                 compact_record const& made) noexcept {
        call record;
        name(record, key.key());
        record.request = key.key().request();
        record.begin = begin;
        record.end = end;
        made.give(record);
        write_wide(record);
    }
    [[gnu::cold, gnu::noinline]] void write_long(trace_key key, std::int64_t posted, std::int64_t observed,
                                                 std::int64_t waited, compact_record const& made) noexcept {
        completion record;
        name(record, key.key());
        record.posted = posted;
        record.observed = observed;
        record.waited = waited;
        made.give(record);
        write_wide(record);
    }

    template <class Record>
    static void name(Record& record, summary_key const& key) noexcept {
        record.operation = key.operation();
        record.phase = key.phase();
        record.communicator = key.communicator();
        record.site = call_site{key.file(), key.line()};
    }

    template <class Record, class Wide>
    void put_wide(trace_slot type, trace_key key, std::int64_t time, Record const& record,
                  Wide const& rest) noexcept {
        auto* const slot = room(time);
        if (slot == nullptr) return drop();
        *slot = {};
        slot->type = type;
        slot->kind = number_of(key);
        slot->message = {record.peer, record.tag};
        if constexpr (requires { record.flags; }) slot->flags = record.flags;
        std::memcpy(static_cast<void*>(slot + 1), &rest, sizeof rest);
        publish(3);
    }

    /// The next slot, with as many behind it as a record may need, in a chunk whose base is near this time;
    /// nullptr where there is no more room.
    [[gnu::always_inline]] trace_record* room(std::int64_t time) noexcept {
        if (used_ + most_slots > trace_chunk::slots) [[unlikely]] {
            if (!next_chunk(time)) return nullptr;
        }
        auto const distance = time - base_;
        if (distance != static_cast<std::int32_t>(distance)) [[unlikely]]
            put_base(time);
        return chunk_->records + used_;
    }

    void leave_chunk() noexcept {
        chunk_ = nullptr;
        used_ = no_chunk;
        run_ = no_run;
        dropped_ = 0;
    }

    [[gnu::cold, gnu::noinline]] bool next_chunk(std::int64_t time) noexcept {
        // Where there is none, that is soon known.
        if (chunk_ == nullptr && !store_->chunks.may_have_one()) return false;
        if (chunk_ != nullptr) trace_chunks::give_back(*chunk_, count_);
        run_ = no_run;
        count_ = 0;
        base_ = time;
        chunk_ = store_->chunks.take(thread_, time, dropped_);
        used_ = chunk_ == nullptr ? no_chunk : 0;
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
    [[gnu::always_inline]] void publish(std::uint32_t slots) noexcept {
        used_ += slots;
        ++count_;
        run_ = no_run;
        chunk_->used.store(used_, std::memory_order_release);
    }

    [[gnu::cold, gnu::noinline]] void drop() noexcept {
        ++dropped_;
        // Its only writer; but the number of those that found no row is shared, and may come out too low.
        auto& all = store_->names.dropped_by(thread_);
        all.store(all.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    /// The record written last found nothing, and may be the first of a run.
    void remember_run(std::int64_t begin) noexcept {
        run_ = used_ - 1;
        run_begin_ = begin;
    }

    /// Adds the call in the next slot, which ends at this time, to the run that the last record is, or
    /// begins. False where it does not go on with it.
    [[gnu::noinline]] bool repeat(trace_record const& made, std::int64_t end) noexcept {
        if (run_ == no_run) return false;
        auto& run = chunk_->records[run_];
        bool const begun = run.type == trace_slot::repeated;
        auto const& first = chunk_->records[begun ? run_ + 1 : run_];
        bool const same = first.kind == made.kind && first.bytes_are == made.bytes_are &&
                          first.bytes == made.bytes && first.more == made.more;
        auto const span = end - run_begin_;
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

    /// Phases whose begins were written and whose ends were not, outermost first; a program in more than
    /// these ends the inner ones in order.
    static constexpr std::uint32_t most_open = 64;

    std::atomic<bool> fresh_{true};
    std::uint32_t told_ = 0;
    std::uint32_t open_count_ = 0;
    std::uint32_t deeper_ = 0;
    std::uint16_t open_[most_open] = {};
    trace_store* store_ = nullptr;
    trace_chunk* chunk_ = nullptr;
    std::int64_t base_ = 0;
    std::uint32_t used_ = no_chunk;
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
