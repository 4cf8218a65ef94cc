// The process's recording state for one instrumentation.
#pragma once

#include <mpiprof/core/config.hpp>
#include <mpiprof/core/errno_kept.hpp>
#include <mpiprof/core/instrumentation.hpp>
#include <mpiprof/run/clock.hpp>
#include <mpiprof/run/clock_offset.hpp>
#include <mpiprof/run/collect.hpp>
#include <mpiprof/run/communicators.hpp>
#include <mpiprof/run/filters.hpp>
#include <mpiprof/run/job_key.hpp>
#include <mpiprof/run/output_file.hpp>
#include <mpiprof/run/outstanding.hpp>
#include <mpiprof/run/parse_settings.hpp>
#include <mpiprof/run/phase_registry.hpp>
#include <mpiprof/run/process.hpp>
#include <mpiprof/run/shard_file.hpp>
#include <mpiprof/run/trace_file.hpp>

#include <atomic>
#include <new>
#include <optional>
#include <pthread.h>
#include <utility>

namespace mpiprof::inline v1 {

/// What a recording is, whatever its instrumentation. Recordings are never destroyed: handles to them, and
/// static destructors that communicate, come in any order.
class recording_base {
  public:
    recording_base(recording_base const&) = delete;
    recording_base& operator=(recording_base const&) = delete;

    /// Stops recording until `resume`.
    void pause() noexcept {
        paused_.store(true);
        settle();
    }

    void resume() noexcept {
        // Phases that have begun meanwhile were not told to the sink.
        if (has_trace()) functions_.refresh(*this);
        paused_.store(false);
        change(mode::paused, active());
        settle();
    }

    bool paused() const noexcept { return paused_; }

    /// From now on it looks at each call whether it is to be recorded.
    void choose_calls() noexcept {
        chooses_.store(true);
        settle();
    }

    /// The hooks are there only now: whether MPI runs is to be asked again.
    void await_hooks() noexcept {
        change(mode::recording, mode::waiting);
        change(mode::choosing, mode::waiting);
        change(mode::paused, mode::waiting);
    }

    /// Are calls of kind `query` recorded too? Known once the recording is ready.
    bool records_queries() const noexcept { return queries_.load(std::memory_order_relaxed); }

    /// Do the settings leave this rank out? Known once the recording was ready while MPI runs.
    bool left_out() const noexcept { return left_out_; }

    bool stopped() const noexcept { return current_mode() == mode::stopped; }

    /// Stops recording for good.
    void stop() noexcept { mode_.store(mode::stopped, std::memory_order_relaxed); }

    /// The run has ended, and with it the recording; ranks that end later may still be waited for.
    void end() noexcept {
        stop();
        if (details_ != nullptr) details_->steady_end = std::chrono::steady_clock::now();
    }

    static constexpr std::uint64_t not_collective = UINT64_MAX;

    /// How many-th it is, from 0, of those that every rank of the world is known to record, which can be
    /// merged collectively; `not_collective` if it is not one.
    std::uint64_t collective_order() const noexcept { return collective_order_; }
    /// Returns whether it was none before.
    bool set_collective() noexcept {
        // What leaves nothing is no other rank's affair: a test may count its own calls.
        if (functions_.snapshot == nullptr && !can_trace()) return false;
        std::lock_guard const lock{process::instance().mutex};
        if (collective_order_ != not_collective) return false;
        collective_order_ = process::instance().collective_recordings++;
        return true;
    }

    settings const& options() const noexcept { return details_->options; }

    /// Does it leave a profile at the end of the run?
    bool has_profile() const noexcept {
        return functions_.snapshot != nullptr && details_ != nullptr && !options().off && sums_;
    }

    /// Does it leave a trace?
    bool has_trace() const noexcept { return trace_ != nullptr && !left_out_; }

    /// Can it leave one, if the settings want that? As on all ranks that have this recording.
    bool can_trace() const noexcept { return functions_.write_trace != nullptr; }

    /// Do the settings want one, maybe of other ranks only?
    bool wants_trace() const noexcept { return trace_ != nullptr; }

