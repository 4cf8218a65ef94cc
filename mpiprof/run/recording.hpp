// The process's recording state for one instrumentation.
#pragma once

#include <mpiprof/core/instrumentation.hpp>
#include <mpiprof/run/collect.hpp>
#include <mpiprof/run/process.hpp>
#include <mpiprof/run/settings.hpp>

#include <atomic>
#include <new>
#include <utility>

namespace mpiprof::inline v1 {

/// What a recording is, whatever its instrumentation. Recordings are never destroyed: handles to them, and
/// static destructors that communicate, come in any order.
class recording_base {
  public:
    recording_base(recording_base const&) = delete;
    recording_base& operator=(recording_base const&) = delete;

    /// Are calls to be recorded? This is the one branch that a profiled call pays when profiling is off at
    /// run time.
    bool active() const noexcept { return mode_.load(std::memory_order_relaxed) == mode::recording; }

    /// Stops recording until `resume`.
    void pause() noexcept {
        paused_.store(true, std::memory_order_relaxed);
        change(mode::recording, mode::paused);
    }

    void resume() noexcept {
        paused_.store(false, std::memory_order_relaxed);
        change(mode::paused, mode::recording);
    }

    bool stopped() const noexcept { return mode_.load(std::memory_order_relaxed) == mode::stopped; }

    /// Stops recording for good.
    void stop() noexcept { mode_.store(mode::stopped, std::memory_order_relaxed); }

    static constexpr std::uint64_t not_collective = UINT64_MAX;

    /// How many-th it is, from 0, of those that every rank of the world is known to record, which can be
    /// merged collectively; `not_collective` if it is not one.
    std::uint64_t collective_order() const noexcept { return collective_order_; }
    void set_collective() noexcept {
        std::lock_guard const lock{process::instance().mutex};
        if (collective_order_ == not_collective)
            collective_order_ = process::instance().collective_recordings++;
    }

    settings const& options() const noexcept { return details_->options; }

    /// Does it leave a profile at the end of the run?
    bool has_profile() const noexcept {
        return snapshot_ != nullptr && details_ != nullptr && !options().off;
    }

    /// The results so far, of this rank.
    results::profile snapshot() const {
        if (snapshot_ == nullptr || details_ == nullptr) return {};
        auto run = snapshot_(*this);
        auto const& place = process::instance().place;
        run.program = detail::program_name();
        run.command = detail::command_line();
        run.start = detail::utc_time(details_->start);
        run.library = place.library;
        run.world_size = place.world_size;
        run.ranks = {{place.rank, place.rank}};
        run.hosts = {{detail::host_name(), 1}};
        auto const elapsed = std::chrono::steady_clock::now() - details_->steady_start;
        run.run_time = results::over_ranks::of(
            std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count(), place.rank);
        return run;
    }

  protected:
    using snapshot_function = results::profile (*)(recording_base const&);

    explicit constexpr recording_base(snapshot_function function) noexcept : snapshot_{function} {}

    /// Is a call to start it, or to find that MPI runs by now? Not while it is paused or after its end.
    bool begins() const noexcept { return mode_.load(std::memory_order_acquire) < mode::recording; }

    /// Has it not started yet?
    bool unstarted() const noexcept { return mode_.load(std::memory_order_acquire) == mode::unstarted; }

    /// Enters the recording in the process's list. Call it under the process's mutex, with the sink in place.
    void begin() {
        details_ = new details{{}, std::chrono::system_clock::now(), std::chrono::steady_clock::now()};
        process::instance().recordings.push_back(this);
        mode_.store(mode::waiting, std::memory_order_release);
    }

    /// Takes the program's options, overruled by the environment's. What is recorded already stays.
    void configure(settings options, char const* sink_name) {
        if (char const* const text = std::getenv("MPIPROF")) {
            for (auto& line : parse_settings(text, sink_name, options)) {
                process::instance().add_message(std::move(line));
            }
        }
        options.off = options.off || options.sinks == "none";
        if (options.off) stop();
        if (options.start_paused) pause();
        details_->options = std::move(options);
    }

