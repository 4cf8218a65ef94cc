#include <mpiprof/exports/event_links.hpp>

namespace mpiprof::inline v1::exports {

event_links::event_links(traces::trace const& from)
    : messages_{traces::messages_of(from)},
      collectives_{traces::collectives_of(from)} {
    sends_.reserve(messages_.size());
    receives_.reserve(messages_.size());
    for (std::size_t i = 0; i < messages_.size(); ++i) {
        if (messages_[i].sent.exists()) sends_.push_back(i);
        if (messages_[i].received.exists()) receives_.push_back(i);
    }
    std::sort(sends_.begin(), sends_.end(), [this](std::size_t a, std::size_t b) {
        return messages_[a].sent.event < messages_[b].sent.event;
    });
    std::sort(receives_.begin(), receives_.end(), [this](std::size_t a, std::size_t b) {
        return messages_[a].received.event < messages_[b].received.event;
    });
    std::size_t members = 0;
    for (auto const& each : collectives_) members += each.members.size();
    members_.reserve(members);
    for (std::size_t i = 0; i < collectives_.size(); ++i)
        for (auto const& each : collectives_[i].members) members_.push_back({each, i});
    std::sort(members_.begin(), members_.end(),
              [](member const& a, member const& b) { return a.event < b.event; });
}

std::int64_t event_links::collective_of(traces::event_id const& event) const {
    std::int64_t found = -1;
    for_each(
        members_, event, [](member const& each) -> auto& { return each.event; },
        [&](member const& each) { found = static_cast<std::int64_t>(each.collective); });
    return found;
}

}  // namespace mpiprof::inline v1::exports