    /// Keeps with the trace what the clock is now by rank 0's.
    void add_clock_sample(clock_offset const& offset) noexcept {
        if (has_trace() && offset.known()) trace_->add_sample(functions_.sample_clock(offset));
    }

    /// The file that holds the trace until then; "" where there is none.
    std::string trace_source() const { return trace_ == nullptr ? std::string{} : trace_->path(); }

    /// Makes this rank's finished trace.
    results::written_file write_trace() {
        auto const file = functions_.write_trace(*this);
        if (file.error.empty()) trace_->remove();
        return file;
    }

    /// Takes the shards' file away, since the profile holds what was in them.
    void remove_shards() noexcept {
        if (shards_ != nullptr) shards_->remove();
    }

    /// The shards' file; "" where there is none.
    std::string shards_path() const { return shards_ == nullptr ? std::string{} : shards_->path(); }

    /// Forgets what was recorded so far. Other threads may go on recording.
    void reset() {
        std::lock_guard const lock{process::instance().mutex};
        if (details_ == nullptr) return;
        details_->start = std::chrono::system_clock::now();
        details_->steady_start = std::chrono::steady_clock::now();
        functions_.reset(*this);
    }

    /// The results so far, of this rank; nothing where the settings leave it out.
    results::profile snapshot() const {
        if (functions_.snapshot == nullptr || details_ == nullptr || left_out_) return {};
        std::lock_guard const lock{process::instance().mutex};
        auto run = functions_.snapshot(*this);
        auto const& place = process::instance().place;
        run.program = detail::program_name();
        run.command = detail::command_line();
        run.start = detail::utc_time(details_->start);
        run.job = detail::job_key();
        run.library = place.library;
        run.world_size = place.world_size;
        run.ranks = {{place.rank, place.rank}};
        run.filters = detail::describe_filters(options());
        run.left_out = detail::ranks_left_out(options().ranks, place.world_size);
        run.hosts = {{detail::host_name(), 1}};
        add_process_rows(run);
        detail::add_outstanding(run, place.rank);
        auto const end = details_->steady_end.value_or(std::chrono::steady_clock::now());
        auto const elapsed = end - details_->steady_start;
        run.run_time = results::over_ranks::of(
            std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count(), place.rank);
        return run;
    }

  protected:
    /// What depends on the instrumentation.
    struct functions {
        /// nullptr for a sink that no profile can be made of.
        results::profile (*snapshot)(recording_base const&);
        /// Empties the sink.
        void (*reset)(recording_base&);
        /// nullptr for a sink that does not trace.
        results::written_file (*write_trace)(recording_base&);
        void (*spill_trace)(recording_base&);
        void (*refresh)(recording_base&) noexcept;
        clock_sample (*sample_clock)(clock_offset const&) noexcept;
    };

    explicit constexpr recording_base(functions given) noexcept : functions_{given} {}

    /// Waiting is recording with the end of the MPI program not yet hooked, because MPI does not run yet;
    /// choosing is recording some calls and not others. What comes after recording records nothing: that is
    /// the one branch that a profiled call pays then.
    enum class mode : unsigned char { unstarted, waiting, choosing, recording, paused, stopped };

    mode current_mode() const noexcept { return mode_.load(std::memory_order_relaxed); }

    /// Has it not started yet?
    bool unstarted() const noexcept { return mode_.load(std::memory_order_acquire) == mode::unstarted; }

    /// Enters the recording in the process's list. Call it under the process's mutex, with the sink in place.
    void begin() {
        details_ = new details{{}, std::chrono::system_clock::now(), std::chrono::steady_clock::now()};
        auto& shared = process::instance();
        // The first of all: the preload library, if there is one, leaves our calls to us.
        if (shared.recordings.empty() && detail::preloaded() != nullptr)
            detail::preloaded()->add_nesting(detail::nesting_distance());
        if (shared.paused) pause();
        if (!shared.nestings.empty()) choose_calls();
        static int const at_fork = ::pthread_atfork(nullptr, nullptr, &enter_children);
        static_cast<void>(at_fork);
        shared.recordings.push_back(this);
        mode_.store(mode::waiting, std::memory_order_release);
    }

