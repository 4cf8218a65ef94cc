// What the recordings of this process have in common.
#pragma once

#include <mpiprof/core/completion.hpp>
#include <mpiprof/run/harmless_writes.hpp>
#include <mpiprof/run/preloaded.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mpiprof::inline v1 {

class recording_base;

/// This process within its job. The floor that knows MPI fills it in; without MPI it is a job of its own.
struct job_place {
    std::int64_t rank = 0;
    std::int64_t world_size = 1;
    /// The MPI library's name and version, "" without MPI.
    std::string library = {};
};

/// What the floor that knows MPI does for the floors that do not.
struct message_passing {
    /// Makes sure that the end of the MPI program will be seen. False where MPI does not run (yet, or any
    /// more).
    bool (*attach)() noexcept = nullptr;
    /// Keeps with the trace what the clock is by rank 0's, if all ranks want a trace of this recording, which
    /// all of them have. Collective over MPI_COMM_WORLD. Does nothing where MPI does not run.
    void (*sample_clocks)(recording_base&) noexcept = nullptr;
    /// Calls visit(posted, context) for each request of the process that was made, or started, and has not
    /// been seen to complete; `posted` is its completion as far as it is known. `visit` may throw.
    void (*visit_outstanding)(void (*visit)(completion const& posted, void* context),
                              void* context) = nullptr;
    /// Writes the results so far, of all recordings of the process, to files.
    void (*write_snapshot)() noexcept = nullptr;
};

/// The state that all recordings of a process share; never destroyed.
class process {
  public:
    static process& instance() {
        static auto* const only = new process;
        return *only;
    }

    process(process const&) = delete;
    process& operator=(process const&) = delete;

    std::recursive_mutex mutex;
    /// In the order in which they started.
    std::vector<recording_base*> recordings;
    /// How many of them all ranks are known to have.
    std::uint64_t collective_recordings = 0;
    message_passing hooks;
    /// MPI has been finalized: what is called from now on is not recorded.
    std::atomic<bool> over{false};
    job_place place;
    /// What recordings begin with: nothing is recorded before `resume`.
    std::atomic<bool> paused{false};
    /// In the preload library: it was resumed before it began, whatever `start=` says.
    std::atomic<bool> starts_running{false};
    /// In the preload library: calls that the program's own copy of mpiprof records are left to that.
    detail::other_nestings nestings;

    /// A line for rank 0 to say, once, as soon as it is known which rank this is.
    void add_message(std::string line) {
        if (std::find(messages_.begin(), messages_.end(), line) == messages_.end())
            messages_.push_back(std::move(line));
    }

    /// The same of a line that comes when the rank may be known already.
    void tell(std::string line) {
        std::lock_guard const lock{mutex};
        add_message(std::move(line));
        if (!place.library.empty()) say_messages();
    }

    /// Says the lines that wait, on rank 0.
    void say_messages() {
        if (said_ == messages_.size()) return;
        detail::harmless_writes const harmless;
        for (; said_ < messages_.size(); ++said_) {
            if (place.rank == 0) std::fprintf(stderr, "%s\n", messages_[said_].c_str());
        }
    }

  private:
    process() = default;

    std::vector<std::string> messages_;
    std::size_t said_ = 0;
};

namespace detail {

/// The program's file name without its folders.
inline std::string program_name() {
    char path[4096];
    auto const length = ::readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0) return "program";
    std::string const text{path, static_cast<std::size_t>(length)};
    return text.substr(text.rfind('/') + 1);
}

/// The command line, a space between the arguments, cut after 4000 characters.
inline std::string command_line() {
    constexpr std::size_t most = 4000;
    std::string text(most, '\0');
    std::size_t size = 0;
    if (auto* const file = std::fopen("/proc/self/cmdline", "re")) {
        size = std::fread(text.data(), 1, text.size(), file);
        std::fclose(file);
    }
    text.resize(size);
    while (!text.empty() && text.back() == '\0') text.pop_back();
    for (auto& character : text) {
        if (character == '\0') character = ' ';
    }
    return text;
}

inline std::string host_name() {
    char text[256] = {};
    return ::gethostname(text, sizeof text - 1) == 0 ? std::string{text} : std::string{"unknown"};
}

/// The time as ISO 8601 in UTC, "2026-11-30T14:25:24Z".
inline std::string utc_time(std::chrono::system_clock::time_point time) {
    auto const seconds = std::chrono::system_clock::to_time_t(time);
    std::tm parts{};
    char text[32] = {};
    if (::gmtime_r(&seconds, &parts) == nullptr) return text;
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

}  // namespace detail

}  // namespace mpiprof::inline v1
