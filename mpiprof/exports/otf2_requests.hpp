// The requests of a rank: which completion belongs to which call.
#pragma once

#include <mpiprof/traces/trace.hpp>

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::exports {

/// The requests for messages and collectives that a rank's threads posted, by numbers from 0. They take about
/// hundred bytes each while they are collected, and half of that then.
class otf2_requests {
  public:
    /// A request that a call posted.
    struct posted_request {
        traces::event_id call;
        std::uint64_t number;
        /// No other thread saw it complete.
        bool stays_here = true;
    };

    otf2_requests(traces::trace const& from, std::size_t rank);

    /// Those that a call posted. Of a start of several, those whose completions are known.
    std::span<posted_request const> posted_by(traces::event_id call) const;

    /// The request that a completion is of; none if the call that posted it is not in the trace.
    std::optional<std::uint64_t> completed_by(traces::event_id completion) const;

    /// The call that posted a request, where its completion does not tell all of it: of a collective, and of
    /// one that sends and receives. Of a request that was started with others what its completion tells, as
    /// if it had been started alone. nullptr for any other.
    call const* posting(std::uint64_t number) const;

  private:
    struct completed_request {
        traces::event_id completion;
        std::uint64_t number;
    };
    struct collection;

    void join(collection& all);

    std::vector<posted_request> posted_;
    std::vector<completed_request> completed_;
    std::map<std::uint64_t, call> postings_;
};

/// The operation whose request a call posts: of a start, the one that made it; startall for a start of
/// several; none for a call that posts none for a message or a collective.
operation posted_operation(call const& record) noexcept;

}  // namespace mpiprof::inline v1::exports
