// A format that runs can be exported to.
#pragma once

#include <mpiprof/results/profile.hpp>
#include <mpiprof/traces/trace.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace mpiprof::inline v1::exports {

/// What there is of a run.
struct run {
    /// nullptr where there is none.
    traces::trace const* trace = nullptr;
    results::profile const* profile = nullptr;
    /// Where in the source the call site of an unmodified program lies (the `file` of one without a line);
    /// empty where nobody can tell.
    std::function<std::string(std::string const&)> resolve = {};
};

/// What a format is made of.
enum class needs {
    trace,
    profile,
    /// The trace, or else the profile.
    either,
};

/// One format. Adding one is a file that defines it, and a row in formats.cpp.
struct format {
    /// As the user names it: "chrome".
    char const* name;
    /// What it is and what opens it, in one line.
    char const* meaning;
    exports::needs needs;
    /// Writes the file `path`, or the folder, if the format has one. What is there is replaced when the new
    /// one is whole. Throws std::runtime_error, with one line that names the path, where it cannot be
    /// written.
    void (*write)(exports::run const& from, std::string const& path);
    /// Is it one file of text, which replace_text_file writes, so that the path may be "-", standard output?
    bool is_text = false;
};

/// All formats, by name.
std::span<format const* const> formats();

extern format const chrome;
extern format const csv_calls;
extern format const csv_peers;
extern format const csv_summary;
extern format const otf2;
extern format const scope_profiler;
extern format const scope_profiler_hdf5;
extern format const speedscope;

}  // namespace mpiprof::inline v1::exports
