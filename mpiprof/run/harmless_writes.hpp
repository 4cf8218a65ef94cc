// Writing to the program's stderr, wherever that leads.
#pragma once

#include <mpiprof/core/errno_kept.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <initializer_list>

namespace mpiprof::inline v1::detail {

/// While it lives, what the calling thread writes to stderr raises no signal that ends the program: not if
/// stderr is a pipe that nobody reads any more, nor if it is a file that has grown to the process's limit.
class harmless_writes {
  public:
    harmless_writes() noexcept {
        ::sigset_t pending;
        ::sigemptyset(&raised_);
        ::sigemptyset(&pending);
        ::sigpending(&pending);
        // One that waits already is the program's, and hides any of ours.
        for (int const signal : {SIGPIPE, SIGXFSZ}) {
            if (::sigismember(&pending, signal) == 0) ::sigaddset(&raised_, signal);
        }
        ::pthread_sigmask(SIG_BLOCK, &raised_, &before_);
    }

    harmless_writes(harmless_writes const&) = delete;
    harmless_writes& operator=(harmless_writes const&) = delete;

    ~harmless_writes() {
        errno_kept const kept;
        // The program may have given stderr a buffer.
        std::fflush(stderr);
        ::timespec const at_once{};
        while (::sigtimedwait(&raised_, nullptr, &at_once) > 0 || errno == EINTR) errno = 0;
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

  private:
    /// The signals that none but our own writes raise.
    ::sigset_t raised_;
    ::sigset_t before_;
};

}  // namespace mpiprof::inline v1::detail