    /// Takes the program's options, overruled by the environment's. What is recorded already stays.
    void configure(settings options, char const* sink_name) {
        for (auto& line : check_settings(options)) process::instance().add_message(std::move(line));
        if (char const* const text = std::getenv("MPIPROF")) {
            for (auto& line : parse_settings(text, sink_name, options)) {
                process::instance().add_message(std::move(line));
            }
        }
        options.off = options.off || options.sinks == "none";
        if (options.off) {
            stop();
            remove_files();
        }
        if (options.start_paused && !process::instance().starts_running) pause();
        if (!options.include.empty() || !options.exclude.empty()) {
            filter_.choose(options.include, options.exclude);
            choose_calls();
        }
        queries_.store(options.queries, std::memory_order_relaxed);
        details_->options = std::move(options);
        note_output();
    }

    /// Opens the file for the sink's shards, once, and only if somebody may look for it: the run of a program
    /// without MPI ends in no report. nullptr where there is none.
    shard_file* open_shards(char const* clock, char const* bytes, char const* sink) {
        auto const& wanted = options().shards;
        if (shards_tried_ || stopped() || wanted == "none") return nullptr;
        if (process::instance().hooks.attach == nullptr) return nullptr;
        shards_tried_ = true;
        auto const folder = process_file::folder(wanted);
        static int const at_exit = std::atexit(&remove_useless_shards);
        static_cast<void>(at_exit);
        auto* const file = new shard_file;
        if (int const error = file->open(folder, own_name()); error != 0) {
            process::instance().add_message("mpiprof: cannot make '" + file->path() +
                                            "': " + std::strerror(error) +
                                            "; a run that is killed will leave nothing");
            delete file;
            return nullptr;
        }
        auto& head = file->head();
        detail::copy_text(head.clock, clock);
        detail::copy_text(head.bytes, bytes);
        detail::copy_text(head.sink, sink);
        detail::copy_text(head.filters, detail::describe_filters(options()));
        detail::copy_text(head.start, detail::utc_time(details_->start));
        shards_ = file;
        note_output();
        return file;
    }

    /// Opens the file for the sink's trace, once, and only if there will be an end of the run to write it at.
    /// nullptr where there is none.
    trace_file* open_trace(char const* clock, std::int64_t (*now)()) {
        if (trace_tried_ || stopped() || process::instance().hooks.attach == nullptr) return nullptr;
        trace_tried_ = true;
        auto const& wanted = options().shards;
        auto const folder = wanted == "none" ? wanted : process_file::folder(wanted);
        auto* const file = new trace_file;
        constexpr auto usual = std::int64_t{64} << 20;
        auto const size = static_cast<std::size_t>(options().trace_size == 0 ? usual : options().trace_size);
        file->keeps_newest = options().trace_keep == trace_keep::newest;
        if (int const error = file->open(folder, own_name(), size); error != 0) {
            process::instance().add_message("mpiprof: cannot make '" + file->path() +
                                            "': " + std::strerror(error) +
                                            "; a run that is killed will leave no trace");
        }
        if (file->begin == nullptr) {
            delete file;
            return nullptr;
        }
        detail::copy_text(file->head_of().clock, clock);
        auto const start = detail::utc_time(details_->start);
        // Making the file took some time.
        file->start_at(now(), start);
        trace_ = file;
        return file;
    }

    /// There will be no trace, for want of memory.
    void drop_trace() {
        trace_->remove();
        trace_ = nullptr;
        process::instance().add_message("mpiprof: no memory for a trace; there will be none");
    }

    /// The file that this rank's finished trace is to be.
    std::string trace_path() const {
        auto const rank = std::to_string(process::instance().place.rank);
        return detail::absolute_path(detail::trace_file_name(detail::output_path(options()), rank));
    }

    /// What a profile is made of is recorded, or not.
    void set_sums(bool sums) noexcept { sums_ = sums; }
    bool sums() const noexcept { return sums_; }

