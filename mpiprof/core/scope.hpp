// The one place where a call is measured.
#pragma once

#include <mpiprof/core/instrumentation.hpp>

namespace mpiprof::inline v1 {

/// Measures one call and hands its record to the sink. An adapter writes
///
///     scope<operation::send, I> measured{&sink, communicator, site};  // reads the clock
///     int const code = MPI_Send(…);
///     measured.stop();                                                // reads it again
///     measured.record().sent = …;                                     // outside the measured time
///
/// and the record goes out when the scope ends. A scope that ends before `stop`, which only an exception
/// does, records a failed call.
template <operation Operation, class Instrumentation>
    requires(Instrumentation::enabled)
class scope {
    using timing = typename Instrumentation::timing;
    using bytes = typename Instrumentation::bytes;
    using sink_type = typename Instrumentation::sink;

  public:
    /// With nullptr for the sink the call goes unrecorded.
    scope(sink_type* sink, communicator_id communicator, call_site site) noexcept : sink_{sink} {
        record_.operation = Operation;
        record_.communicator = communicator;
        record_.phase = current_phase;
        record_.site = site;
        record_.begin = static_cast<std::int64_t>(timing::now());
    }

    scope(scope const&) = delete;
    scope& operator=(scope const&) = delete;

    ~scope() {
        if (!stopped_) {
            stop();
            fail();
        }
        if constexpr (requires { bytes::adjust(record_); }) bytes::adjust(record_);
        if (sink_ != nullptr) sink_->record(record_);
    }

    /// The call has returned.
    void stop() noexcept {
        record_.end = static_cast<std::int64_t>(timing::now());
        stopped_ = true;
    }

    /// The call failed: it is counted and timed, and carries no bytes.
    void fail() noexcept {
        record_.flags |= call_failed;
        record_.sent = record_.received = record_.overhead = 0;
    }

    /// The record to fill in.
    call& record() noexcept { return record_; }

    /// A completion of what this call posted or observed: site, phase, communicator and times are this
    /// call's.
    completion completed() const noexcept {
        completion done;
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
    void complete(completion const& done) noexcept {
        if constexpr (completion_sink<sink_type>) {
            if (sink_ != nullptr) sink_->complete(done);
        }
    }

  private:
    sink_type* sink_;
    call record_;
    bool stopped_ = false;
};

}  // namespace mpiprof::inline v1
