// Settings of a run from the environment variable MPIPROF, which wins over the program's.
#pragma once

#include <mpiprof/run/filters.hpp>
#include <mpiprof/run/settings.hpp>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpiprof::inline v1 {

namespace detail {

/// One problem: the thing, its value, and what is allowed.
inline std::string settings_problem(std::string_view what, std::string_view value, std::string_view allowed,
                                    char const* source = "MPIPROF") {
    std::string line = "mpiprof: ";
    line.append(source)
        .append(": ")
        .append(what)
        .append(" '")
        .append(value)
        .append("' is not known; allowed: ")
        .append(allowed);
    return line;
}

/// A number from 1 to `most`, without sign or spaces; 0 for anything else.
constexpr int small_number(std::string_view text, int most) noexcept {
    int number = 0;
    for (char const digit : text) {
        if (digit < '0' || digit > '9') return 0;
        number = number * 10 + (digit - '0');
        if (number > most) return 0;
    }
    return number;
}

/// "64MiB" in bytes: a whole number with KiB, MiB, GiB or nothing after it; 0 for anything else, and for what
/// is beyond 1 TiB.
constexpr std::int64_t parse_size(std::string_view text) noexcept {
    constexpr std::pair<std::string_view, int> units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    constexpr auto most = std::int64_t{1} << 40;
    int shift = 0;
    for (auto const& [unit, bits] : units) {
        if (!text.ends_with(unit)) continue;
        text.remove_suffix(unit.size());
        shift = bits;
    }
    std::int64_t number = 0;
    for (char const digit : text) {
        if (digit < '0' || digit > '9') return 0;
        number = number * 10 + (digit - '0');
        if (number > most >> shift) return 0;
    }
    return number << shift;
}

inline constexpr std::int64_t least_trace = std::int64_t{64} << 10;
inline constexpr char const* allowed_operations =
    "operations with + between them, as send+recv, where * may stand for the end of a name, as test*";
inline constexpr char const* allowed_ranks = "ranks with + between them, as 0-3+8";

/// Is `value` "none", or sinks out of those compiled in?
constexpr bool known_sinks(std::string_view value, std::string_view compiled) noexcept {
    if (value == "none") return true;
    while (!value.empty()) {
        if (!has_word(compiled, take_part(value, '+'))) return false;
    }
    return true;
}

}  // namespace detail

/// Takes back what the program's settings ask for by names that there are not, and returns a line for each.
inline std::vector<std::string> check_settings(settings& options) {
    std::vector<std::string> problems;
    auto const take_back = [&](char const* what, std::string& value, char const* allowed) {
        problems.push_back(detail::settings_problem(what, value, allowed, "settings"));
        value.clear();
    };
    if (!options.include.empty() && !detail::known_operations(options.include))
        take_back("include", options.include, detail::allowed_operations);
    if (!options.exclude.empty() && !detail::known_operations(options.exclude))
        take_back("exclude", options.exclude, detail::allowed_operations);
    if (!options.ranks.empty() && !detail::parse_ranks(options.ranks))
        take_back("ranks", options.ranks, detail::allowed_ranks);
    return problems;
}

/// Reads `key=value` settings, commas between them, on top of `options`. `compiled_sinks` are the names of
/// the sinks that there are, `+` between them. Returns a line for each part that is not understood; such a
/// part changes nothing.
inline std::vector<std::string> parse_settings(std::string_view text, std::string_view compiled_sinks,
                                               settings& options) {
    constexpr std::string_view keys =
        "off, clock, depth, exclude, include, merge, output, queries, ranks, report, shards, sinks, start, "
        "trace, trace_keep, trace_spill";
    std::vector<std::string> problems;
    auto const reject = [&](std::string_view what, std::string_view value, std::string_view allowed) {
        problems.push_back(detail::settings_problem(what, value, allowed));
    };
    auto const choose = [&]<class T>(std::string_view key, std::string_view value, T& option,
                                     std::initializer_list<std::pair<char const*, T>> choices) {
        std::string allowed;
        for (auto const& [word, meaning] : choices) {
            if (value == word) {
                option = meaning;
                return;
            }
            allowed += allowed.empty() ? word : std::string{", "} + word;
        }
        reject(key, value, allowed);
    };

    while (!text.empty()) {
        auto part = detail::take_part(text, ',');
        if (part.empty()) continue;
        bool const has_value = part.find('=') != std::string_view::npos;
        auto const key = detail::take_part(part, '=');
        auto const value = part;
        if (!has_value) {
            if (key == "off") options.off = true;
            else reject("setting", key, keys);
        } else if (key == "output") {
            if (value.empty()) reject(key, value, "a file name");
            else options.output = value;
        } else if (key == "shards") {
            if (value.empty()) reject(key, value, "none, or a folder's name");
            else options.shards = value;
        } else if (key == "clock") {
            choose(key, value, options.clock, {{"auto", clock_by::automatic}, {"steady", clock_by::steady}});
        } else if (key == "depth") {
            constexpr int most = 16;
            if (int const depth = detail::small_number(value, most); depth > 0) options.depth = depth;
            else reject(key, value, "a number of frames from 1 to 16");
        } else if (key == "queries") {
            choose(key, value, options.queries, {{"on", true}, {"off", false}});
        } else if (key == "sinks") {
            if (value.empty() || !detail::known_sinks(value, compiled_sinks)) {
                reject(key, value, "none, or with + between them: " + std::string{compiled_sinks});
            } else {
                options.sinks = value;
            }
        } else if (key == "include" || key == "exclude") {
            if (!detail::known_operations(value)) reject(key, value, detail::allowed_operations);
            else (key == "include" ? options.include : options.exclude) = value;
        } else if (key == "ranks") {
            if (!detail::parse_ranks(value)) reject(key, value, detail::allowed_ranks);
            else options.ranks = value;
        } else if (key == "trace") {
            auto const size = detail::parse_size(value);
            if (size < detail::least_trace) reject(key, value, "a size from 64KiB to 1024GiB, as 64MiB");
            else options.trace_size = size;
        } else if (key == "trace_keep") {
            choose(key, value, options.trace_keep,
                   {{"oldest", trace_keep::oldest}, {"newest", trace_keep::newest}});
        } else if (key == "trace_spill") {
            choose(key, value, options.trace_spill, {{"on", true}, {"off", false}});
        } else if (key == "start") {
            choose(key, value, options.start_paused, {{"paused", true}, {"running", false}});
        } else if (key == "report") {
            choose(key, value, options.report,
                   {{"none", report_to::nowhere}, {"stderr", report_to::standard_error}});
        } else if (key == "merge") {
            choose(key, value, options.merge,
                   {{"auto", merge_by::automatic},
                    {"collective", merge_by::collective},
                    {"files", merge_by::files}});
        } else {
            reject("key", key, keys);
        }
    }
    return problems;
}

/// The settings in the environment alone, without what is wrong in them.
[[gnu::cold]] inline settings environment_settings() {
    settings options;
    if (char const* const text = std::getenv("MPIPROF")) static_cast<void>(parse_settings(text, "", options));
    return options;
}

}  // namespace mpiprof::inline v1
