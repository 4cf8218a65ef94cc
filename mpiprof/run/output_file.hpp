// Where a recording's profile goes.
#pragma once

#include <mpiprof/results/file.hpp>
#include <mpiprof/run/process.hpp>
#include <mpiprof/run/settings.hpp>

#include <string>
#include <string_view>

namespace mpiprof::inline v1::detail {

/// The file that was asked for, or under the program's name in a directory that was asked for, or else in the
/// working directory.
[[gnu::cold]] inline std::string output_path(settings const& options) {
    auto text = options.output;
    if (!text.empty() && !results::is_directory(text)) return text;
    if (!text.empty()) text += '/';
    text += program_name();
    text += ".mpiprof.json";
    return text;
}

/// A file's name with something before its ending.
[[gnu::cold]] inline std::string before_ending(std::string path, std::string const& inserted) {
    constexpr std::string_view ending = ".json";
    auto const end = path.ends_with(ending) ? path.size() - ending.size() : path.size();
    return path.insert(end, inserted);
}

/// The name of a rank's own file: "run.rank3.json" for "run.json".
[[gnu::cold]] inline std::string rank_file(std::string const& path, std::string const& rank) {
    return before_ending(path, ".rank" + rank);
}

/// The name of a rank's trace: "run.rank3.trace" for "run.json".
[[gnu::cold]] inline std::string trace_file_name(std::string path, std::string const& rank) {
    constexpr std::string_view ending = ".json";
    if (path.ends_with(ending)) path.resize(path.size() - ending.size());
    return path + ".rank" + rank + ".trace";
}

/// The path from the root, seen from the working directory of now.
[[gnu::cold]] inline std::string absolute_path(std::string const& path) {
    if (path.starts_with('/')) return path;
    char* const here = ::getcwd(nullptr, 0);
    if (here == nullptr) return path;
    auto text = std::string{here} + '/' + path;
    std::free(here);
    return text;
}

}  // namespace mpiprof::inline v1::detail
