// The program's errno.
#pragma once

#include <cerrno>

namespace mpiprof::inline v1::detail {

/// Gives errno at its end the value that it had at its beginning: the program may look at it after a call of
/// MPI's, and is to find there what it left or what MPI did.
class errno_kept {
  public:
    errno_kept() noexcept = default;
    errno_kept(errno_kept const&) = delete;
    errno_kept& operator=(errno_kept const&) = delete;
    ~errno_kept() { errno = before_; }

  private:
    int before_ = errno;
};

}  // namespace mpiprof::inline v1::detail
