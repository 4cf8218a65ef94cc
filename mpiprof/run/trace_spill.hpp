// Full chunks of a trace, written to its file while the program runs.
#pragma once

#include <mpiprof/run/trace_output.hpp>
#include <mpiprof/sinks/trace_chunks.hpp>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <pthread.h>

namespace mpiprof::inline v1 {

/// A thread of ours that writes full chunks to a file and makes them free again. Threads that record neither
/// wait for it nor wake it: it looks by itself, every two milliseconds.
class trace_spill {
  public:
    /// Starts it, for a file whose chunks begin at byte `offset`. False where it cannot be.
    [[gnu::cold]] bool start(std::string const& finished, sinks::trace_chunks& chunks, std::uint64_t offset) {
        chunks_ = &chunks;
        offset_ = offset;
        if (!output_.open(finished)) return false;
        ::sigset_t all;
        ::sigset_t before;
        // The program's signals are for its own threads.
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before);
        running_ = ::pthread_create(&thread_, nullptr, &run, this) == 0;
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return running_;
    }

    /// The file that it writes to; it is open where anything was ever started.
    trace_output& output() noexcept { return output_; }

    /// Ends it. Returns how many chunks are in the file.
    std::uint64_t stop() noexcept {
        if (running_) {
            stopping_.store(true, std::memory_order_relaxed);
            ::pthread_join(thread_, nullptr);
            running_ = false;
        }
        return written_;
    }

  private:
    [[gnu::cold]] static void* run(void* self) noexcept {
        auto& spill = *static_cast<trace_spill*>(self);
        ::pthread_setname_np(::pthread_self(), "mpiprof trace");
        bool works = true;
        while (works && !spill.stopping_.load(std::memory_order_relaxed)) {
            ::timespec const pause{0, 2'000'000};
            ::nanosleep(&pause, nullptr);
            works = spill.write_full_ones();
        }
        return nullptr;
    }

    [[gnu::cold]] bool write_full_ones() noexcept {
        bool works = true;
        chunks_->for_each([&](sinks::trace_chunk& chunk) {
            auto state = sinks::trace_chunk::use::full;
            if (!works || !chunk.state.compare_exchange_strong(state, sinks::trace_chunk::use::spilling))
                return;
            works = output_.write_at(offset_ + written_ * sizeof chunk, &chunk, sizeof chunk);
            if (!works) return chunk.state.store(sinks::trace_chunk::use::full, std::memory_order_release);
            ++written_;
            chunks_->free(chunk);
        });
        return works;
    }

    trace_output output_;
    sinks::trace_chunks* chunks_ = nullptr;
    std::uint64_t offset_ = 0;
    std::uint64_t written_ = 0;
    ::pthread_t thread_{};
    bool running_ = false;
    std::atomic<bool> stopping_{false};
};

}  // namespace mpiprof::inline v1
