// The phases of this process.
#pragma once

#include <mpiprof/run/process.hpp>
#include <mpiprof/sinks/summary_shard.hpp>
#include <mpiprof/sinks/trace.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mpiprof::inline v1 {

/// The phases of this process by number, what is known of each, and which ones each thread is in.
///
/// A phase is scoped, and then its object ends it, or begun and ended by two calls. Such calls may be
/// unbalanced: an end that finds no begin on its thread does nothing; what was begun in a scoped phase ends
/// with that at the latest, and what a thread has begun ends with the thread. Both are counted.
class phase_registry {
  public:
    using clock = std::chrono::steady_clock;

    struct entry {
        std::string name;
        std::int64_t entered = 0;
        std::int64_t depth = 0;
        /// Nanoseconds inside, from the outermost entry on a thread to its end.
        std::int64_t time = 0;
    };

    /// What was not begun and ended in pairs.
    struct unbalanced {
        /// Ends without a begin.
        std::int64_t ends = 0;
        /// Begins without an end, so far.
        std::int64_t begins = 0;
    };

    /// Names one entry of a scoped phase; 0 names none.
    using ticket = std::uint64_t;

    /// The process's registry; never destroyed, since phases may end in static destructors.
    static phase_registry& instance() {
        static auto* const registry = new phase_registry;
        return *registry;
    }

    /// The name of a phase that has a number; the text stays.
    static char const* name_of(phase_id phase) noexcept {
        auto& self = instance();
        std::lock_guard const lock{self.mutex_};
        return self.entries_[phase].name.c_str();
    }

    /// Is told, on the thread itself, of a phase that a thread has entered (`begins`) or left.
    struct watcher {
        void (*tell)(void* context, phase_id phase, bool begins) noexcept = nullptr;
        void* context = nullptr;
    };

    /// From now on this one is told too. There is room for few, since each is an instrumentation's.
    void watch(watcher added) noexcept {
        std::lock_guard const lock{mutex_};
        auto const count = watcher_count_.load(std::memory_order_relaxed);
        if (count == std::size(watchers_)) return;
        watchers_[count] = added;
        watcher_count_.store(count + 1, std::memory_order_release);
    }

    /// Calls visit(phase, context) for each phase that the calling thread is in, outermost first.
    static void visit_open(void (*visit)(phase_id, void*) noexcept, void* context) noexcept {
        if (here_ == nullptr) return;
        // Only their own thread changes them.
        for (auto const& one : here_->opened)
            if (one.phase != nameless) visit(one.phase, context);
    }

    /// The calling thread enters a phase, which `end(ticket)` ends. A name ends at its first zero byte, as
    /// all texts of a profile do.
    ticket begin_scoped(std::string_view name) {
        auto const which = ++tickets_;
        begin(name, which);
        return which;
    }

    /// The calling thread enters a phase, which `end()` ends.
    void begin(std::string_view name) { begin(name, 0); }

    /// The same of a phase without a name: `end()` ends it, and it is in no profile.
    void begin_nameless() {
        std::lock_guard const lock{mutex_};
        enter(nameless, 0);
    }

    /// The calling thread leaves the scoped phase, and what was begun in it.
    void end(ticket which) noexcept {
        // What a thread is in is changed by itself alone.
        auto place = here_ == nullptr ? 0 : here_->opened.size();
        while (place > 0 && here_->opened[place - 1].which != which) --place;
        // It was begun on another thread.
        if (place == 0) return count_end();
        while (here_->opened.back().which == 0) {
            count_begin();
            end_at(here_->opened.size() - 1);
        }
        end_at(place - 1);
    }

    /// The calling thread leaves the phase that it began last.
    void end() noexcept {
        if (here_ == nullptr || here_->opened.empty() || here_->opened.back().which != 0) return count_end();
        end_at(here_->opened.size() - 1);
    }

    /// All phases so far, with the time up to now of those that threads are in; the one with number 0 is
    /// "outside any phase" and has no name.
    std::vector<entry> entries() const {
        std::lock_guard const lock{mutex_};
        std::vector<entry> all{entries_.begin(), entries_.end()};
        auto const now = clock::now();
        for (auto const* const each : threads_) {
            for (auto const& one : each->opened)
                if (one.phase != nameless) count(all[one.phase], one, now);
        }
        return all;
    }

    unbalanced unbalanced_calls() const {
        std::lock_guard const lock{mutex_};
        auto all = unbalanced_;
        for (auto const* const each : threads_) all.begins += begun(*each);
        return all;
    }

    /// Forgets times and counts. Phases that threads are in count from now on.
    void reset() {
        std::lock_guard const lock{mutex_};
        unbalanced_ = {};
        for (auto& each : entries_) each.entered = each.depth = each.time = 0;
        auto const now = clock::now();
        for (auto* const each : threads_) {
            for (auto& one : each->opened) one.begin = now;
        }
    }

