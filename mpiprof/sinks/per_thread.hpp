// One shard of a sink for each thread.
#pragma once

#include <mpiprof/core/config.hpp>
#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/sinks/shard_memory.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::sinks {

/// Gives each thread a Shard of its own to write to, without a lock once the thread has it. A shard outlives
/// its thread and is handed on, counts and all, to the next one that starts; `for_each` visits all of them at
/// any time, so a Shard's data must be readable while its thread writes.
///
/// Shard: default-constructs empty, and has `clear()`. An optional `hand_on()` is called by the next thread
/// that gets it. An optional `outdate()`, called by any thread, marks one that is as good as empty and waits
/// for its thread to clear it.
///
/// A constant-initialised object may be used before any constructor ran.
template <class Shard>
class per_thread {
  public:
    constexpr per_thread() noexcept = default;
    per_thread(per_thread const&) = delete;
    per_thread& operator=(per_thread const&) = delete;

    /// Shards made from now on lie in this memory, which outlives every thread that records.
    void use(shard_memory& memory) noexcept {
        std::lock_guard const lock{mutex_};
        memory_ = &memory;
    }

    /// The calling thread's shard; nullptr when there is no memory for one.
    [[gnu::always_inline]] Shard* local() noexcept {
        auto* const mine = current();
        return mine != nullptr ? mine : attach();
    }

    /// The shard that `local` gave the calling thread, if it is the last one that any object gave it; else
    /// nullptr.
    [[gnu::always_inline]] Shard* current() const noexcept {
        if (last_.owner != id_.load(std::memory_order_relaxed)) [[unlikely]]
            return nullptr;
        // Spares its users a branch.
        if (last_.shard == nullptr) __builtin_unreachable();
        return last_.shard;
    }

    template <class Visitor>
    void for_each(Visitor visit) const {
        std::lock_guard const lock{mutex_};
        for (auto const& each : leases_) {
            if (each->period == id_.load(std::memory_order_relaxed)) visit(*each->shard);
        }
    }

    /// Empties all shards. What another thread adds meanwhile counts before or after; each such thread clears
    /// its shard by itself when it comes next, and until then nobody sees it.
    void reset() noexcept {
        std::lock_guard const lock{mutex_};
        lost_.store(0, std::memory_order_relaxed);
        if (id_.load(std::memory_order_relaxed) == 0) return;
        // Nobody finds it as the one used last.
        id_.store(++owners_, std::memory_order_relaxed);
        for (auto const& each : leases_) {
            if (!each->taken.load(std::memory_order_acquire)) bring_up_to_date(*each);
            else if constexpr (requires { each->shard->outdate(); }) each->shard->outdate();
        }
    }

    /// How often `local` found no memory: records that were lost.
    std::int64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

  private:
    struct lease {
        std::atomic<bool> taken{true};
        /// The number that the owner had when it was last cleared: what it has is of that time.
        std::uint64_t period = 0;
        /// In the memory that was given, or owned.
        Shard* shard = nullptr;
        std::unique_ptr<Shard> owned = nullptr;
    };

    /// What the thread used last. Its owner is a number, not an address, which another object may have later,
    /// and a new one after each reset.
    struct last_used {
        std::uint64_t owner = UINT64_MAX;
        Shard* shard = nullptr;
    };

    struct held {
        /// The first number that the owner had.
        std::uint64_t owner;
        std::shared_ptr<lease> shard;
    };

    /// The shards that a thread holds, given back when it ends.
    struct holdings {
        std::vector<held> all;
        ~holdings() {
            for (auto const& one : all) one.shard->taken.store(false, std::memory_order_release);
            last_ = {};
            ended_ = true;
        }
    };

    static holdings& mine() {
        static thread_local holdings of_this_thread;
        return of_this_thread;
    }

    [[gnu::cold, gnu::noinline]] Shard* attach() noexcept {
        mpiprof::detail::errno_kept const kept;
        MPIPROF_INTERNAL_TRY { return ended_ ? attach_late() : attach_thread(); }
        MPIPROF_INTERNAL_CATCH_ALL {
            lost_.fetch_add(1, std::memory_order_relaxed);
            last_ = {};
            return nullptr;
        }
    }

    Shard* attach_thread() {
        auto const known = first_id_.load(std::memory_order_relaxed);
        for (auto const& one : mine().all) {
            if (one.owner == known && known != 0) return use_again(*one.shard);
        }
        std::lock_guard const lock{mutex_};
        auto const id = number();
        mine().all.reserve(mine().all.size() + 1);
        auto const shard = take();
        mine().all.push_back({first_id_.load(std::memory_order_relaxed), shard});
        return remember(id, *shard);
    }

    /// For a thread whose thread_local objects are gone, as static destructors find the first one: the shard
    /// is never handed on.
    Shard* attach_late() {
        std::lock_guard const lock{mutex_};
        auto const id = number();
        return remember(id, *take());
    }

    /// The calling thread's own shard, which a reset may have outdated.
    Shard* use_again(lease& mine) noexcept {
        // Only this thread changes the period of a shard that it holds.
        auto const now = id_.load(std::memory_order_relaxed);
        if (mine.period == now) return remember(now, mine);
        std::lock_guard const lock{mutex_};
        bring_up_to_date(mine);
        return remember(mine.period, mine);
    }

    /// For whoever may write to the shard, under the mutex.
    void bring_up_to_date(lease& one) noexcept {
        auto const now = id_.load(std::memory_order_relaxed);
        if (one.period == now) return;
        one.shard->clear();
        one.period = now;
    }

    std::uint64_t number() noexcept {
        if (id_.load(std::memory_order_relaxed) == 0) {
            first_id_.store(++owners_, std::memory_order_relaxed);
            id_.store(first_id_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        }
        return id_.load(std::memory_order_relaxed);
    }

    static Shard* remember(std::uint64_t owner, lease const& shard) noexcept {
        last_ = {owner, shard.shard};
        return shard.shard;
    }

    std::shared_ptr<lease> take() {
        for (auto const& one : leases_) {
            bool free = false;
            if (!one->taken.compare_exchange_strong(free, true, std::memory_order_acquire)) continue;
            bring_up_to_date(*one);
            if constexpr (requires { one->shard->hand_on(); }) one->shard->hand_on();
            return one;
        }
        auto added = std::make_shared<lease>();
        if (memory_ != nullptr) {
            auto* const given = memory_->allocate(sizeof(Shard));
            if (given != nullptr) added->shard = ::new (given) Shard;
        }
        if (added->shard == nullptr) {
            added->owned = std::make_unique<Shard>();
            added->shard = added->owned.get();
        }
        added->period = id_.load(std::memory_order_relaxed);
        leases_.push_back(std::move(added));
        return leases_.back();
    }

    static inline std::atomic<std::uint64_t> owners_{0};
    static inline constinit thread_local last_used last_{};
    static inline constinit thread_local bool ended_ = false;

    std::atomic<std::uint64_t> id_{0};
    std::atomic<std::uint64_t> first_id_{0};
    std::atomic<std::int64_t> lost_{0};
    mutable std::mutex mutex_;
    shard_memory* memory_ = nullptr;
    std::vector<std::shared_ptr<lease>> leases_;
};

}  // namespace mpiprof::inline v1::sinks