    /// Turns waiting into recording, or pausing, once the end of the MPI program will be seen. Returns
    /// whether a call made now is to be recorded; without MPI running calls of other communicators are.
    bool wake() noexcept {
        auto& shared = process::instance();
        bool const attached = shared.hooks.attach == nullptr || shared.hooks.attach();
        if (attached) {
            shared.say_messages();
            change(mode::waiting, paused_.load(std::memory_order_relaxed) ? mode::paused : mode::recording);
        }
        auto const now = mode_.load(std::memory_order_relaxed);
        return now == mode::recording || (now == mode::waiting && !paused_.load(std::memory_order_relaxed));
    }

  private:
    /// Waiting is recording with the end of the MPI program not yet hooked, because MPI does not run yet.
    enum class mode : unsigned char { unstarted, waiting, recording, paused, stopped };

    struct details {
        settings options;
        std::chrono::system_clock::time_point start;
        std::chrono::steady_clock::time_point steady_start;
    };

    void change(mode from, mode to) noexcept {
        mode_.compare_exchange_strong(from, to, std::memory_order_relaxed);
    }

    std::atomic<mode> mode_{mode::unstarted};
    std::atomic<bool> paused_{false};
    std::uint64_t collective_order_ = not_collective;
    snapshot_function snapshot_;
    details* details_ = nullptr;
};

/// The recording of one instrumentation: one object a process, `recording_of<I>`.
template <class Instrumentation>
class recording : public recording_base {
    using timing = typename Instrumentation::timing;
    using sink_type = typename Instrumentation::sink;

  public:
    constexpr recording() noexcept : recording_base{has_results<sink_type> ? &collect_here : nullptr} {}

    /// The sink; it is there once the recording started, and never destroyed.
    sink_type& sink() noexcept { return *std::launder(reinterpret_cast<sink_type*>(storage_)); }
    sink_type const& sink() const noexcept {
        return *std::launder(reinterpret_cast<sink_type const*>(storage_));
    }

    /// Is this call to be recorded? The first one starts the recording.
    bool ready() noexcept {
        if (active()) [[likely]]
            return true;
        return begins() && start_at_call();
    }

    /// Starts it, with the options of the first profiler, whose arguments make the sink. Where a call started
    /// it already, only the options are taken.
    template <class... Arguments>
    void start(settings options, Arguments&&... arguments) {
        std::lock_guard const lock{process::instance().mutex};
        if (configured_) return;
        if (unstarted()) create(std::forward<Arguments>(arguments)...);
        configure(std::move(options), sink_type::name);
        configured_ = true;
    }

  private:
    [[gnu::cold, gnu::noinline]] bool start_at_call() noexcept try {
        if constexpr (std::default_initializable<sink_type>) start_without_profiler();
        return !unstarted() && wake();
    } catch (...) {
        // No memory to record with: the program goes on without.
        return false;
    }

    void start_without_profiler() {
        std::lock_guard const lock{process::instance().mutex};
        if (!unstarted()) return;
        create();
        configure({}, sink_type::name);
    }

    template <class... Arguments>
    void create(Arguments&&... arguments) {
        ::new (static_cast<void*>(storage_)) sink_type(std::forward<Arguments>(arguments)...);
        begin();
    }

    static results::profile collect_here(recording_base const& base) {
        results::profile run;
        if constexpr (has_results<sink_type>) {
            auto const& self = static_cast<recording const&>(base);
            run.clock = timing::name;
            run.bytes = Instrumentation::bytes::name;
            run.sink = sink_type::name;
            collect(run, process::instance().place.rank, self.sink(), [](std::int64_t ticks) {
                return timing::nanoseconds(0, static_cast<typename timing::time_point>(ticks));
            });
        }
        return run;
    }

    alignas(sink_type) unsigned char storage_[sizeof(sink_type)] = {};
    bool configured_ = false;
};

template <class Instrumentation>
inline constinit recording<Instrumentation> recording_of{};

}  // namespace mpiprof::inline v1
