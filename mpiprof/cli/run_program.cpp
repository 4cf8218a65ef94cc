#include <mpiprof/cli/run_program.hpp>

#include <mpiprof/cli/executable.hpp>
#include <mpiprof/cli/signal_canary.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <mpiprof/run/job_key.hpp>
#include <mpiprof/run/process_status.hpp>
#include <optional>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace mpiprof::inline v1::cli {

namespace {

/// What a process hands on to the program that it executes.
class inheritance {
  public:
    /// Keeps it, and blocks all signals, to be asked for one by one.
    inheritance() {
        ::sigset_t all;
        ::sigfillset(&all);
        ::sigprocmask(SIG_SETMASK, &all, &mask_);
        // Where it was ignored, children would leave no status.
        struct ::sigaction usual{};
        usual.sa_handler = SIG_DFL;
        ::sigaction(SIGCHLD, &usual, &on_child_);
        // An alarm that was set before the program started is the program's.
        ::itimerval const none{};
        for (std::size_t kind = 0; kind < timers_.size(); ++kind)
            ::setitimer(timer(kind), &none, &timers_[kind]);
    }

    /// In the child that becomes the program.
    void hand_on() const {
        ::sigaction(SIGCHLD, &on_child_, nullptr);
        for (std::size_t kind = 0; kind < timers_.size(); ++kind) {
            if (timers_[kind].it_value.tv_sec != 0 || timers_[kind].it_value.tv_usec != 0)
                ::setitimer(timer(kind), &timers_[kind], nullptr);
        }
        ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
    }

    /// Once the program has ended: lets signals by which users and launchers end a process, or stop it, do
    /// so, where they did before. The others, as that of a stream that nobody reads, stay blocked.
    void let_be_ended() const {
        ::sigset_t signals;
        ::sigemptyset(&signals);
        for (int const signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP}) {
            if (::sigismember(&mask_, signal) == 0) ::sigaddset(&signals, signal);
        }
        // Those that have come already were the program's, and came too late for it.
        ::timespec const none{0, 0};
        while (::sigtimedwait(&signals, nullptr, &none) > 0) {
        }
        ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    }

  private:
    static ::__itimer_which_t timer(std::size_t kind) {
        constexpr std::array kinds{ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
        return kinds[kind];
    }

    ::sigset_t mask_;
    struct ::sigaction on_child_{};
    std::array<::itimerval, 3> timers_{};
};

/// In the child.
[[noreturn]] void execute(std::string const& path, std::vector<std::string> const& arguments,
                          inheritance const& inherited, ::pid_t parent, int report) {
    std::vector<char*> words;
    for (auto const& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() == parent) {
        inherited.hand_on();
        // Like a shell it also runs scripts that do not say by what.
        ::execvp(path.c_str(), words.data());
        int const error = errno;
        static_cast<void>(!::write(report, &error, sizeof error));
    }
    ::_exit(run_error::cannot_execute);
}

/// A pipe whose ends no executed program sees.
struct pipe_ends {
    int read = -1;
    int write = -1;

    pipe_ends() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return;
        read = above_streams(ends[0]);
        write = above_streams(ends[1]);
    }

  private:
    /// Streams that are closed stay closed, and are not to be what this process opens.
    static int above_streams(int descriptor) {
        if (descriptor > STDERR_FILENO) return descriptor;
        int const other = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        ::close(descriptor);
        return other;
    }
};

/// Closes all descriptors but those for messages and `kept`. Who waits for a pipe, or a socket, of the
/// program to be closed waits for the program alone.
void let_go_of_files(std::vector<int> kept) {
    if (int const nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC); nothing >= 0) {
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(nothing, STDOUT_FILENO);
    }
    std::sort(kept.begin(), kept.end());
    unsigned first = STDERR_FILENO + 1;
    for (auto const descriptor : kept) {
        auto const number = static_cast<unsigned>(descriptor);
        if (descriptor < 0 || number < first) continue;
        if (number > first) ::close_range(first, number - 1, 0);
        first = number + 1;
    }
    ::close_range(first, ~0U, 0);
}

/// The socket by which MPICH's launcher sees that a rank has ended: it kills all the others then, and its own
/// child, which is this process, if that still runs.
int socket_of_launcher() {
    auto const text = detail::environment("PMI_FD");
    return text.empty() ? -1 : std::atoi(text.c_str());
}

/// Waits until a process has ended, for half a minute at most.
void wait_for_end_of(::pid_t process) {
    auto const start = detail::status_of(process).start;
    ::timespec const pause{0, 20'000'000};
    for (int tries = 0; tries < 1500; ++tries) {
        auto const status = detail::status_of(process);
        if (!status.alive() || status.start != start) return;
        ::nanosleep(&pause, nullptr);
    }
}

