// What mpiprof says on a stderr that cannot be written to does not end the program.
#include <mpiprof/run/process.hpp>

#include "tests/support/child.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using mpiprof::detail::harmless_writes;

/// From here on nobody reads what is written to stderr.
void close_readers_of_stderr() {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    std::signal(SIGPIPE, SIG_DFL);
}

bool is_pending(int signal) {
    ::sigset_t pending;
    ::sigemptyset(&pending);
    ::sigpending(&pending);
    return ::sigismember(&pending, signal) == 1;
}

bool is_blocked(int signal) {
    ::sigset_t blocked;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    return ::sigismember(&blocked, signal) == 1;
}

TEST(harmless_writes, of_messages_go_to_a_pipe_that_nobody_reads) {
    auto const status = test_support::in_child([] {
        close_readers_of_stderr();
        mpiprof::process::instance().add_message("a message");
        mpiprof::process::instance().say_messages();
        return is_blocked(SIGPIPE) || is_pending(SIGPIPE) ? 1 : 0;
    });
    EXPECT_EQ(status, 0);
}

TEST(harmless_writes, are_so_with_a_buffer_too) {
    auto const status = test_support::in_child([] {
        close_readers_of_stderr();
        static char buffer[BUFSIZ];
        std::setvbuf(stderr, buffer, _IOFBF, sizeof buffer);
        {
            harmless_writes const harmless;
            std::fputs("text", stderr);
        }
        return is_blocked(SIGPIPE) || is_pending(SIGPIPE) ? 1 : 0;
    });
    EXPECT_EQ(status, 0);
}

TEST(harmless_writes, leave_a_signal_that_waits_to_the_program) {
    auto const status = test_support::in_child([] {
        close_readers_of_stderr();
        ::sigset_t pipe;
        ::sigemptyset(&pipe);
        ::sigaddset(&pipe, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
        ::raise(SIGPIPE);
        {
            harmless_writes const harmless;
            std::fputs("text", stderr);
        }
        return is_blocked(SIGPIPE) && is_pending(SIGPIPE) ? 0 : 1;
    });
    EXPECT_EQ(status, 0);
}

TEST(harmless_writes, end_with_the_program_s_own_writes_as_deadly_as_before) {
    auto const status = test_support::in_child([] {
        close_readers_of_stderr();
        {
            harmless_writes const harmless;
        }
        std::fputs("text", stderr);
        return 0;
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

TEST(harmless_writes, go_to_a_file_that_is_as_large_as_it_may_be) {
    auto const path = testing::TempDir() + "/harmless_writes." + std::to_string(::getpid());
    auto const status = test_support::in_child([&] {
        if (std::freopen(path.c_str(), "w", stderr) == nullptr) return 1;
        std::signal(SIGXFSZ, SIG_DFL);
        ::rlimit const limit{4, 4};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
        {
            harmless_writes const harmless;
            std::fputs("too long", stderr);
        }
        return is_pending(SIGXFSZ) ? 3 : 0;
    });
    EXPECT_EQ(status, 0);
    std::filesystem::remove(path);
}

}  // namespace
