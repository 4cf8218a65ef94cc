// What the events of a trace have to do with those of other ranks.
#pragma once

#include <mpiprof/traces/messages.hpp>

#include <algorithm>
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
    template <class Visit>
    void for_each_part(traces::event_id const& event, Visit visit) const {
        for_each(sends_, event, [&](std::size_t message) { visit(part{message, true}); });
        for_each(receives_, event, [&](std::size_t message) { visit(part{message, false}); });
    }

    /// Number in `collectives()` of the one that the event is a member's call of; -1 if there is none.
    std::int64_t collective_of(traces::event_id const& event) const;

  private:
    struct link {
        traces::event_id event;
        std::size_t number;

        auto operator<=>(link const&) const = default;
    };
    /// Sorted, which takes less memory than a table of hashes.
    using links = std::vector<link>;

    template <class Visit>
    static void for_each(links const& among, traces::event_id const& event, Visit visit) {
        auto each = std::lower_bound(among.begin(), among.end(), link{event, 0});
        for (; each != among.end() && each->event == event; ++each) visit(each->number);
    }

    std::vector<traces::message> messages_;
    std::vector<traces::collective> collectives_;
    links sends_;
    links receives_;
    links members_;
};

}  // namespace mpiprof::inline v1::exports
