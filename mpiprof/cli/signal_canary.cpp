#include <mpiprof/cli/signal_canary.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <mpiprof/run/process_status.hpp>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpiprof::inline v1::cli {

namespace {

/// A child that does nothing and holds nothing open; -1 where there can be none.
::pid_t start_canary() {
    auto const parent = ::getpid();
    auto const process = ::fork();
    if (process != 0) return process;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);
    ::close_range(0, ~0U, 0);
    for (;;) ::pause();
}

void end_canary(::pid_t process) {
    if (process <= 0) return;
    ::kill(process, SIGKILL);
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

/// Signal N is bit N - 1.
std::uint64_t pending_signals(::pid_t process) {
    constexpr std::string_view field = "\nShdPnd:";
    auto const text = detail::file_text(fmt::format("/proc/{}/status", process));
    auto const line = text.find(field);
    return line == std::string::npos ? 0 : std::strtoull(text.c_str() + line + field.size(), nullptr, 16);
}

}  // namespace

signal_canary::signal_canary() : process_{start_canary()} {}

signal_canary::~signal_canary() { end_canary(process_); }

bool signal_canary::has_got(int signal) {
    if (process_ <= 0) return false;
    auto const bit = std::uint64_t{1} << (signal - 1);
    // The kernel may still be at giving it to the members of the group.
    ::timespec const moment{0, 1'000'000};
    ::nanosleep(&moment, nullptr);
    bool const pending = (pending_signals(process_) & bit) != 0;
    bool const got = pending || (earlier_ & bit) != 0;
    earlier_ &= ~bit;
    if (pending) {
        // One that has nothing pending; the old one goes afterwards, so that none is missed in between.
        auto const old = process_;
        process_ = start_canary();
        earlier_ |= pending_signals(old) & ~bit;
        end_canary(old);
    }
    return got;
}

}  // namespace mpiprof::inline v1::cli
