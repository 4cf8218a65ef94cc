// Speedscope's format: https://www.speedscope.app/file-format-schema.json
#include <mpiprof/exports/format.hpp>
#include <mpiprof/exports/json_fields.hpp>
#include <mpiprof/exports/json_list.hpp>
#include <mpiprof/exports/replace_file.hpp>
#include <mpiprof/exports/site_text.hpp>
#include <mpiprof/traces/nesting.hpp>

#include <fmt/format.h>
#include <map>
#include <tuple>

namespace mpiprof::inline v1::exports {

namespace {

/// What a frame is the same by: a phase's name or a call's operation, and the call site.
using frame_key = std::tuple<bool, std::string, std::string>;

/// The frames that the profiles name by their numbers.
class frame_table {
  public:
    explicit frame_table(run const& from) : from_{from} {}

    std::size_t number(traces::event const& what) {
        bool const is_phase = what.type == traces::event_type::phase_begin;
        auto const& site = what.call.site;
        // Texts of a trace stay where they are.
        auto const [known, is_first] = known_.try_emplace(
            {is_phase ? what.phase : nullptr, what.call.operation, site.file(), site.line()});
        if (is_first) known->second = find(what, is_phase);
        return known->second;
    }

    json_object const& frames() const noexcept { return frames_; }

  private:
    std::size_t find(traces::event const& what, bool is_phase) {
        auto const& site = what.call.site;
        frame_key key{is_phase, is_phase ? what.phase : name(what.call.operation),
                      is_phase ? "" : fmt::format("{}:{}", site.file(), site.line())};
        auto const [found, is_new] = numbers_.try_emplace(std::move(key), frames_.size());
        if (is_new) frames_.push_back(is_phase ? json_object{{"name", what.phase}} : frame(what.call));
        return found->second;
    }

    json_object frame(call const& record) const {
        json_object made{{"name", name(record.operation)}};
        auto const& site = record.site;
        auto const file = site.line() > 0 ? std::string{site.file()} : site_text(from_, site);
        if (!file.empty()) made["file"] = file;
        if (site.line() > 0) made["line"] = site.line();
        return made;
    }

    run const& from_;
    std::map<std::tuple<char const*, operation, char const*, std::uint32_t>, std::size_t> known_;
    std::map<frame_key, std::size_t> numbers_;
    json_object frames_ = json_object::array();
};

void add_profile(traces::trace const& from, std::size_t rank, std::size_t thread, frame_table& frames,
                 json_list& profiles) {
    auto const& its = from.ranks()[rank];
    auto& out = profiles.next();
    out << R"({"type":"evented","unit":"nanoseconds","startValue":)" << its.begin
        << ",\"endValue\":" << its.end << ",\"name\":";
    write_json(out, fmt::format("rank {} ({}), {}", its.number, its.host, its.threads[thread].name));
    out << ",\"events\":[";
    json_list events{out};
    json_fields event;
    auto const add = [&](char const* type, traces::event const& what, std::int64_t time) {
        event.start();
        event.word("type", type);
        event.number("frame", static_cast<std::int64_t>(frames.number(what)));
        event.number("at", time);
        events.add_json(event.finish());
    };
    traces::for_each_nested(
        from, rank, thread, [&](traces::region const& region) { add("O", region.what, region.begin); },
        [&](traces::region const& region) { add("C", region.what, region.end); });
    out << "]}";
}

void write_speedscope(run const& from, std::string const& path) {
    auto const& trace = *from.trace;
    replace_text_file(path, [&](std::ostream& out) {
        out << R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"mpiprof","profiles":[)";
        json_list profiles{out};
        frame_table frames{from};
        for (std::size_t rank = 0; rank < trace.ranks().size(); ++rank) {
            for (std::size_t thread = 0; thread < trace.ranks()[rank].threads.size(); ++thread) {
                add_profile(trace, rank, thread, frames, profiles);
            }
        }
        out << "\n],\"shared\":";
        write_json(out, {{"frames", frames.frames()}});
        out << ",\"name\":";
        write_json(out, trace.ranks().empty() ? "" : trace.ranks().front().program);
        out << "}\n";
    });
}

}  // namespace

format const speedscope{
    "speedscope", "flame graphs over time of each rank, for www.speedscope.app",
    needs::trace, write_speedscope,
    true,
};

}  // namespace mpiprof::inline v1::exports
