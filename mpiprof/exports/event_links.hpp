// What the events of a trace have to do with those of other ranks.
#pragma once

#include <mpiprof/traces/messages.hpp>

#include <algorithm>
#include <deque>
#include <vector>

namespace mpiprof::inline v1::exports {

/// The messages and the collectives of a trace, by their events.
class event_links {
  public:
    explicit event_links(traces::trace const& from);

    std::deque<traces::message> const& messages() const noexcept { return messages_; }
    std::deque<traces::collective> const& collectives() const noexcept { return collectives_; }

    /// An event's part in a message: its number in `messages()`, and which end of it the event is.
    struct part {
        std::size_t message;
        bool is_send;
    };

    /// Calls visit(part) for each message that the event sends or receives.
    template <class Visit>
    void for_each_part(traces::event_id const& event, Visit visit) const {
        for_each(
            sends_, event, [&](std::size_t i) -> auto& { return messages_[i].sent.event; },
            [&](std::size_t i) { visit(part{i, true}); });
        for_each(
            receives_, event, [&](std::size_t i) -> auto& { return messages_[i].received.event; },
            [&](std::size_t i) { visit(part{i, false}); });
    }

    /// Number in `collectives()` of the one that the event is a member's call of; -1 if there is none.
    std::int64_t collective_of(traces::event_id const& event) const;

  private:
    struct member {
        traces::event_id event;
        std::size_t collective;
    };

    /// Of what is sorted by its event.
    template <class List, class EventOf, class Visit>
    static void for_each(List const& among, traces::event_id const& event, EventOf event_of, Visit visit) {
        auto each = std::lower_bound(among.begin(), among.end(), event,
                                     [&](auto const& one, auto const& id) { return event_of(one) < id; });
        for (; each != among.end() && event_of(*each) == event; ++each) visit(*each);
    }

    std::deque<traces::message> messages_;
    std::deque<traces::collective> collectives_;
    /// Numbers of messages in the order of the events at their ends, which takes less memory than a table.
    std::vector<std::size_t> sends_;
    std::vector<std::size_t> receives_;
    std::vector<member> members_;
};

}  // namespace mpiprof::inline v1::exports