    /// Turns waiting into recording, or pausing, once the end of the MPI program will be seen. Returns
    /// whether a call made now is to be recorded; without MPI running calls of other communicators are.
    bool wake() noexcept {
        auto& shared = process::instance();
        bool const attached = shared.hooks.attach == nullptr || shared.hooks.attach();
        if (shared.over) {
            // No end of the program will come to write a profile.
            stop();
            remove_files();
            return false;
        }
        if (attached) {
            shared.say_messages();
            if (!detail::lists_rank(options().ranks, shared.place.rank)) {
                leave_out();
                return false;
            }
            if (shards_ != nullptr) detail::describe_place(shards_->head(), shared.place);
            place_trace();
            change(mode::waiting, paused_ ? mode::paused : active());
            settle();
        }
        auto const now = current_mode();
        return now <= mode::recording && !paused_;
    }

    /// Is a call of this operation, made now, one of those that are recorded?
    bool chooses(operation which) const noexcept {
        return filter_.records(which) && !process::instance().nestings.nested();
    }

    /// Is what a call that is not chosen completes recorded all the same?
    bool records_completions() const noexcept { return current_mode() == mode::choosing; }

    shard_file* shards() noexcept { return shards_; }
    trace_file* trace() noexcept { return trace_; }

    /// Is it written down now that a phase begins, or ends? Ends are during a pause too, since what began
    /// before it would not end else.
    bool takes_phases(bool begins) const noexcept {
        auto const now = current_mode();
        if (now == mode::unstarted || now == mode::stopped) return false;
        return !begins || !paused_;
    }

    /// At the exit of a process in which MPI never ran: no run ended, and nobody will ask.
    static void remove_useless_shards() noexcept {
        for (auto* const each : process::instance().recordings) {
            if (each->current_mode() == mode::waiting) each->remove_files();
        }
    }

  private:
    struct details {
        settings options;
        std::chrono::system_clock::time_point start;
        std::chrono::steady_clock::time_point steady_start;
        std::optional<std::chrono::steady_clock::time_point> steady_end = {};
    };

    /// In a forked child. The ranks of a job are its parents: a child records nothing, and its parent's
    /// shards are not touched.
    static void enter_children() noexcept {
        auto const& shared = process::instance();
        // Without MPI nobody writes anything.
        if (shared.hooks.attach == nullptr) return;
        for (auto* const each : shared.recordings) each->enter_child();
    }

    /// Before MPI runs, the child may be the one that starts it: then it begins anew, with a file of its own.
    void enter_child() noexcept {
        bool const begun = shards_ != nullptr && shards_->head().shards.load(std::memory_order_relaxed) > 0;
        // A trace has its memory for good.
        if (current_mode() != mode::waiting || begun || trace_ != nullptr) return stop();
        shards_ = nullptr;
        shards_tried_ = false;
        details_->start = std::chrono::system_clock::now();
        details_->steady_start = std::chrono::steady_clock::now();
    }

    /// Says in the shards where the profile would have gone.
    void note_output() {
        if (shards_ == nullptr) return;
        auto const path = detail::absolute_path(detail::output_path(options()));
        detail::copy_text(shards_->head().output, path);
    }

    void change(mode from, mode to) noexcept { mode_.compare_exchange_strong(from, to); }

    /// The mode in which calls are recorded.
    mode active() const noexcept { return chooses_ ? mode::choosing : mode::recording; }

    /// Readers of the trace shall know that calls are missing.
    void note_gaps() noexcept {
        if (trace_ != nullptr && (paused_ || chooses_)) trace_->head_of().has_gaps.store(1);
    }

    /// From a mode in which calls are recorded to the one that the flags say. Whoever sets a flag, or comes
    /// to such a mode, calls it then, so that of two threads the later one does it.
    void settle() noexcept {
        if (chooses_) change(mode::recording, mode::choosing);
        note_gaps();
        if (!paused_) return;
        change(mode::recording, mode::paused);
        change(mode::choosing, mode::paused);
    }

    /// This rank is none of those that are recorded.
    void leave_out() noexcept {
        left_out_ = true;
        stop();
        remove_files();
    }

