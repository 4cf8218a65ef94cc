#include <mpiprof/exports/event_links.hpp>

namespace mpiprof::inline v1::exports {

event_links::event_links(traces::trace const& from)
    : messages_{traces::messages_of(from)},
      collectives_{traces::collectives_of(from)} {
    sends_.reserve(messages_.size());
    receives_.reserve(messages_.size());
    for (std::size_t i = 0; i < messages_.size(); ++i) {
        auto const& [sent, received] = messages_[i];
        if (sent.exists()) sends_.push_back({sent.event, i});
        if (received.exists()) receives_.push_back({received.event, i});
    }
    for (std::size_t i = 0; i < collectives_.size(); ++i) {
        for (auto const& member : collectives_[i].members) members_.push_back({member, i});
    }
    for (auto* const each : {&sends_, &receives_, &members_}) std::sort(each->begin(), each->end());
}

std::int64_t event_links::collective_of(traces::event_id const& event) const {
    std::int64_t found = -1;
    for_each(members_, event, [&](std::size_t number) { found = static_cast<std::int64_t>(number); });
    return found;
}

}  // namespace mpiprof::inline v1::exports
