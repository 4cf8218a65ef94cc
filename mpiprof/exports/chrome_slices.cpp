#include <mpiprof/exports/chrome_slices.hpp>

#include <mpiprof/core/region_name.hpp>
#include <mpiprof/exports/chrome_metadata.hpp>
#include <mpiprof/exports/communicator_name.hpp>
#include <mpiprof/exports/flag_names.hpp>
#include <mpiprof/exports/site_text.hpp>

#include <algorithm>

namespace mpiprof::inline v1::exports {

namespace {

using traces::event_type;

/// Adds a number that applies.
void put(json_object& into, char const* name, std::int64_t value) {
    if (value != not_applicable) into[name] = value;
}

void put(json_object& into, char const* name, std::string const& value) {
    if (!value.empty()) into[name] = value;
}

}  // namespace

json_object chrome_slices::event(char const* type, std::string name, std::int64_t time) const {
    return {{"ph", type},
            {"name", std::move(name)},
            {"pid", from_.trace->ranks()[rank_].number},
            {"tid", thread_number(thread_)},
            {"ts", microseconds(time)}};
}

void chrome_slices::add(std::size_t rank, std::size_t thread) {
    rank_ = rank;
    thread_ = thread;
    std::vector<traces::region> inside;
    traces::for_each_nested(
        *from_.trace, rank, thread,
        [&](traces::region const& region) {
            if (region.what.type == event_type::phase_begin) add_phase(region);
            else add_call(region);
            inside.push_back(region);
        },
        [&](traces::region const&) { inside.pop_back(); },
        [&](traces::event const& done) {
            bool const is_observed = !inside.empty();
            add_arrows(done, is_observed ? inside.back().begin : done.end,
                       is_observed ? inside.back().end : done.end);
        });
}

void chrome_slices::add_phase(traces::region const& phase) {
    auto slice = event("X", phase.what.phase, phase.begin);
    slice["dur"] = microseconds(phase.end - phase.begin);
    slice["cat"] = "phase";
    events_.add(slice);
}

void chrome_slices::add_call(traces::region const& call) {
    auto const& record = call.what.call;
    auto slice = event("X", name(record.operation), call.begin);
    slice["dur"] = microseconds(call.end - call.begin);
    slice["cat"] = name(kind_of(record.operation));
    slice["args"] = arguments(call.what);
    events_.add(slice);
    add_arrows(call.what, call.begin, call.end);
}

json_object chrome_slices::arguments(traces::event const& what) const {
    auto const& trace = *from_.trace;
    auto const& record = what.call;
    json_object made{{"region", format_region(metadata_of(record))},
                     {"bytes", region_bytes(record)},
                     {"sent", record.sent},
                     {"received", record.received}};
    put(made, "written", record.written == 0 ? not_applicable : record.written);
    put(made, "read", record.read == 0 ? not_applicable : record.read);
    put(made, "peer_rank", trace.world_rank(record.communicator, rank_, record.peer));
    put(made, "root_rank", trace.world_rank(record.communicator, rank_, record.root));
    put(made, "tag", record.tag);
    put(made, "communicator", communicator_name(trace, record.communicator));
    put(made, "request", std::string{name(record.request)});
    put(made, "flags", flag_names(record.flags));
    put(made, "site", site_text(from_, record.site));
    put(made, "phase", std::string{what.phase});
    if (what.type == event_type::repeated) {
        made["repeats"] = what.repeats;
        made["inside_us"] = microseconds(what.inside);
    }
    add_links(what.id, made);
    return made;
}

void chrome_slices::add_links(traces::event_id const& id, json_object& arguments) const {
    links_.for_each_part(id, [&](event_links::part const& part) {
        if (!links_.messages()[part.message].is_whole()) arguments["partner"] = "none";
    });
    if (auto const number = links_.collective_of(id); number >= 0) {
        arguments["collective"] = number;
        auto const missing = links_.collectives()[static_cast<std::size_t>(number)].missing;
        if (missing > 0) arguments["missing_members"] = missing;
    }
}

void chrome_slices::add_arrows(traces::event const& what, std::int64_t begin, std::int64_t end) {
    links_.for_each_part(what.id, [&](event_links::part const& part) {
        auto const& message = links_.messages()[part.message];
        if (message.is_whole() && !message.received.is_observed()) return;
        // An arrow's end belongs to the slice that it lies in, to which a slice's end does not belong.
        auto const last = std::max(begin, end - 1);
        auto const time = std::clamp(part.is_send ? message.sent.time : last, begin, last);
        if (message.is_whole()) {
            auto arrow = event(part.is_send ? "s" : "f", "message", time);
            arrow["cat"] = "message";
            arrow["id"] = part.message;
            if (!part.is_send) arrow["bp"] = "e";
            events_.add(arrow);
        } else {
            auto alone = event("i", part.is_send ? "send without a receive" : "receive without a send", time);
            alone["s"] = "t";
            alone["cat"] = "message";
            events_.add(alone);
        }
    });
}

}  // namespace mpiprof::inline v1::exports
