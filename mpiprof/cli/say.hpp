// Messages to the user.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstdio>
#include <string>

namespace mpiprof::inline v1::cli {

/// One line on standard error, which may be closed.
inline void say(std::string const& line) { std::fprintf(stderr, "mpiprof: %s\n", line.c_str()); }

}  // namespace mpiprof::inline v1::cli