    /// Nobody will want what is in them.
    void remove_files() noexcept {
        remove_shards();
        if (trace_ != nullptr) trace_->remove();
    }

    /// The rank is known, and with it where the trace goes.
    void place_trace() {
        std::lock_guard const lock{process::instance().mutex};
        // Several threads may come here at once.
        if (trace_ == nullptr || trace_placed_) return;
        trace_placed_ = true;
        detail::describe_place(trace_->head_of(), process::instance().place);
        detail::copy_text(trace_->head_of().output, trace_path());
        note_gaps();
        if (options().trace_spill) functions_.spill_trace(*this);
    }

    /// Of files of this process.
    static std::string own_name() {
        return detail::program_name() + ".mpiprof." + detail::host_name() + '.' + std::to_string(::getpid());
    }

    /// What the process's registries know, which all recordings share.
    static void add_process_rows(results::profile& run) {
        for (auto const& known : communicator_registry::instance().entries()) {
            run.communicators.push_back({known.id, known.name, known.size, known.parent, known.guessed, 1});
        }
        for (auto const& phase : phase_registry::instance().entries()) {
            if (phase.entered == 0) continue;
            run.phases.push_back({phase.name, phase.entered, phase.depth,
                                  results::over_ranks::of(phase.time, run.ranks.front().first)});
        }
        results::combine(run.phases);
        auto const unbalanced = phase_registry::instance().unbalanced_calls();
        run.unbalanced = {unbalanced.ends, unbalanced.begins};
    }

    std::atomic<mode> mode_{mode::unstarted};
    std::atomic<bool> paused_{false};
    std::atomic<bool> chooses_{false};
    std::atomic<bool> queries_{false};
    std::atomic<bool> left_out_{false};
    detail::operation_filter filter_;
    std::uint64_t collective_order_ = not_collective;
    shard_file* shards_ = nullptr;
    bool shards_tried_ = false;
    trace_file* trace_ = nullptr;
    bool trace_tried_ = false;
    bool trace_placed_ = false;
    bool sums_ = true;
    functions functions_;
    details* details_ = nullptr;
};

/// The recording of one instrumentation: one object a process, `recording_of<I>`.
template <class Instrumentation>
class recording : public recording_base {
    using timing = typename Instrumentation::timing;
    using sink_type = typename Instrumentation::sink;

  public:
    constexpr recording() noexcept
        : recording_base{{detail::summary_sink<sink_type> ? &collect_here : nullptr, &reset_here,
                          detail::tracing_sink<sink_type> ? &write_trace_here : nullptr,
                          detail::tracing_sink<sink_type> ? &spill_trace_here : nullptr,
                          detail::tracing_sink<sink_type> ? &refresh_here : nullptr,
                          &detail::sample_clock<timing>}} {}

    /// The sink; it is there once the recording started, and never destroyed.
    sink_type& sink() noexcept { return storage_.sink; }
    sink_type const& sink() const noexcept { return storage_.sink; }

    /// Is a call of this operation to be recorded? The first one starts the recording.
    bool ready(operation which) noexcept {
        auto const now = current_mode();
        if (now > mode::recording) return false;
        return now == mode::recording || decide(which);
    }

    /// Where completions go that a call observes which is not recorded; nullptr if they are not either.
    sink_type* completions() noexcept { return records_completions() ? &sink() : nullptr; }

    /// The calling thread goes into a call of MPI's, so that readers of the shards of a job that hangs see in
    /// which one. For the preload library. What is returned, if it is not nullptr, is to be set to 0 when the
    /// call has returned.
    [[gnu::always_inline]] sinks::counter* open_call([[maybe_unused]] operation which,
                                                     [[maybe_unused]] call_site site) noexcept {
        if constexpr (requires { sink().open_call(which, site); }) {
            auto const now = current_mode();
            if (now == mode::recording || now == mode::choosing || now == mode::paused)
                return sink().open_call(which, site);
        }
        return nullptr;
    }

