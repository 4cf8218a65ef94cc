// `mpiprof merge`.
#include <mpiprof/cli/commands.hpp>
#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/cli/say.hpp>
#include <mpiprof/exports/replace_file.hpp>
#include <mpiprof/results/json.hpp>
#include <mpiprof/traces/merge.hpp>
#include <mpiprof/traces/rank_file.hpp>

#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>
#include <ostream>
#include <unistd.h>

namespace mpiprof::inline v1::cli {

namespace {

/// How far the work is, on a terminal and nowhere else.
class progress_bar {
  public:
    progress_bar() = default;
    progress_bar(progress_bar const&) = delete;
    progress_bar& operator=(progress_bar const&) = delete;
    ~progress_bar() {
        constexpr char const* erase_line = "\r\033[K";
        if (shown_ >= 0) fmt::print(stderr, "{}", erase_line);
    }

    void show(std::uint64_t done, std::uint64_t all) {
        auto const percent =
            all == 0 ? 100 : static_cast<int>(static_cast<double>(done) / static_cast<double>(all) * 100);
        if (!on_terminal_ || percent == shown_) return;
        shown_ = percent;
        constexpr int width = 50;
        auto const full = static_cast<std::size_t>(percent * width / 100);
        fmt::print(stderr, "\r[{:<{}}] {:3} %", std::string(full, '#'), width, percent);
        std::fflush(stderr);
    }

  private:
    bool on_terminal_ = ::isatty(STDERR_FILENO) == 1;
    int shown_ = -1;
};

/// Are they traces, not profiles? Throws input_error where some are and some are not.
bool are_traces(std::vector<std::string> const& files) {
    bool const first = traces::is_trace_file(files.front());
    for (auto const& file : files) {
        if (traces::is_trace_file(file) == first) continue;
        throw input_error(fmt::format("{}: no {} like the files before it; merge either traces or profiles",
                                      file, first ? "trace" : "profile"));
    }
    return first;
}

void merge_traces(std::vector<std::string> const& files, std::string const& output) {
    std::vector<std::string> notes;
    std::exception_ptr unusable;
    auto const write = [&](std::string const& path) {
        progress_bar bar;
        try {
            traces::merge(files, path, notes,
                          [&](std::uint64_t done, std::uint64_t all) { bar.show(done, all); });
        } catch (input_error const&) {
            unusable = std::current_exception();
            throw;
        }
    };
    try {
        exports::replace_file(output, write);
    } catch (std::runtime_error const&) {
        // It is not the output that is wrong then.
        if (unusable) std::rethrow_exception(unusable);
        throw;
    }
    for (auto const& note : notes) say(note);
}

void merge_profiles(std::vector<std::string> const& files, std::string const& output) {
    auto const text = results::to_json(read_run(files));
    exports::replace_text_file(output, [&](std::ostream& to) { to << text; });
}

}  // namespace

void add_merge(CLI::App& command) {
    static std::vector<std::string> files;
    static std::string output;
    auto* const merge = command.add_subcommand(
        "merge", "Make one file of the traces, or of the profiles, that the ranks of one run left.");
    merge->add_option("FILE", files, "Traces of one run, or profiles.")->required();
    merge->add_option("-o,--output", output, "The file to write.")->required();
    merge->callback([] {
        exports::check_output(output, files);
        if (are_traces(files)) merge_traces(files, output);
        else merge_profiles(files, output);
    });
}

}  // namespace mpiprof::inline v1::cli
