// `mpiprof report`.
#include <mpiprof/cli/commands.hpp>
#include <mpiprof/cli/report_files.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace mpiprof::inline v1::cli {

void add_report(CLI::App& command) {
    static std::vector<std::string> files;
    auto* const report = command.add_subcommand(
        "report", "Print a run's report: where the time went, by operation and call site.");
    report->add_option("FILE", files, "The profile of a run, or the rank files of one run, which are merged.")
        ->required();
    report->callback([] { fmt::print("{}", report_files(files)); });
}

}  // namespace mpiprof::inline v1::cli