    /// Starts it, with the options of the first profiler, whose arguments make the sink. Where a call started
    /// it already, only the options are taken.
    template <class... Arguments>
    void start(settings options, Arguments&&... arguments) {
        std::lock_guard const lock{process::instance().mutex};
        if (configured_) return;
        if (unstarted()) create(std::forward<Arguments>(arguments)...);
        configure(std::move(options), sink_type::name);
        set_up();
        configured_ = true;
    }

  private:
    /// `ready` of a recording that is not just recording.
    [[gnu::noinline]] bool decide(operation which) noexcept {
        return (records_completions() || start_at_call()) && chooses(which);
    }

    [[gnu::cold, gnu::noinline]] bool start_at_call() noexcept {
        detail::errno_kept const kept;
        MPIPROF_INTERNAL_TRY {
            if constexpr (std::default_initializable<sink_type>) start_without_profiler();
            if (unstarted()) return false;
            // A global profiler may have come before the hooks.
            keep_files();
            bool const record = wake();
            if (current_mode() != mode::waiting) note_rate();
            return record;
        }
        MPIPROF_INTERNAL_CATCH_ALL {
            // No memory to record with: the program goes on without.
            return false;
        }
    }

    void start_without_profiler() {
        std::lock_guard const lock{process::instance().mutex};
        if (!unstarted()) return;
        create();
        configure({}, sink_type::name);
        set_up();
    }

    /// Does what the options say. A call that came before a profiler has had it done already.
    void set_up() {
        choose_clock();
        auto wanted = this->options().sinks;
        if (wanted.empty() && this->options().trace_size > 0 && detail::has_word(sink_type::name, "trace"))
            wanted = sink_names() + "+trace";
        if constexpr (requires { sink().pick([](std::string_view) { return true; }); }) {
            if (!wanted.empty())
                sink().pick([&](std::string_view name) { return detail::has_word(wanted, name); });
        }
        if constexpr (requires { sink().picks([](auto const&) { return true; }); }) {
            this->set_sums(sink().picks([]<class Sink>(Sink const&) { return detail::summary_sink<Sink>; }));
        }
        keep_files();
        is_set_up_ = true;
    }

    /// Has the sink keep what it records in files from now on.
    void keep_files() {
        if (this->sums()) keep_shards();
        keep_trace();
    }

    void keep_trace() {
        if constexpr (detail::tracing_sink<sink_type>) {
            std::lock_guard const lock{process::instance().mutex};
            if (!traces_wanted()) return;
            constexpr auto now = +[] { return static_cast<std::int64_t>(timing::now()); };
            auto* const file = this->open_trace(detail::clock_of<timing>::source(), now);
            if (file != nullptr && !sink().keep_trace_in(*file)) this->drop_trace();
        }
    }

    /// Does the part of the sink that traces get records?
    bool traces_wanted() const {
        auto const traces = []<class Sink>(Sink const&) { return detail::tracing_sink<Sink>; };
        if constexpr (requires { sink().picks(traces); }) return sink().picks(traces);
        else return detail::tracing_sink<sink_type>;
    }

    /// Ticks that were added up already cannot become those of another clock.
    void choose_clock() {
        using clock = detail::clock_of<timing>;
        auto& shared = process::instance();
        clock::prepare();
        if (this->options().clock == clock_by::steady && clock::source() != std::string_view{"steady"}) {
            if (!is_set_up_ && shared.recordings.size() == 1) clock::fall_back();
            else
                shared.add_message("mpiprof: clock=steady comes too late; the clock stays " +
                                   std::string{clock::source()});
        } else if (clock::falls_back() && this->options().clock != clock_by::steady) {
            shared.add_message(std::string{"mpiprof: this machine has no invariant "} + timing::name +
                               "; the clock is " + clock::source());
        }
    }

    /// Has the threads' shards in a file from now on, if there is to be one.
    void keep_shards() {
        if constexpr (requires(shard_file& file) { sink().keep_shards_in(file); }) {
            std::lock_guard const lock{process::instance().mutex};
            if (this->shards() != nullptr) return;
            using clock = detail::clock_of<timing>;
            auto* const file =
                this->open_shards(clock::source(), Instrumentation::bytes::name, sink_names().c_str());
            if (file == nullptr) return;
            file->head().start_ticks = static_cast<std::int64_t>(timing::now());
            sink().keep_shards_in(*file);
        }
    }

