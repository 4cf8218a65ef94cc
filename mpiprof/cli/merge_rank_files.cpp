#include <mpiprof/cli/merge_rank_files.hpp>

#include <mpiprof/cli/locked_file.hpp>
#include <mpiprof/cli/profile_head.hpp>
#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/cli/report_files.hpp>
#include <mpiprof/cli/say.hpp>
#include <mpiprof/results/file.hpp>
#include <mpiprof/results/json.hpp>
#include <mpiprof/run/filters.hpp>
#include <mpiprof/run/job_key.hpp>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace mpiprof::inline v1::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view json_ending = ".json";

/// Takes `mark` and a number off the end of a name; -1 where it does not end so.
std::int64_t take_number(std::string_view& name, std::string_view mark) {
    auto const digits = name.find_last_not_of("0123456789") + 1;
    if (digits == name.size() || !name.substr(0, digits).ends_with(mark)) return -1;
    std::int64_t number = 0;
    if (std::from_chars(name.data() + digits, name.data() + name.size(), number).ec != std::errc{}) return -1;
    name = name.substr(0, digits - mark.size());
    return number;
}

/// "run.rank3.2" of "run.rank3.2.json".
rank_file_name parse_stem(std::string_view stem) {
    rank_file_name found;
    if (auto const number = take_number(stem, "."); number >= 0) found.number = number;
    found.rank = take_number(stem, ".rank");
    found.output = std::string{stem} + std::string{json_ending};
    return found;
}

/// Rank files of one job's rank, the first ones first.
struct rank_file {
    std::int64_t number = 1;
    std::string path;
    bool operator<(rank_file const& other) const { return number < other.number; }
};

using files_by_rank = std::map<std::int64_t, std::vector<rank_file>>;

/// The rank files that there are, by the path of their run's profile.
std::map<std::string, files_by_rank> find_rank_files(std::string const& output) {
    std::map<std::string, files_by_rank> found;
    bool const any = output.empty() || results::is_directory(output);
    auto const folder = any ? fs::path{output.empty() ? "." : output} : fs::path{output}.parent_path();
    auto const wanted = any ? std::string{} : fs::path{output}.filename().string();
    std::error_code ignored;
    for (auto const& entry : fs::directory_iterator{folder.empty() ? "." : folder, ignored}) {
        auto const name = parse_rank_file(entry.path().filename().string(), wanted);
        if (name.rank < 0) continue;
        found[(folder / name.output).string()][name.rank].push_back({name.number, entry.path().string()});
    }
    for (auto& [path, ranks] : found) {
        for (auto& [rank, files] : ranks) std::sort(files.begin(), files.end());
    }
    return found;
}

/// The files of one job among them.
files_by_rank of_job(files_by_rank const& all, profile_head const& job) {
    files_by_rank found;
    for (auto const& [rank, files] : all) {
        for (auto const& file : files) {
            auto const head = read_head(file.path);
            if (head.job == job.job && head.world_size == job.world_size) found[rank].push_back(file);
        }
    }
    return found;
}

/// No signal but SIGKILL ends the process while it lives.
class uninterrupted {
  public:
    uninterrupted() {
        ::sigset_t all;
        ::sigfillset(&all);
        ::sigprocmask(SIG_SETMASK, &all, &before_);
    }
    uninterrupted(uninterrupted const&) = delete;
    uninterrupted& operator=(uninterrupted const&) = delete;
    ~uninterrupted() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

  private:
    ::sigset_t before_;
};

/// Is this very text in the file?
bool has_text(std::string const& path, std::string_view text) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) != text.size() || error) return false;
    std::ifstream file{path, std::ios::binary};
    return std::equal(std::istreambuf_iterator<char>{file}, {}, text.begin(), text.end());
}

/// Writes the run's profile, unless it is there since who wrote it died before the ranks' files were gone.
/// False, with a line on standard error, where it cannot.
bool write_merged(results::profile const& run, std::string const& output) {
    auto const text = results::to_json(run);
    std::error_code ignored;
    auto path = output;
    for (int number = 1; fs::exists(path, ignored); path = results::detail::numbered(output, ++number)) {
        if (has_text(path, text)) return true;
    }
    auto const written = results::write_file(output, text);
    if (written.error.empty()) return true;
    say(fmt::format("cannot write the profile '{}': {}; the ranks' profiles stay", output, written.error));
    return false;
}

/// Merges one file of each rank, unless another process has done so.
void merge_files(std::vector<std::string> const& paths, std::string const& output, settings const& options) {
    locked_file const claim{paths.front()};
    if (!claim.owned()) return;
    auto const run = read_run(paths);
    bool const reports = options.report == report_to::standard_error;
    auto const report = reports ? report_files(paths) : std::string{};
    {
        uninterrupted const whole;
        if (!write_merged(run, output)) return;
        // The first one last, since it is what others claim.
        for (auto path = paths.rbegin(); path != paths.rend(); ++path) ::unlink(path->c_str());
    }
    std::fputs(report.c_str(), stderr);
}

/// Merges what one job's ranks left: each recording of a process leaves a file, in the same order on all
/// ranks.
void merge_job(files_by_rank const& files, std::string const& output, settings const& options) {
    std::size_t sets = SIZE_MAX;
    for (auto const& [rank, its] : files) sets = std::min(sets, its.size());
    for (std::size_t set = 0; set < sets; ++set) {
        std::vector<std::string> paths;
        for (auto const& [rank, its] : files) paths.push_back(its[set].path);
        try {
            merge_files(paths, output, options);
        } catch (input_error const& error) {
            say(error.what());
        }
    }
}

/// The jobs of the session that the lowest rank has files of.
std::vector<profile_head> jobs_of(std::vector<rank_file> const& files, std::string const& session) {
    std::vector<profile_head> jobs;
    std::set<std::string> seen;
    for (auto const& file : files) {
        auto head = read_head(file.path);
        if (detail::in_session(head.job, session) && seen.insert(head.job).second)
            jobs.push_back(std::move(head));
    }
    return jobs;
}

}  // namespace

rank_file_name parse_rank_file(std::string_view name, std::string_view wanted) {
    if (wanted.empty() || wanted.ends_with(json_ending)) {
        if (!name.ends_with(json_ending)) return {};
        auto found = parse_stem(name.substr(0, name.size() - json_ending.size()));
        bool const right = wanted.empty() ? found.output.ends_with(".mpiprof.json") : found.output == wanted;
        return right ? found : rank_file_name{};
    }
    // A number stands before the last ending, which is the rank.
    rank_file_name found;
    found.rank = take_number(name, ".rank");
    found.output = wanted;
    if (found.rank < 0 || name == wanted) return found;
    found.number = take_number(name, ".");
    return found.number >= 0 && name == wanted ? found : rank_file_name{};
}

std::vector<incomplete_run> merge_rank_files(settings const& options, std::string const& session) {
    std::vector<incomplete_run> incomplete;
    for (auto const& [output, files] : find_rank_files(options.output)) {
        for (auto const& job : jobs_of(files.begin()->second, session)) {
            auto const wanted =
                job.world_size - results::size(detail::ranks_left_out(options.ranks, job.world_size));
            // Names are cheap to look at, and most of the processes that come here come too early.
            auto ranks = std::distance(files.begin(), files.lower_bound(job.world_size));
            files_by_rank its;
            if (ranks >= wanted) {
                its = of_job(files, job);
                ranks = std::ssize(its);
            }
            if (ranks == wanted) merge_job(its, output, options);
            else incomplete.push_back({output, ranks, wanted});
        }
    }
    return incomplete;
}

}  // namespace mpiprof::inline v1::cli
