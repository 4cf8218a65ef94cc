// The chunks of a trace, and which of them are free.
#pragma once

#include <mpiprof/sinks/trace_memory.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace mpiprof::inline v1::sinks {

/// Gives chunks to threads, and takes them back when they are full. There are as many as the memory has room
/// for; they come into being as they are needed.
class trace_chunks {
  public:
    /// Puts the chunks into the memory, from byte `first` on.
    [[gnu::cold]] void use(trace_memory& memory, std::size_t first) noexcept {
        memory_ = &memory;
        constexpr std::size_t page = 4096;
        first = (first + page - 1) / page * page;
        auto& part = memory.parts->chunks;
        part.offset = first;
        part.row_size = sizeof(trace_chunk);
        chunks_ = reinterpret_cast<trace_chunk*>(memory.begin + first);
        if (memory.size > first) capacity_ = (memory.size - first) / sizeof(trace_chunk);
    }

    /// False where `take` would find none.
    bool may_have_one() const noexcept {
        return memory_->keeps_newest || freed_.load(std::memory_order_relaxed) > 0 ||
               memory_->parts->chunks.used.load(std::memory_order_relaxed) <
                   capacity_.load(std::memory_order_relaxed);
    }

    /// A chunk for a thread to write to; nullptr where there is none.
    [[gnu::cold, gnu::noinline]] trace_chunk* take(std::uint32_t thread, std::int64_t base,
                                                   std::uint64_t dropped) noexcept {
        auto* chunk =
            freed_.load(std::memory_order_relaxed) > 0 ? take_used(trace_chunk::use::free) : nullptr;
        if (chunk == nullptr) chunk = make();
        if (chunk == nullptr && memory_->keeps_newest) chunk = take_used(trace_chunk::use::full);
        if (chunk == nullptr) return nullptr;
        chunk->thread = thread;
        chunk->base = base;
        chunk->dropped = dropped;
        chunk->count = 0;
        chunk->used.store(0, std::memory_order_relaxed);
        chunk->number = next_.fetch_add(1, std::memory_order_relaxed);
        return chunk;
    }

    /// Its thread will write no more to it.
    static void give_back(trace_chunk& chunk, std::uint32_t count) noexcept {
        chunk.count = count;
        chunk.state.store(trace_chunk::use::full, std::memory_order_release);
    }

    /// What is in it is not needed any more.
    void free(trace_chunk& chunk) noexcept {
        chunk.state.store(trace_chunk::use::free, std::memory_order_release);
        freed_.fetch_add(1, std::memory_order_relaxed);
    }

    /// Forgets what is in all of them. Threads that have one give it back by `free`.
    [[gnu::cold]] void reset() noexcept {
        auto& parts = *memory_->parts;
        parts.first.store(next_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        parts.overwritten.store(0, std::memory_order_relaxed);
        for_each([this](trace_chunk& chunk) {
            auto full = trace_chunk::use::full;
            if (chunk.state.compare_exchange_strong(full, trace_chunk::use::spilling)) free(chunk);
        });
    }

    /// Calls visit(chunk) for all that there are, free ones too.
    template <class Visitor>
    void for_each(Visitor visit) const {
        auto const made = memory_->parts->chunks.used.load(std::memory_order_acquire);
        for (std::uint64_t i = 0; i < made; ++i) visit(chunks_[i]);
    }

  private:
    /// The next one in the order in which they were taken that is in this state.
    trace_chunk* take_used(trace_chunk::use state) noexcept {
        auto const made = memory_->parts->chunks.used.load(std::memory_order_acquire);
        for (std::uint64_t i = 0; i < made; ++i) {
            auto& chunk = chunks_[hint_.fetch_add(1, std::memory_order_relaxed) % made];
            auto expected = state;
            if (!chunk.state.compare_exchange_strong(expected, trace_chunk::use::open)) continue;
            auto const first = memory_->parts->first.load(std::memory_order_relaxed);
            if (state == trace_chunk::use::free) freed_.fetch_sub(1, std::memory_order_relaxed);
            else if (chunk.number >= first) memory_->parts->overwritten.fetch_add(chunk.count);
            return &chunk;
        }
        return nullptr;
    }

    trace_chunk* make() noexcept {
        auto& used = memory_->parts->chunks.used;
        // Where all are there, as when each record is dropped, without the lock.
        if (used.load(std::memory_order_relaxed) == capacity_.load(std::memory_order_relaxed)) return nullptr;
        std::lock_guard const lock{mutex_};
        auto const number = used.load(std::memory_order_relaxed);
        if (number == capacity_) return nullptr;
        if (number == reserved_) {
            // Some at once, since it is the system that is asked; at last one by one.
            constexpr std::uint64_t step = 16;
            auto wanted = number + std::min<std::uint64_t>(capacity_ - number, step);
            if (!reserve(wanted) && !reserve(wanted = number + 1)) {
                capacity_ = number;
                return nullptr;
            }
            reserved_ = wanted;
        }
        chunks_[number].state.store(trace_chunk::use::open, std::memory_order_relaxed);
        used.store(number + 1, std::memory_order_release);
        return chunks_ + number;
    }

    bool reserve(std::uint64_t chunks) noexcept {
        return memory_->reserve(memory_->parts->chunks.offset + chunks * sizeof(trace_chunk));
    }

    trace_memory* memory_ = nullptr;
    trace_chunk* chunks_ = nullptr;
    std::mutex mutex_;
    std::atomic<std::uint64_t> capacity_{0};
    std::uint64_t reserved_ = 0;
    std::atomic<std::uint64_t> next_{1};
    std::atomic<std::uint64_t> hint_{0};
    std::atomic<std::int64_t> freed_{0};
};

}  // namespace mpiprof::inline v1::sinks
