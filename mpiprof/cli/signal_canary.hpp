// Which signals came to the whole process group, and which to this process alone.
#pragma once

#include <cstdint>
#include <sys/types.h>

namespace mpiprof::inline v1::cli {

/// Terminals and launchers signal process groups. What the group got a program in it has got as well, and it
/// must not be passed on once more; but a signal does not tell whether it was meant for a group. So a child
/// in the same group leaves all signals pending: those which it has are those of the group. Made, and asked,
/// while all signals are blocked.
class signal_canary {
  public:
    signal_canary();
    signal_canary(signal_canary const&) = delete;
    signal_canary& operator=(signal_canary const&) = delete;
    ~signal_canary();

    /// Was the signal, which this process has just got, sent to the group? Asked once for each.
    bool has_got(int signal);

  private:
    ::pid_t process_;
    /// What those before the present one had got, and has not been asked for.
    std::uint64_t earlier_ = 0;
};

}  // namespace mpiprof::inline v1::cli