  private:
    static constexpr phase_id last_phase = UINT16_MAX;
    static constexpr phase_id nameless = 0;

    /// A phase that a thread is in.
    struct open {
        clock::time_point begin;
        /// 0 if it is not scoped.
        ticket which;
        /// How many-th entry of its phase into itself.
        std::int64_t depth;
        phase_id phase;
        /// The thread's current phase before.
        phase_id outer;
    };

    /// What a thread is in, outermost first.
    struct thread {
        std::vector<open> opened;
        /// How deep it is in each phase.
        std::vector<std::int64_t> depths;
    };

    /// Ends a thread's phases when it ends; phases that come still later, in static destructors, make a new
    /// state.
    struct owner {
        ~owner() { instance().end_thread(); }
    };

    phase_registry() {
        sinks::phase_name.store(&name_of, std::memory_order_release);
        sinks::visit_open_phases.store(&visit_open, std::memory_order_release);
    }

    /// The number of the phase of this name, from 1. When the numbers are used up, all further names share
    /// the last one.
    phase_id find(std::string_view name) {
        std::string text{name.substr(0, name.find('\0'))};
        auto const found = ids_.find(text);
        if (found != ids_.end()) return found->second;
        if (entries_.size() > last_phase) return last_phase;
        auto const id = static_cast<phase_id>(entries_.size());
        entries_.push_back({id == last_phase ? "(other phases)" : text});
        if (id != last_phase) ids_.emplace(std::move(text), id);
        return id;
    }

    void enter(phase_id phase, ticket which) {
        if (here_ == nullptr) {
            threads_.reserve(threads_.size() + 1);
            here_ = new thread;
            threads_.push_back(here_);
            static thread_local owner const owns_it;
            static_cast<void>(&owns_it);
        }
        auto& mine = *here_;
        if (mine.depths.size() <= phase) mine.depths.resize(phase + std::size_t{1});
        mine.opened.push_back({clock::now(), which, mine.depths[phase] + 1, phase, current_phase});
        ++mine.depths[phase];
        if (phase != nameless) current_phase = phase;
    }

    void begin(std::string_view name, ticket which) {
        phase_id phase = nameless;
        {
            std::lock_guard const lock{mutex_};
            phase = find(name);
            enter(phase, which);
        }
        tell(phase, true);
    }

    void end_at(std::size_t place) noexcept {
        auto const phase = here_->opened[place].phase;
        {
            std::lock_guard const lock{mutex_};
            leave(*here_, place);
        }
        tell(phase, false);
    }

    /// Not under the lock, since those who are told ask for names.
    void tell(phase_id phase, bool begins) const noexcept {
        if (phase == nameless) return;
        auto const count = watcher_count_.load(std::memory_order_acquire);
        for (std::size_t i = 0; i < count; ++i) watchers_[i].tell(watchers_[i].context, phase, begins);
    }

    void count_end() noexcept {
        std::lock_guard const lock{mutex_};
        ++unbalanced_.ends;
    }

    void count_begin() noexcept {
        std::lock_guard const lock{mutex_};
        ++unbalanced_.begins;
    }

    /// Of the calling thread.
    void leave(thread& mine, std::size_t place) noexcept {
        auto const one = mine.opened[place];
        bool const innermost = place + 1 == mine.opened.size();
        // What was entered later than one that is left before it is now entered from outside that.
        if (innermost) current_phase = one.outer;
        else mine.opened[place + 1].outer = one.outer;
        --mine.depths[one.phase];
        if (one.phase != nameless) count(entries_[one.phase], one, clock::now());
        mine.opened.erase(mine.opened.begin() + static_cast<std::ptrdiff_t>(place));
    }

    static void count(entry& phase, open const& one, clock::time_point now) noexcept {
        ++phase.entered;
        phase.depth = std::max(phase.depth, one.depth);
        if (one.depth != 1) return;
        phase.time += std::chrono::duration_cast<std::chrono::nanoseconds>(now - one.begin).count();
    }

    static std::int64_t begun(thread const& of) noexcept {
        return std::count_if(of.opened.begin(), of.opened.end(),
                             [](open const& each) { return each.which == 0; });
    }

    void end_thread() noexcept {
        std::lock_guard const lock{mutex_};
        unbalanced_.begins += begun(*here_);
        while (!here_->opened.empty()) leave(*here_, here_->opened.size() - 1);
        threads_.erase(std::find(threads_.begin(), threads_.end(), here_));
        delete here_;
        here_ = nullptr;
    }

    static inline constinit thread_local thread* here_ = nullptr;

    mutable std::mutex mutex_;
    std::unordered_map<std::string, phase_id> ids_;
    // Entries keep their places.
    std::deque<entry> entries_{1};
    std::vector<thread*> threads_;
    unbalanced unbalanced_;
    std::atomic<ticket> tickets_{0};
    watcher watchers_[8] = {};
    std::atomic<std::size_t> watcher_count_{0};
};

}  // namespace mpiprof::inline v1
