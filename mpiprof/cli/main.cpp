// The command `mpiprof`.
//
// Exit status: 0 done; 1 an input cannot be used; 2 the command line is wrong. `mpiprof run` has its
// program's.
#include <mpiprof/cli/commands.hpp>
#include <mpiprof/cli/executable.hpp>
#include <mpiprof/cli/say.hpp>
#include <mpiprof/core/config.hpp>

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
    for (auto* const add : {&mpiprof::cli::add_run, &mpiprof::cli::add_report, &mpiprof::cli::add_merge,
                            &mpiprof::cli::add_export})
        add(app);
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& error) {
        return app.exit(error) == 0 ? 0 : bad_usage;
    }
    return 0;
} catch (mpiprof::cli::run_error const& error) {
    mpiprof::cli::say(error.what());
    return error.status();
} catch (std::exception const& error) {
    mpiprof::cli::say(error.what());
    return bad_input;
}
