// The subcommands of `mpiprof`.
#pragma once

#include <mpiprof/core/config.hpp>

namespace CLI {
class App;
}

namespace mpiprof::inline v1::cli {

/// Each adds one to the command, which does its work when the command line is parsed, and throws where it
/// cannot.
void add_export(CLI::App& command);
void add_merge(CLI::App& command);
void add_report(CLI::App& command);
void add_run(CLI::App& command);

}  // namespace mpiprof::inline v1::cli
