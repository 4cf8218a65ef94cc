// A program run as if it had been started in this process's place.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mpiprof::inline v1::cli {

/// Runs the program at `path`; `arguments` has its name first. It starts with the signal mask and
/// dispositions that this process was given, gets the signals that others send to this process, and dies if
/// this process is killed. Calls `at_end` once the program has ended; where this process was killed, in
/// another one that sees neither the streams nor the terminal, and so too where `may_take_long()` and a
/// launcher waits for this one to end. Returns the program's wait status. Throws run_error where the program
/// cannot be executed.
int run_program(std::string const& path, std::vector<std::string> const& arguments,
                std::function<bool()> const& may_take_long, std::function<void()> const& at_end);

/// Ends this process as a program with this wait status did, by the same signal if by one.
[[noreturn]] void end_like(int wait_status);

}  // namespace mpiprof::inline v1::cli
