// Every call, completion and phase with its times.
#pragma once

#include <mpiprof/core/concepts.hpp>
#include <mpiprof/sinks/per_thread.hpp>
#include <mpiprof/sinks/trace_shard.hpp>

#include <atomic>

namespace mpiprof::inline v1::sinks {

/// Where a trace asks which phases the calling thread is in, outermost first; set by the floor that keeps
/// them.
using open_phases_visitor = void (*)(void (*visit)(phase_id, void* context) noexcept, void* context) noexcept;
inline constinit std::atomic<open_phases_visitor> visit_open_phases{nullptr};

/// Writes down every record in memory of a fixed size, 32 bytes for most. What finds no room is counted, and
/// either is dropped or takes the room of the oldest records. Unsuccessful tests and probes that follow each
/// other are one record. Without memory it takes nothing.
class trace {
  public:
    static constexpr char const* name = "trace";

    [[gnu::always_inline]] void record(call const& record) noexcept {
        if (compact_record made; made.take(record)) [[likely]] {
            auto const key = trace_key_of(record);
            return write_call(record.begin, record.end, made.bytes, made.more, made.rest(), key.file,
                              key.place, key.scope);
        }
        // A copy, since the record itself would have to be in memory all the time.
        call const copy{record};
        write_wide(copy, copy.begin);
    }

    [[gnu::always_inline]] void complete(completion const& record) noexcept {
        if (compact_record made; made.take(record)) [[likely]] {
            auto const key = trace_key_of(record);
            return write_completion(record.posted, record.observed, record.waited, made.bytes, made.more,
                                    made.rest(), key.file, key.place, key.scope);
        }
        completion const copy{record};
        write_wide(copy, copy.observed);
    }

    /// The calling thread has entered a phase, at this time in ticks.
    void begin(phase_id phase, std::int64_t time) noexcept {
        bool told = false;
        auto* const mine = local(time, &told);
        if (mine != nullptr && !told) mine->begin_phase(phase, time);
    }

    /// The calling thread has left a phase; that may come while nothing else is recorded.
    void end(phase_id phase, std::int64_t time) noexcept {
        if (auto* const mine = local(time)) mine->end_phase(phase, time);
    }

    /// Phases may have begun that were not told.
    [[gnu::cold]] void refresh() noexcept {
        shards_.for_each([](trace_shard& each) { each.refresh(); });
    }

    /// Where to write to from now on; once. False where there is no room for what it needs in any case.
    [[gnu::cold]] bool keep_trace_in(trace_memory& memory) noexcept {
        auto const first = store_.names.use(memory);
        if (first == 0) return false;
        store_.chunks.use(memory, first);
        ready_.store(true, std::memory_order_release);
        return true;
    }

    /// Is there memory that it writes to?
    bool has_trace() const noexcept { return ready_.load(std::memory_order_acquire); }

    /// The tables and chunks, where there is memory.
    trace_store& store() noexcept { return store_; }

    /// Forgets what was written so far. Other threads may go on recording.
    void reset() noexcept {
        if (!has_trace()) return;
        store_.chunks.reset();
        shards_.reset();
    }

  private:
    // In one place of the program each. Words, not structs, are handed over: these would be written to memory
    // in parts and read as a whole, for which a processor waits.

    [[gnu::noinline]] void write_call(std::int64_t begin, std::int64_t end, std::int64_t bytes,
                                      std::int64_t more, std::uint64_t rest, char const* file,
                                      std::uint64_t place, std::uint64_t scope) noexcept {
        if (auto* const mine = local(begin)) {
            auto const made = compact_record::of(bytes, more, rest);
            mine->write({file, place, scope, made.root}, begin, end, made);
        }
    }

    [[gnu::noinline]] void write_completion(std::int64_t posted, std::int64_t observed, std::int64_t waited,
                                            std::int64_t bytes, std::int64_t more, std::uint64_t rest,
                                            char const* file, std::uint64_t place,
                                            std::uint64_t scope) noexcept {
        if (auto* const mine = local(observed))
            mine->write({file, place, scope}, posted, observed, waited,
                        compact_record::of(bytes, more, rest));
    }

    template <class Record>
    [[gnu::cold, gnu::noinline]] void write_wide(Record const& record, std::int64_t time) noexcept {
        if (auto* const mine = local(time)) mine->write_wide(record);
    }

    /// The calling thread's shard; nullptr where nothing can be written. The first record, which comes at
    /// this time, is preceded by the phases that the thread is in: then `told` is set.
    [[gnu::always_inline]] trace_shard* local(std::int64_t time, bool* told = nullptr) noexcept {
        if (!ready_.load(std::memory_order_acquire)) return nullptr;
        auto* const mine = shards_.local();
        if (mine != nullptr && mine->fresh()) [[unlikely]]
            enter(*mine, time, told);
        return mine;
    }

    [[gnu::cold, gnu::noinline]] void enter(trace_shard& mine, std::int64_t time, bool* told) noexcept {
        struct opening {
            trace_shard& shard;
            std::int64_t time;
        } context{mine, time};
        mine.enter(store_);
        auto const visit = visit_open_phases.load(std::memory_order_acquire);
        if (visit == nullptr) return;
        visit(
            [](phase_id phase, void* to) noexcept {
                auto const& at = *static_cast<opening*>(to);
                at.shard.is_in_phase(phase, at.time);
            },
            &context);
        if (told != nullptr) *told = true;
    }

    std::atomic<bool> ready_{false};
    trace_store store_;
    per_thread<trace_shard> shards_;
};

static_assert(completion_sink<trace>);

}  // namespace mpiprof::inline v1::sinks
