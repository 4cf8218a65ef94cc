#include <mpiprof/cli/gather_shards.hpp>

#include <mpiprof/cli/locked_file.hpp>
#include <mpiprof/cli/read_profile.hpp>
#include <mpiprof/cli/read_shards.hpp>
#include <mpiprof/cli/say.hpp>
#include <mpiprof/results/file.hpp>
#include <mpiprof/results/json.hpp>
#include <mpiprof/run/job_key.hpp>
#include <mpiprof/run/output_file.hpp>

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

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
bool read_head(fs::path const& path, shard_file_head& head) {
    int const file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return false;
    struct ::stat status{};
    bool const ours = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
    bool const whole = ours && ::read(file, static_cast<void*>(&head), sizeof head) == ::ssize_t{sizeof head};
    ::close(file);
    return whole && std::memcmp(head.magic, shard_file_head::right_magic, sizeof head.magic) == 0;
}

owner owner_of(fs::path const& path) {
    owner found;
    auto const head = std::make_unique<shard_file_head>();
    if (!read_head(path, *head)) return found;
    if (head->version != shard_file_head::right_version) return found;
    return {true,
            head->process,
            is_running(*head),
            head->rank,
            text_of(head->host),
            text_of(head->job),
            text_of(head->output)};
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
    say(fmt::format("cannot write the profile '{}': {}; what was recorded stays in {}", path, written.error,
                    shards.string()));
    return false;
}

/// Returns whether the process is one of the session's that still run.
bool gather(fs::path const& shards, std::string const& session) {
    auto const who = owner_of(shards);
    if (!who.known || !detail::in_session(who.job, session) || who.host != detail::host_name()) return false;
    if (who.running) return true;
    locked_file const claim{shards.string()};
    if (!claim.owned() || claim.user() != ::geteuid()) return false;
    if (who.rank < 0) {
        // It made no MPI call that could be counted, and nobody could say whose it was.
        say(fmt::format("process {} ended before MPI had told its rank; it recorded nothing", who.process));
    } else if (!write_rank_file(shards, who)) {
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
        if (entry.path().extension() != ".shards") continue;
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
        if (entry.path().extension() != ".shards") continue;
        auto const who = owner_of(entry.path());
        bool const ours =
            who.known && detail::in_session(who.job, session) && who.host == detail::host_name();
        if (ours && !who.running) return true;
    }
    return false;
}

}  // namespace mpiprof::inline v1::cli
