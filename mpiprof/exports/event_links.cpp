#include <mpiprof/exports/event_links.hpp>

namespace mpiprof::inline v1::exports {

event_links::event_links(traces::trace const& from)
    : messages_{traces::messages_of(from)},
      collectives_{traces::collectives_of(from)} {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
        auto const& [sent, received] = messages_[i];
        if (sent.exists()) parts_.emplace(sent.event, part{i, true});
        if (received.exists()) parts_.emplace(received.event, part{i, false});
    }
    for (std::size_t i = 0; i < collectives_.size(); ++i) {
        for (auto const& member : collectives_[i].members) {
            collective_of_.emplace(member, static_cast<std::int64_t>(i));
        }
    }
}

void event_links::for_each_part(traces::event_id const& event,
                                std::function<void(part const&)> const& visit) const {
    auto const [first, last] = parts_.equal_range(event);
    for (auto each = first; each != last; ++each) visit(each->second);
}

std::int64_t event_links::collective_of(traces::event_id const& event) const {
    auto const found = collective_of_.find(event);
    return found == collective_of_.end() ? -1 : found->second;
}

std::size_t event_links::hash::operator()(traces::event_id const& event) const noexcept {
    auto const thread = (std::uint64_t{event.rank} << 32U) | event.thread;
    return std::hash<std::uint64_t>{}((thread * 0x9e3779b97f4a7c15U) ^ event.number);
}

}  // namespace mpiprof::inline v1::exports
