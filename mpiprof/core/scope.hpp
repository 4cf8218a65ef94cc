// The one place where a call is measured.
#pragma once

#include <mpiprof/core/instrumentation.hpp>
#include <mpiprof/core/nesting.hpp>

namespace mpiprof::inline v1 {

/// When a call began and ended, in ticks.
struct interval {
    std::int64_t begin;
    std::int64_t end;
};

/// Measures one call and hands its record to the sink. An adapter writes
///
///     scope<operation::send, I> measured{&sink, communicator, site};  // reads the clock
///     int const code = MPI_Send(…);
///     measured.stop();                                                // reads it again
///     measured.record().sent = …;                                     // outside the measured time
///
/// and the record goes out when the scope ends. A scope that ends before `stop`, which only an exception
/// does, records a failed call, with the peer, tag and root that its record has by then.
template <operation Operation, class Instrumentation>
    requires(Instrumentation::enabled)
class scope {
    using timing = typename Instrumentation::timing;
    using bytes = typename Instrumentation::bytes;
    using sink_type = typename Instrumentation::sink;
    /// A call that this scope does not record is anybody else's.
    static constexpr bool nests = !requires { requires !sink_type::records_calls; };

  public:
    /// With nullptr for the sink the call goes unrecorded.
    [[gnu::always_inline]] scope(sink_type* sink, communicator_id communicator, call_site site) noexcept
        : scope{sink, communicator, site, interval{}} {
        state_ = state::running;
        if constexpr (nests) ++nesting;
        if constexpr (live_sink<sink_type>) {
            if (sink != nullptr) sink->enter(Operation, communicator);
        }
        record_.begin = static_cast<std::int64_t>(timing::now());
    }

    /// A call that was measured by another scope, which released it.
    [[gnu::always_inline]] scope(sink_type* sink, communicator_id communicator, call_site site,
                                 interval measured) noexcept
        : sink_{sink},
          state_{state::stopped} {
        record_.operation = Operation;
        record_.communicator = communicator;
        record_.phase = current_phase;
        record_.site = site;
        record_.begin = measured.begin;
        record_.end = measured.end;
    }

    scope(scope const&) = delete;
    scope& operator=(scope const&) = delete;

    // Always inlined, as the sink's part is, so that the record is no object in memory but a few registers.
    [[gnu::always_inline]] ~scope() {
        if (state_ == state::running) [[unlikely]]
            abandon(sink_, record_.communicator, record_.site, record_.begin, record_.peer, record_.tag,
                    record_.root);
        else if (state_ == state::stopped) hand_over(sink_, record_);
    }

    /// The call has returned.
    [[gnu::always_inline]] void stop() noexcept {
        auto const now = static_cast<std::int64_t>(timing::now());
        // A clock that steps back must not make a time negative.
        record_.end = now;
        if (now < record_.begin) [[unlikely]]
            record_.end = record_.begin;
        if constexpr (nests) --nesting;
        if constexpr (live_sink<sink_type>) {
            if (sink_ != nullptr) sink_->leave();
        }
        state_ = state::stopped;
    }

    /// Leaves the record to another scope.
    [[gnu::always_inline]] interval release() noexcept {
        state_ = state::released;
        return {record_.begin, record_.end};
    }

    /// Hands the record over now if the sink takes it without calling any function; else it is still here. A
    /// byte policy that adjusts records sees each once, so not here.
    [[gnu::always_inline]] bool hand_over_quickly() noexcept {
        constexpr bool adjusts = requires { bytes::adjust(record_); };
        if constexpr (!adjusts && quick_sink<sink_type>) {
            finish(record_);
            if (!sink_->record_quickly(record_)) return false;
            state_ = state::released;
            return true;
        } else {
            return false;
        }
    }

    /// The call failed: it is counted and timed, and carries no bytes.
    [[gnu::always_inline]] void fail() noexcept {
        record_.flags |= call_failed;
        record_.sent = record_.received = record_.overhead = record_.written = record_.read = 0;
    }

    /// The record to fill in.
    call& record() noexcept { return record_; }

    /// A completion of what this call posted or observed: site, phase, communicator and times are this
    /// call's.
    [[gnu::always_inline]] completion completed() const noexcept {
        completion done{};
        done.operation = Operation;
        done.peer = record_.peer;
        done.tag = record_.tag;
        done.phase = record_.phase;
        done.communicator = record_.communicator;
        done.posted = record_.begin;
        done.observed = record_.end;
        done.site = record_.site;
        return done;
    }

    /// Hands a completion to the sink, where it wants them.
    [[gnu::always_inline]] void complete(completion const& done) noexcept {
        if constexpr (completion_sink<sink_type>) {
            if (sink_ != nullptr) sink_->complete(done);
        }
    }

  private:
    [[gnu::always_inline]] static void hand_over(sink_type* sink, call& record) noexcept {
        if (sink == nullptr) return;
        finish(record);
        sink->record(record);
    }

    [[gnu::always_inline]] static void finish(call& record) noexcept {
        record.duration = detail::estimated_nanoseconds<timing>(record.begin, record.end);
        if constexpr (requires { bytes::adjust(record); }) bytes::adjust(record);
    }

    /// An exception has left the call.
    [[gnu::cold, gnu::noinline]] static void abandon(sink_type* sink, communicator_id communicator,
                                                     call_site site, std::int64_t begin, int peer, int tag,
                                                     int root) noexcept {
        scope failed{sink, communicator, site, {begin, begin}};
        failed.record_.peer = peer;
        failed.record_.tag = tag;
        failed.record_.root = root;
        failed.stop();
        failed.fail();
    }

    enum class state : unsigned char { running, stopped, released };

    sink_type* sink_;
    // Braces initialise in place what g++ would otherwise call a constructor for.
    call record_{};
    state state_ = state::running;
};

}  // namespace mpiprof::inline v1