    /// The sinks that records go to.
    std::string sink_names() const {
        if constexpr (requires { sink().picked_names(); }) return sink().picked_names();
        else return sink_type::name;
    }

    template <class... Arguments>
    void create(Arguments&&... arguments) {
        ::new (static_cast<void*>(&storage_.sink)) sink_type(std::forward<Arguments>(arguments)...);
        begin();
        if constexpr (requires { sink().begin(phase_id{}, std::int64_t{}); })
            phase_registry::instance().watch({&phase_here, this});
    }

    /// Keeps the clock's rate as it is known by now with the shards.
    void note_rate() noexcept {
        using clock = detail::clock_of<timing>;
        clock::calibrate();
        if (auto* const file = this->shards())
            file->head().rate.store(clock::rate(), std::memory_order_relaxed);
        if (auto* const file = this->trace())
            file->head_of().rate.store(clock::rate(), std::memory_order_relaxed);
    }

    /// A thread of the program has entered a phase, or left it.
    static void phase_here([[maybe_unused]] void* context, [[maybe_unused]] phase_id phase,
                           [[maybe_unused]] bool begins) noexcept {
        if constexpr (requires(sink_type& to) { to.begin(phase, std::int64_t{}); }) {
            auto& self = *static_cast<recording*>(context);
            if (!self.takes_phases(begins)) return;
            auto const now = static_cast<std::int64_t>(timing::now());
            if (begins) self.sink().begin(phase, now);
            else self.sink().end(phase, now);
        }
    }

    static results::written_file write_trace_here(recording_base& base) {
        results::written_file written;
        if constexpr (detail::tracing_sink<sink_type>) {
            auto& self = static_cast<recording&>(base);
            self.note_rate();
            written = self.trace()->finish(self.trace_path(), self.sink().store());
        }
        return written;
    }

    static void refresh_here(recording_base& base) noexcept {
        if constexpr (detail::tracing_sink<sink_type>) static_cast<recording&>(base).sink().refresh();
    }

    static void spill_trace_here(recording_base& base) {
        if constexpr (detail::tracing_sink<sink_type>) {
            auto& self = static_cast<recording&>(base);
            self.trace()->spill_to(self.trace_path(), self.sink().store().chunks);
        }
    }

    static void reset_here(recording_base& base) {
        auto& self = static_cast<recording&>(base);
        if constexpr (requires { self.sink().reset(); }) self.sink().reset();
        if (auto* const file = self.shards()) {
            file->head().start_ticks = static_cast<std::int64_t>(timing::now());
            detail::copy_text(file->head().start, detail::utc_time(std::chrono::system_clock::now()));
        }
        if (auto* const file = self.trace()) {
            file->start_at(static_cast<std::int64_t>(timing::now()),
                           detail::utc_time(std::chrono::system_clock::now()));
        }
    }

    static results::profile collect_here(recording_base const& base) {
        results::profile run;
        if constexpr (detail::summary_sink<sink_type>) {
            auto const& self = static_cast<recording const&>(base);
            using clock = detail::clock_of<timing>;
            clock::calibrate();
            run.clock = clock::source();
            run.bytes = Instrumentation::bytes::name;
            run.sink = self.sink_names();
            detail::row_collector collector{run, process::instance().place.rank, clock::rate()};
            self.sink().for_each_shard([&](sinks::summary_view const& shard) { collector.add(shard); });
            collector.finish();
            run.lost = self.sink().lost();
        }
        return run;
    }

    /// Room for the sink, which is made when the recording starts.
    union storage {
        constexpr storage() noexcept : nothing{} {}
        constexpr ~storage() {}
        char nothing;
        sink_type sink;
    };

    storage storage_;
    bool configured_ = false;
    bool is_set_up_ = false;
};

template <class Instrumentation>
inline constinit recording<Instrumentation> recording_of{};

}  // namespace mpiprof::inline v1
