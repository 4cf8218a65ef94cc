#include <mpiprof/exports/chrome_slices.hpp>

#include <mpiprof/core/region_name.hpp>
#include <mpiprof/exports/chrome_metadata.hpp>
#include <mpiprof/exports/flag_names.hpp>

#include <algorithm>

namespace mpiprof::inline v1::exports {

using traces::event_type;

void chrome_slices::add(std::size_t rank, std::size_t thread) {
    rank_ = rank;
    thread_ = thread;
    starts_.clear();
    std::vector<span> inside;
    traces::for_each_nested(
        *from_.trace, rank, thread,
        [&](traces::region const& region) {
            inside.push_back({region.begin, region.end});
            if (region.what.type == event_type::phase_begin) add_phase(region);
            else add_call(region);
        },
        [&](traces::region const&) { inside.pop_back(); },
        [&](traces::event const& done) {
            auto const observed_in = inside.empty() ? span{done.end, done.end} : inside.back();
            links_.for_each_part(done.id, [&](event_links::part const& part) {
                add_arrow(part, part.is_send ? started_in(done, observed_in) : observed_in);
            });
        });
}

void chrome_slices::start(char const* type, std::int64_t time) {
    event_.start();
    event_.word("ph", type);
    event_.number("pid", from_.trace->ranks()[rank_].number);
    event_.number("tid", static_cast<std::int64_t>(thread_number(thread_)));
    event_.microseconds("ts", time);
}

void chrome_slices::add_phase(traces::region const& phase) {
    start("X", phase.begin);
    auto const& name = texts_.phase(phase.what.phase);
    if (name.empty()) event_.word("name", name);
    else event_.json("name", name);
    event_.microseconds("dur", phase.end - phase.begin);
    event_.word("cat", "phase");
    events_.add_json(event_.finish());
}

void chrome_slices::add_call(traces::region const& call) {
    auto const& record = call.what.call;
    start("X", call.begin);
    event_.word("name", name(record.operation));
    event_.microseconds("dur", call.end - call.begin);
    event_.word("cat", name(kind_of(record.operation)));
    add_arguments(call.what);
    events_.add_json(event_.finish());
    span const its{call.begin, call.end};
    if (record.operation == operation::startall) starts_.push_back(its);
    links_.for_each_part(call.what.id, [&](event_links::part const& part) { add_arrow(part, its); });
}

void chrome_slices::add_arguments(traces::event const& what) {
    auto const& trace = *from_.trace;
    auto const& record = what.call;
    event_.enter("args");
    char region[region_name_capacity];
    event_.word("region", {region, format_region(std::span<char>{region}, metadata_of(record))});
    event_.number("bytes", region_bytes(record));
    event_.number("sent", record.sent);
    event_.number("received", record.received);
    put("written", record.written == 0 ? not_applicable : record.written);
    put("read", record.read == 0 ? not_applicable : record.read);
    put("peer_rank", trace.world_rank(record.communicator, rank_, record.peer));
    put("root_rank", trace.world_rank(record.communicator, rank_, record.root));
    put("tag", record.tag);
    put("communicator", texts_.communicator(record.communicator));
    if (record.request != operation::none) event_.word("request", name(record.request));
    if (record.flags != 0) event_.word("flags", flag_names(record.flags));
    put("site", texts_.site(record.site));
    put("phase", texts_.phase(what.phase));
    if (what.type == event_type::repeated) {
        event_.number("repeats", what.repeats);
        event_.microseconds("inside_us", what.inside);
    }
    add_links(what.id);
    event_.leave();
}

void chrome_slices::put(char const* name, std::int64_t value) {
    if (value != not_applicable) event_.number(name, value);
}

void chrome_slices::put(char const* name, std::string const& json) {
    if (!json.empty()) event_.json(name, json);
}

void chrome_slices::add_links(traces::event_id const& id) {
    bool is_alone = false;
    links_.for_each_part(id, [&](event_links::part const& part) {
        is_alone = is_alone || !links_.messages()[part.message].is_whole();
    });
    if (is_alone) event_.word("partner", "none");
    if (auto const number = links_.collective_of(id); number >= 0) {
        event_.number("collective", number);
        auto const missing = links_.collectives()[static_cast<std::size_t>(number)].missing;
        if (missing > 0) event_.number("missing_members", missing);
    }
}

chrome_slices::span const& chrome_slices::started_in(traces::event const& done,
                                                     span const& observed_in) const {
    // A start reads the clock for its requests shortly before it begins.
    auto const found =
        std::lower_bound(starts_.begin(), starts_.end(), done.begin,
                         [](span const& each, std::int64_t time) { return each.begin < time; });
    return found == starts_.end() ? observed_in : *found;
}

void chrome_slices::add_arrow(event_links::part const& part, span const& inside) {
    auto const& message = links_.messages()[part.message];
    // An arrow's end belongs to the slice that it lies in, to which a slice's end does not belong.
    auto const last = std::max(inside.begin, inside.end - 1);
    auto const time = std::clamp(part.is_send ? message.sent.time : last, inside.begin, last);
    if (message.is_whole()) {
        start(part.is_send ? "s" : "f", time);
        event_.word("name", "message");
        event_.word("cat", "message");
        event_.number("id", static_cast<std::int64_t>(part.message));
        if (!part.is_send) event_.word("bp", "e");
    } else {
        start("i", time);
        event_.word("name", part.is_send ? "send without a receive" : "receive without a send");
        event_.word("s", "t");
        event_.word("cat", "message");
    }
    events_.add_json(event_.finish());
}

}  // namespace mpiprof::inline v1::exports
