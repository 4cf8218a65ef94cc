// `mpiprof export`.
#include <mpiprof/cli/commands.hpp>
#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/cli/resolve_places.hpp>
#include <mpiprof/cli/say.hpp>
#include <mpiprof/exports/format.hpp>
#include <mpiprof/traces/rank_file.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace mpiprof::inline v1::cli {

namespace {

struct arguments {
    std::string format;
    std::vector<std::string> files;
    std::string output;
};

/// Throws input_error where the format needs what there is not.
void check(exports::format const& format, exports::run const& from) {
    using exports::needs;
    if (format.needs == needs::trace && from.trace == nullptr) {
        throw input_error(fmt::format(
            "'{}' needs a trace, and this is a profile; record one with MPIPROF=sinks=summary+trace",
            format.name));
    }
    if (format.needs == needs::profile && from.profile == nullptr) {
        throw input_error(fmt::format(
            "'{}' needs the profile, and this is a trace; give the .json file of the same run", format.name));
    }
}

[[noreturn]] void refuse(char const* what, std::string_view of_trace, std::string_view of_profile) {
    throw input_error(
        fmt::format("the trace is of {0} '{1}', the profile of {0} '{2}'; give the files of one run", what,
                    of_trace, of_profile));
}

/// Throws input_error where they are of different runs, as far as that is known.
void check_same_run(traces::trace const& trace, results::profile const& profile) {
    if (trace.world_size() != profile.world_size) {
        throw input_error(fmt::format(
            "the trace is of a run of {} ranks, the profile of one of {}; give the files of one run",
            trace.world_size(), profile.world_size));
    }
    auto const& ranks = trace.ranks();
    auto const job =
        std::find_if(ranks.begin(), ranks.end(), [](auto const& each) { return !each.job.empty(); });
    if (job != ranks.end() && !profile.job.empty()) {
        if (job->job != profile.job) refuse("job", job->job, profile.job);
        return;
    }
    // Ranks may run different programs, of which the profile names one.
    bool const is_known = std::any_of(ranks.begin(), ranks.end(),
                                      [&](auto const& each) { return each.program == profile.program; });
    if (!is_known) refuse("program", ranks.front().program, profile.program);
}

void say_lines(std::string_view lines) {
    while (!lines.empty()) {
        auto const end = lines.find('\n');
        say(std::string{lines.substr(0, end)});
        lines = end == std::string_view::npos ? "" : lines.substr(end + 1);
    }
}

void export_files(exports::format const& format, arguments const& given) {
    if (given.output == "-" && !format.is_text) {
        throw input_error(fmt::format("'{}' cannot go to standard output; give -o a path", format.name));
    }
    auto paths = given.files;
    auto const profiles = std::stable_partition(paths.begin(), paths.end(), &traces::is_trace_file);
    std::vector<std::string> const profile_paths{profiles, paths.end()};
    paths.erase(profiles, paths.end());

    place_resolver places;
    std::optional<traces::trace> trace;
    std::optional<results::profile> profile;
    if (!paths.empty()) trace.emplace(paths);
    if (!profile_paths.empty()) profile = read_run(profile_paths, [&](auto& part) { places.resolve(part); });

    exports::run const from{trace ? &*trace : nullptr, profile ? &*profile : nullptr,
                            [&](std::string const& file) { return places.place(file); }};
    check(format, from);
    if (trace && profile) check_same_run(*trace, *profile);
    if (trace) {
        for (auto const& note : trace->notes()) say(note);
    }
    format.write(from, given.output);
    say_lines(places.notes());
}

std::map<std::string, exports::format const*> formats_by_name() {
    std::map<std::string, exports::format const*> by_name;
    for (auto const* const format : exports::formats()) by_name.emplace(format->name, format);
    return by_name;
}

std::string list_of_formats() {
    std::string text = "Formats:";
    for (auto const* const format : exports::formats()) {
        text += fmt::format("\n  {:22} {}", format->name, format->meaning);
    }
    return text;
}

}  // namespace

void add_export(CLI::App& command) {
    static arguments given;
    auto* const add = command.add_subcommand("export", "Write a run in the format of another tool.");
    static auto const formats = formats_by_name();
    add->add_option("FORMAT", given.format, "One of those below.")
        ->required()
        ->check(CLI::IsMember(&formats));
    add->add_option("FILE", given.files,
                    "Traces and profiles of one run, of its ranks or of the whole, as the format needs.")
        ->required();
    add->add_option("-o,--output", given.output,
                    "The file to be written, or the folder; - is standard output, for formats of text.")
        ->required();
    add->footer(list_of_formats());
    add->callback([] { export_files(*formats.at(given.format), given); });
}

}  // namespace mpiprof::inline v1::cli
