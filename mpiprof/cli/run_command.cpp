// `mpiprof run`.
#include <mpiprof/cli/commands.hpp>
#include <mpiprof/cli/executable.hpp>
#include <mpiprof/cli/gather_shards.hpp>
#include <mpiprof/cli/merge_rank_files.hpp>
#include <mpiprof/cli/run_program.hpp>
#include <mpiprof/cli/say.hpp>
#include <mpiprof/results/file.hpp>
#include <mpiprof/run/instrumentations.hpp>
#include <mpiprof/run/job_key.hpp>
#include <mpiprof/run/output_file.hpp>
#include <mpiprof/run/parse_settings.hpp>
#include <mpiprof/run/process_file.hpp>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>

namespace mpiprof::inline v1::cli {

namespace {

namespace fs = std::filesystem;

/// An option, and the setting in MPIPROF that it stands for.
struct run_option {
    char const* name;
    char const* key;
    /// What a flag sets; nullptr where the user says what.
    char const* value;
    char const* type;
    char const* help;
};

constexpr run_option run_options[] = {
    {"--output", "output", nullptr, "FILE", "The profile, or a directory for it; by default this one."},
    {"--report", "report", "stderr", "", "Print the report on standard error at the end."},
    {"--paused", "start", "paused", "", "Record nothing before the program resumes it."},
    {"--ranks", "ranks", nullptr, "RANKS", "Record on these ranks only, as 0-3+8."},
    {"--include", "include", nullptr, "NAMES", "Record these operations only, as send+recv+all*."},
    {"--exclude", "exclude", nullptr, "NAMES", "Record all operations but these."},
    {"--queries", "queries", "on", "", "Record the cheap questions too, as MPI_Comm_rank."},
    {"--depth", "depth", nullptr, "N", "Tell call sites apart by so many callers; 1 by default."},
    {"--sinks", "sinks", nullptr, "NAMES", "Sinks to record to, + between them, or none."},
    {"--trace", "sinks", "summary+trace", "", "Record a trace too: each call with its times."},
    {"--trace-size", "trace", nullptr, "SIZE", "Room for the trace of each process; by default 64MiB."},
    {"--trace-keep", "trace_keep", nullptr, "WHICH", "What stays when that is full: oldest, or newest."},
    {"--trace-spill", "trace_spill", "on", "", "Write the trace to its file while the program runs."},
    {"--merge", "merge", nullptr, "HOW",
     "auto, files, or collective: over MPI, where all ranks are profiled."},
    {"--clock", "clock", nullptr, "CLOCK",
     "auto, or steady: the system's in place of the processor's counter."},
    {"--shards", "shards", nullptr, "FOLDER",
     "For what survives a killed process, or none; by default /dev/shm."},
};

[[noreturn]] void wrong_usage(std::string const& line) {
    constexpr int bad_usage = 2;
    throw run_error(bad_usage, line);
}

/// Can the syntax of MPIPROF hold the value?
bool fits_in_settings(std::string const& value) {
    return value.find(',') == std::string::npos && detail::trim(value) == value;
}

/// The path, or the working directory for "", from the root.
std::string from_root(std::string const& path) {
    auto const whole = (fs::current_path() / path).lexically_normal();
    return (whole.has_filename() ? whole : whole.parent_path()).string();
}

/// The setting that an option stands for, checked as the program would; paths from the root.
std::string setting_of(run_option const& option, std::string value) {
    if (!fits_in_settings(value)) {
        wrong_usage(fmt::format("{} '{}': a value cannot have commas in it, nor begin or end with a space",
                                option.name, value));
    }
    settings checked;
    auto const problems =
        parse_settings(fmt::format("{}={}", option.key, value), default_instrumentation::sink::name, checked);
    constexpr std::string_view start = "mpiprof: MPIPROF: ";
    for (auto const& line : problems) wrong_usage("--" + line.substr(start.size()));

    std::string_view const key = option.key;
    bool const is_folder = key == "shards" && value != "none";
    if (key == "output" || is_folder) {
        auto const given = value;
        value = from_root(given);
        auto const folder = is_folder ? value : fs::path{value}.parent_path().string();
        if (!results::is_directory(folder))
            wrong_usage(fmt::format("{} '{}': there is no directory {}", option.name, given, folder));
    }
    return fmt::format("{}={}", option.key, value);
}

/// What MPIPROF says so far; problems are the program's to tell.
settings settings_of(std::string const& text) {
    settings found;
    parse_settings(text, default_instrumentation::sink::name, found);
    return found;
}

/// Beside this command, or where it is built or installed.
std::string find_preload() {
    constexpr char const* name = "libmpiprof_preload.so";
    std::error_code error;
    auto const here = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (auto const* const folder : {".", "../preload", "../lib", "../lib/mpiprof"}) {
        auto const path = fs::canonical(here / folder / name, error);
        if (error) continue;
        if (path.string().find_first_of(" \t:") == std::string::npos) return path.string();
        throw run_error(
            run_error::cannot_profile,
            fmt::format("{}: LD_PRELOAD cannot hold a path with spaces or colons", path.string()));
    }
    throw run_error(run_error::cannot_profile,
                    fmt::format("no {} in {}, ../preload, ../lib or ../lib/mpiprof", name, here.string()));
}

/// The name of what is started here, the same for all ranks that a launcher starts.
std::string new_session() {
    auto name = detail::environment(detail::job_variable);
    if (name.empty()) name = detail::launcher_job();
    if (!name.empty()) return name;
    return fmt::format("{}.{}.{}", detail::host_name(), ::getpid(), detail::status_of(::getpid()).start);
}

void set_environment(std::string const& libraries, std::string const& settings, std::string const& session) {
    ::setenv("LD_PRELOAD", libraries.c_str(), 1);
    ::setenv("MPIPROF", settings.c_str(), 1);
    ::setenv(detail::job_variable, session.c_str(), 1);
}

/// Says what was not merged, where all that this command started is over.
void tell(std::vector<incomplete_run> const& runs) {
    for (auto const& run : runs) {
        say(fmt::format("{} of {} ranks left a profile; to see them: mpiprof report {}", run.ranks,
                        run.wanted, detail::rank_file(run.output, "*")));
    }
}

/// Gathers what the session's processes left. Launchers that kill their ranks return before the last of them
/// are dead; some that run on are waited for in vain.
void gather_all(std::string const& folder, std::string const& session, bool is_rank) {
    ::timespec const pause{0, 20'000'000};
    for (int tries = 0; gather_shards(folder, session) > 0 && !is_rank && tries < 150; ++tries)
        ::nanosleep(&pause, nullptr);
}

/// What is done when the program has ended, however it did.
void collect(settings const& options, std::string const& session, bool is_rank) {
    try {
        if (options.shards != "none") gather_all(process_file::folder(options.shards), session, is_rank);
        auto const incomplete = merge_rank_files(options, session);
        if (!is_rank) tell(incomplete);
    } catch (std::exception const& error) {
        say(error.what());
    }
}

/// `words` are the program and its arguments, `given` the settings that the options stand for.
[[noreturn]] void run(std::vector<std::string> words, std::vector<std::string> const& given) {
    auto text = detail::environment("MPIPROF");
    for (auto const& setting : given) text += (text.empty() ? "" : ", ") + setting;
    // What is written, wherever the program goes, is to be found here.
    auto const given_output = settings_of(text).output;
    auto const output = from_root(given_output);
    if (output != given_output && fits_in_settings(output))
        text += (text.empty() ? "output=" : ", output=") + output;
    auto const options = settings_of(text);

    auto const preload = find_preload();
    auto const program = find_program(words.front());
    auto const sanitizer = check_preloadable(program, preload);
    bool const is_rank = !detail::launcher_job().empty();
    auto const session = new_session();
    set_environment(preload_list(detail::environment("LD_PRELOAD"), preload, sanitizer), text, session);
    auto const has_to_gather = [&] {
        return options.shards != "none" &&
               has_shards_to_gather(process_file::folder(options.shards), session);
    };
    end_like(run_program(program, words, has_to_gather, [&] { collect(options, session, is_rank); }));
}

}  // namespace

void add_run(CLI::App& command) {
    constexpr auto count = std::size(run_options);
    static std::vector<std::string> values(count);
    static std::vector<CLI::Option*> options;
    auto* const sub =
        command.add_subcommand("run", "Run a program, MPI or not, unmodified, and profile its MPI calls.");
    sub->prefix_command();
    // From the first word that is no option on all words are the program's, options too. The parser does so
    // with words that fit no parameter, as this one takes none; it is there for the help, and to have `--`
    // accepted.
    static std::vector<std::string> none;
    sub->add_option("PROGRAM", none, "The program and its arguments; options come before it.")
        ->check([](std::string const&) { return std::string{"the program's"}; });
    sub->validate_positionals();
    sub->footer("The program and its arguments come last: mpiprof run --output run.json ./solver -n 5");
    for (std::size_t i = 0; i < count; ++i) {
        auto const& [name, key, value, type, help] = run_options[i];
        options.push_back(value != nullptr ? sub->add_flag(name, help)
                                           : sub->add_option(name, values[i], help)->type_name(type));
    }
    sub->callback([sub] {
        auto words = sub->remaining();
        bool const separated = !words.empty() && words.front() == "--";
        if (separated) words.erase(words.begin());
        if (words.empty()) wrong_usage("run: which program? (mpiprof run --help)");
        if (!separated && words.front().starts_with('-'))
            wrong_usage(fmt::format("run: the option {} is not known (mpiprof run --help)", words.front()));
        std::vector<std::string> given;
        for (std::size_t i = 0; i < count; ++i) {
            if (options[i]->count() == 0) continue;
            auto const& option = run_options[i];
            given.push_back(setting_of(option, option.value != nullptr ? option.value : values[i]));
        }
        run(std::move(words), given);
    });
}

}  // namespace mpiprof::inline v1::cli
