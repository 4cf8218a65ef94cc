// The Trace Event Format, as an object:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include <mpiprof/exports/chrome_metadata.hpp>
#include <mpiprof/exports/chrome_slices.hpp>
#include <mpiprof/exports/replace_file.hpp>

#include <algorithm>
#include <map>

namespace mpiprof::inline v1::exports {

namespace {

/// How many bytes each rank has sent that were not received yet.
void add_bytes_in_flight(traces::trace const& from, event_links const& links, json_list& events) {
    std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> changes;
    for (auto const& [sent, received] : links.messages()) {
        if (!sent.exists() || !received.exists() || sent.bytes <= 0) continue;
        auto& its = changes[sent.rank];
        its.emplace_back(sent.time, sent.bytes);
        its.emplace_back(std::max(sent.time, received.time), -sent.bytes);
    }
    json_fields event;
    for (auto const& rank : from.ranks()) {
        auto& its = changes[rank.number];
        std::sort(its.begin(), its.end());
        std::int64_t in_flight = 0;
        for (std::size_t i = 0; i < its.size(); ++i) {
            in_flight += its[i].second;
            if (i + 1 < its.size() && its[i + 1].first == its[i].first) continue;
            event.start();
            event.word("ph", "C");
            event.word("name", "bytes in flight");
            event.number("pid", rank.number);
            event.microseconds("ts", its[i].first);
            event.enter("args");
            event.number("bytes", in_flight);
            event.leave();
            events.add_json(event.finish());
        }
    }
}

void write_chrome(run const& from, std::string const& path) {
    auto const& trace = *from.trace;
    event_links const links{trace};
    replace_text_file(path, [&](std::ostream& out) {
        out << "{\"traceEvents\":[";
        json_list events{out};
        add_names(trace, events);
        chrome_slices slices{from, links, events};
        for (std::size_t rank = 0; rank < trace.ranks().size(); ++rank) {
            for (std::size_t thread = 0; thread < trace.ranks()[rank].threads.size(); ++thread)
                slices.add(rank, thread);
        }
        add_bytes_in_flight(trace, links, events);
        out << "\n],\"displayTimeUnit\":\"ns\",\"otherData\":";
        write_json(out, chrome_metadata(trace));
        out << "}\n";
    });
}

}  // namespace

format const chrome{
    "chrome", "Chrome's JSON for Perfetto (ui.perfetto.dev) and chrome://tracing", needs::trace, write_chrome,
    true,
};

}  // namespace mpiprof::inline v1::exports
