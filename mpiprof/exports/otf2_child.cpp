#include <mpiprof/exports/otf2_child.hpp>

#include <cerrno>
#include <exception>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace mpiprof::inline v1::exports {

namespace {

[[noreturn]] void fail() { throw std::runtime_error{std::generic_category().message(errno)}; }

/// Does the work, and writes what it throws to the pipe. An abort is to leave neither words nor a core.
[[noreturn]] void work_as_child(std::function<void()> const& work, int pipe) {
    int const nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDERR_FILENO);
    ::rlimit const no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    try {
        work();
    } catch (std::exception const& error) {
        std::string_view const text = error.what();
        ::_exit(::write(pipe, text.data(), text.size()) < 0 ? 2 : 1);
    }
    ::_exit(0);
}

std::string read_all(int pipe) {
    std::string text;
    char buffer[512];
    for (;;) {
        auto const size = ::read(pipe, buffer, sizeof buffer);
        if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
        else if (size == 0 || errno != EINTR) return text;
    }
}

}  // namespace

void in_a_child(std::function<void()> const& work) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail();
    auto const child = ::fork();
    if (child < 0) fail();
    if (child == 0) work_as_child(work, ends[1]);
    ::close(ends[1]);
    auto const text = read_all(ends[0]);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status == 0) return;
    throw std::runtime_error{text.empty() ? "the OTF2 library aborted; is there room on the disk?" : text};
}

}  // namespace mpiprof::inline v1::exports
