// What the events of a trace have to do with those of other ranks.
#pragma once

#include <mpiprof/traces/messages.hpp>

#include <functional>
#include <unordered_map>
#include <vector>

namespace mpiprof::inline v1::exports {

/// The messages and the collectives of a trace, by their events.
class event_links {
  public:
    explicit event_links(traces::trace const& from);

    std::vector<traces::message> const& messages() const noexcept { return messages_; }
    std::vector<traces::collective> const& collectives() const noexcept { return collectives_; }

    /// An event's part in a message: its number in `messages()`, and which end of it the event is.
    struct part {
        std::size_t message;
        bool is_send;
    };

    /// Calls visit(part) for each message that the event sends or receives.
    void for_each_part(traces::event_id const& event, std::function<void(part const&)> const& visit) const;
    /// Number in `collectives()` of the one that the event is a member's call of; -1 if there is none.
    std::int64_t collective_of(traces::event_id const& event) const;

  private:
    struct hash {
        std::size_t operator()(traces::event_id const& event) const noexcept;
    };

    std::vector<traces::message> messages_;
    std::vector<traces::collective> collectives_;
    std::unordered_multimap<traces::event_id, part, hash> parts_;
    std::unordered_map<traces::event_id, std::int64_t, hash> collective_of_;
};

}  // namespace mpiprof::inline v1::exports
