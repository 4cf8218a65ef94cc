// Work in a process of its own.
#pragma once

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace test_support {

/// Runs `work` in a child process, which exits with what it returns, and gives the child's status as waitpid
/// does.
template <class Work>
int in_child(Work work) {
    if (auto const child = ::fork(); child != 0) {
        int status = 0;
        ::waitpid(child, &status, 0);
        return status;
    }
    std::exit(work());
}

}  // namespace test_support
