#include <mpiprof/cli/gather_shards.hpp>

#include <mpiprof/cli/locked_file.hpp>
#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/cli/read_shards.hpp>
#include <mpiprof/cli/say.hpp>
#include <mpiprof/results/file.hpp>
#include <mpiprof/results/json.hpp>
#include <mpiprof/run/job_key.hpp>
#include <mpiprof/run/output_file.hpp>
#include <mpiprof/run/trace_head.hpp>
#include <mpiprof/traces/merge.hpp>

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace mpiprof::inline v1::cli {

namespace {

using mpiprof::detail::text_of;

namespace fs = std::filesystem;

/// What the head says of the process, with no more read than that.
struct owner {
    bool known = false;
    std::int64_t process = 0;
    bool running = false;
    std::int64_t rank = -1;
    std::string host;
    std::string job;
    std::string output;
};

/// Reads the head of a file of this user's. Others may put what they like in the folder, a FIFO that keeps
/// waiting whoever opens it, too.
template <class Head>
bool read_head(fs::path const& path, Head& head) {
    int const file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return false;
    struct ::stat status{};
    bool const ours = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
    bool const whole = ours && ::read(file, static_cast<void*>(&head), sizeof head) == ::ssize_t{sizeof head};
    ::close(file);
    return whole && std::memcmp(head.magic, Head::right_magic, sizeof head.magic) == 0 &&
           head.version == Head::right_version;
}

template <class Head>
owner owner_by_head(fs::path const& path) {
    auto const head = std::make_unique<Head>();
    if (!read_head(path, *head)) return {};
    return {true,
            head->process,
            is_running(*head),
            head->rank,
            text_of(head->host),
            text_of(head->job),
            text_of(head->output)};
}

bool is_trace(fs::path const& path) { return path.extension() == ".trace"; }

/// Of a file of shards, or of a trace; of any other nothing is known.
owner owner_of(fs::path const& path) {
    if (is_trace(path)) return owner_by_head<trace_head>(path);
    return path.extension() == ".shards" ? owner_by_head<shard_file_head>(path) : owner{};
}

void say_unwritten(char const* what, std::string const& path, std::string const& why, fs::path const& stays) {
    say(fmt::format("cannot write the {} '{}': {}; what was recorded stays in {}", what, path, why,
                    stays.string()));
}

/// False where the rank file cannot be written.
bool write_rank_file(fs::path const& shards, owner const& who) {
    std::ifstream file{shards, std::ios::binary};
    std::string const bytes{std::istreambuf_iterator<char>{file}, {}};
    auto const run = read_shards(bytes);
    // A rank that was not to be recorded leaves nothing.
    if (results::overlap(run.ranks, run.left_out)) return true;
    auto const path = detail::rank_file(who.output, std::to_string(who.rank));
    auto const written = results::write_file(path, results::to_json(run));
    if (written.error.empty()) return true;
    say_unwritten("profile", path, written.error, shards);
    return false;
}

/// Makes the finished trace of one that was left, with what was spilled of it. False where that cannot be.
bool write_trace(fs::path const& left, owner const& who) {
    auto const head = std::make_unique<trace_head>();
    if (!read_head(left, *head)) return false;
    auto const temporary = fmt::format("{}.tmp{}", who.output, ::getpid());
    std::vector<std::string> notes;
    auto path = who.output;
    std::string why;
    try {
        traces::merge({left.string()}, temporary, notes, [](std::uint64_t, std::uint64_t) {});
        if (int const error = results::detail::give_name(path, temporary.c_str()); error != 0)
            why = std::strerror(error);
    } catch (std::exception const& error) {
        ::unlink(temporary.c_str());
        why = error.what();
    }
    if (!why.empty()) {
        say_unwritten("trace", path, why, left);
        return false;
    }
    for (auto const& note : notes) say(note);
    if (auto const spilled = text_of(head->spilled); !spilled.empty()) ::unlink(spilled.c_str());
    return true;
}

/// Returns whether the process is one of the session's that still run.
bool gather(fs::path const& shards, std::string const& session) {
    auto const who = owner_of(shards);
    if (!who.known || !detail::in_session(who.job, session) || who.host != detail::host_name()) return false;
    if (who.running) return true;
    locked_file const claim{shards.string()};
    if (!claim.owned() || claim.user() != ::geteuid()) return false;
    bool const trace = is_trace(shards);
    if (who.rank < 0) {
        // It made no MPI call that could be counted, and nobody could say whose it was.
        if (!trace)
            say(fmt::format("process {} ended before MPI had told its rank; it recorded nothing",
                            who.process));
    } else if (trace ? !write_trace(shards, who) : !write_rank_file(shards, who)) {
        return false;
    }
    ::unlink(shards.c_str());
    return false;
}

}  // namespace

int gather_shards(std::string const& folder, std::string const& session) {
    int running = 0;
    std::error_code ignored;
    for (auto const& entry : fs::directory_iterator{folder, ignored}) {
        try {
            if (gather(entry.path(), session)) ++running;
        } catch (input_error const& error) {
            say(fmt::format("{}: {}", entry.path().string(), error.what()));
        }
    }
    return running;
}

bool has_shards_to_gather(std::string const& folder, std::string const& session) {
    std::error_code ignored;
    for (auto const& entry : fs::directory_iterator{folder, ignored}) {
        auto const who = owner_of(entry.path());
        bool const ours =
            who.known && detail::in_session(who.job, session) && who.host == detail::host_name();
        if (ours && !who.running) return true;
    }
    return false;
}

}  // namespace mpiprof::inline v1::cli
