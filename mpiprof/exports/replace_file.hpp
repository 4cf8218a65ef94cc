// Files that come into their place when they are whole.
#pragma once

#include <mpiprof/core/config.hpp>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace mpiprof::inline v1::exports {

/// Throws std::runtime_error where the output is one of the inputs, which would be lost.
void check_output(std::string const& path, std::vector<std::string> const& inputs);

/// Has `write` write a file beside the one at `path`, by the name that it is given, which then takes that
/// one's place; what is no regular file is written to itself. Throws std::runtime_error with one line that
/// names the path, where `write` throws or the file cannot be put in its place, and leaves nothing behind.
void replace_file(std::string const& path, std::function<void(std::string const&)> const& write);

/// The same of text; "-" is standard output. Numbers are written as in C, whatever the locale.
void replace_text_file(std::string const& path, std::function<void(std::ostream&)> const& write);

}  // namespace mpiprof::inline v1::exports
