// The command `mpiprof`.
//
// Exit status: 0 done; 1 an input cannot be used; 2 the command line is wrong.
#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/cli/resolve_places.hpp>
#include <mpiprof/report/text.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

constexpr int bad_input = 1;
constexpr int bad_usage = 2;

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app{"Where does the communication time go? Profiles of MPI programs, recorded with mpiprof."};
    app.name("mpiprof");
    app.set_version_flag("--version", fmt::format("mpiprof {}.{}.{}", mpiprof::version / 10000,
                                                  mpiprof::version / 100 % 100, mpiprof::version % 100));
    app.require_subcommand(1);

    std::vector<std::string> files;
    auto* const report = app.add_subcommand(
        "report", "Print a run's report: where the time went, by operation and call site.");
    report->add_option("FILE", files, "The profile of a run, or the rank files of one run, which are merged.")
        ->required();
    report->callback([&] {
        mpiprof::cli::place_resolver places;
        // Rank by rank, where rows of one line can be put together exactly.
        auto const run = mpiprof::cli::read_run(files, [&](auto& part) { places.resolve(part); });
        fmt::print("{}{}", mpiprof::report::to_text(run), places.notes());
    });

    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& error) {
        return app.exit(error) == 0 ? 0 : bad_usage;
    }
    return 0;
} catch (std::exception const& error) {
    fmt::print(stderr, "mpiprof: {}\n", error.what());
    return bad_input;
}
