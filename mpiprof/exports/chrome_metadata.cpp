#include <mpiprof/exports/chrome_metadata.hpp>

#include <fmt/format.h>

namespace mpiprof::inline v1::exports {

namespace {

json_object named(char const* name, std::int64_t rank, std::size_t thread, json_object args) {
    return {{"ph", "M"}, {"name", name}, {"pid", rank}, {"tid", thread}, {"args", std::move(args)}};
}

char const* name_of(traces::clock_knowledge known) {
    using enum traces::clock_knowledge;
    switch (known) {
    case same:
        return "the same clock";
    case measured:
        return "compared at start and end";
    case no_drift:
        return "compared once, drift unknown";
    case unknown:
        break;
    }
    return "never compared";
}

json_object metadata_of(traces::rank const& rank) {
    json_object made{{"rank", rank.number},
                     {"host", rank.host},
                     {"process", rank.process},
                     {"clock", rank.clock},
                     {"clock_known", name_of(rank.clock_known)},
                     {"clock_error_ns", rank.clock_error},
                     {"dropped_records", rank.dropped},
                     {"unfinished", rank.unfinished}};
    if (rank.dropped > 0) made["kept_records"] = rank.keeps_newest ? "newest" : "oldest";
    return made;
}

}  // namespace

void add_names(traces::trace const& from, json_list& events) {
    for (auto const& rank : from.ranks()) {
        auto const title = fmt::format("rank {} ({})", rank.number, rank.host);
        events.add(named("process_name", rank.number, 0, {{"name", title}}));
        events.add(named("process_sort_index", rank.number, 0, {{"sort_index", rank.number}}));
        for (std::size_t place = 0; place < rank.threads.size(); ++place) {
            auto const thread = thread_number(place);
            events.add(named("thread_name", rank.number, thread, {{"name", rank.threads[place].name}}));
            events.add(named("thread_sort_index", rank.number, thread, {{"sort_index", thread}}));
        }
    }
}

json_object chrome_metadata(traces::trace const& from) {
    json_object made{{"recorded_by", "mpiprof"}, {"world_size", from.world_size()}};
    if (!from.ranks().empty()) {
        auto const& first = from.ranks().front();
        made["program"] = first.program;
        made["command"] = first.command;
        made["start"] = first.start_time;
        made["library"] = first.library;
    }
    made["ranks"] = json_object::array();
    for (auto const& rank : from.ranks()) made["ranks"].push_back(metadata_of(rank));
    made["notes"] = from.notes();
    return made;
}

}  // namespace mpiprof::inline v1::exports