/// A process that does what is left to do when this one is killed, in a session of its own, since launchers
/// kill whole ones.
class keeper {
  public:
    keeper(::pid_t program, std::function<void()> const& at_end) {
        pipe_ends const alive;
        process_ = alive.read < 0 ? -1 : ::fork();
        if (process_ == 0) {
            ::setsid();
            let_go_of_files({alive.read});
            ::dup2(STDOUT_FILENO, STDERR_FILENO);
            char done = 0;
            if (::read(alive.read, &done, 1) == 0) {
                wait_for_end_of(program);
                at_end();
            }
            ::_exit(0);
        }
        ::close(alive.read);
        alive_ = alive.write;
    }
    keeper(keeper const&) = delete;
    keeper& operator=(keeper const&) = delete;
    /// This process has done all by itself.
    ~keeper() {
        if (alive_ >= 0) static_cast<void>(!::write(alive_, "", 1));
        while (process_ > 0 && ::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
        }
        if (alive_ >= 0) ::close(alive_);
    }

    /// This process has not: the keeper goes on when it has ended.
    void go_on() noexcept { process_ = alive_ = -1; }

    int descriptor() const { return alive_; }

  private:
    ::pid_t process_ = -1;
    int alive_ = -1;
};

/// Waits for the program to end and passes signals on to it meanwhile.
class guardian {
  public:
    guardian(::pid_t program, signal_canary& canary) : program_{program}, canary_{canary} {}

    int wait() {
        ::sigset_t all;
        ::sigfillset(&all);
        for (;;) {
            ::siginfo_t info{};
            int const signal = ::sigwaitinfo(&all, &info);
            if (signal == SIGCHLD && has_ended()) return status_;
            if (signal > 0 && signal != SIGCHLD) take(signal, info);
        }
    }

  private:
    bool has_ended() {
        while (::waitpid(program_, &status_, WNOHANG | WUNTRACED | WCONTINUED) == program_) {
            if (WIFEXITED(status_) || WIFSIGNALED(status_)) return true;
            stopped_ = WIFSTOPPED(status_);
            stop_with_program();
        }
        return false;
    }

    /// A shell waits for this process, and takes the terminal back only when it stops.
    void stop_with_program() {
        if (!stopped_ || !group_was_stopped_) return;
        stopped_ = group_was_stopped_ = false;
        ::kill(::getpid(), SIGSTOP);
    }

    void take(int signal, ::siginfo_t const& info) {
        bool const came_to_group = canary_.has_got(signal) && ::getpgid(program_) == ::getpgrp();
        // The kernel's own are those of the terminal, which the whole group gets.
        if (came_to_group || info.si_code > 0) {
            group_was_stopped_ = signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
            stop_with_program();
            return;
        }
        if (info.si_pid == program_) return;
        if (info.si_code == SI_QUEUE) ::sigqueue(program_, signal, info.si_value);
        else ::kill(program_, signal);
    }

    ::pid_t program_;
    signal_canary& canary_;
    int status_ = 0;
    bool stopped_ = false;
    bool group_was_stopped_ = false;
};

/// Waits until the program runs. Returns why it does not, 0 if it does.
int error_of_execution(pipe_ends const& report) {
    ::close(report.write);
    int error = 0;
    ::ssize_t size = -1;
    do size = ::read(report.read, &error, sizeof error);
    while (size < 0 && errno == EINTR);
    return size == sizeof error ? error : 0;
}

}  // namespace

int run_program(std::string const& path, std::vector<std::string> const& arguments,
                std::function<bool()> const& may_take_long, std::function<void()> const& at_end) {
    inheritance const inherited;
    std::optional<signal_canary> canary{std::in_place};
    pipe_ends const report;
    auto const parent = ::getpid();
    auto const program = ::fork();
    if (program == 0) execute(path, arguments, inherited, parent, report.write);
    if (program < 0)
        throw run_error(run_error::cannot_execute, fmt::format("{}: {}", path, std::strerror(errno)));
    if (int const error = error_of_execution(report); error != 0) {
        ::waitpid(program, nullptr, 0);
        throw run_error(error == ENOENT ? run_error::not_found : run_error::cannot_execute,
                        fmt::format("{}: {}", path, std::strerror(error)));
    }
    keeper watch{program, at_end};
    let_go_of_files({watch.descriptor(), socket_of_launcher()});
    int const status = guardian{program, *canary}.wait();
    canary.reset();
    // What is left to do may take a while; where this process does not finish it, the keeper does.
    inherited.let_be_ended();
    // MPICH's launcher kills all ranks as soon as one has ended without MPI_Finalize, and the status is
    // theirs then.
    if (socket_of_launcher() >= 0 && may_take_long()) watch.go_on();
    else at_end();
    return status;
}

void end_like(int wait_status) {
    if (!WIFSIGNALED(wait_status)) ::_exit(WEXITSTATUS(wait_status));
    int const signal = WTERMSIG(wait_status);
    // The program has left a core, if any is wanted.
    ::rlimit const none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::prctl(PR_SET_DUMPABLE, 0);
    ::signal(signal, SIG_DFL);
    ::kill(::getpid(), signal);
    ::sigset_t mask;
    ::sigemptyset(&mask);
    ::sigaddset(&mask, signal);
    ::sigprocmask(SIG_UNBLOCK, &mask, nullptr);
    // The first process of a container is not killed by its own signals.
    ::_exit(128 + signal);
}

}  // namespace mpiprof::inline v1::cli
