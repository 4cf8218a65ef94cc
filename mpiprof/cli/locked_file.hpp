// A file that one process at a time has.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mpiprof::inline v1::cli {

/// Claims a file that is there, as long as it lives: the claim of a process that dies is gone. Waits for the
/// one that has it, ten seconds at most, since that one may die before it is done.
class locked_file {
  public:
    explicit locked_file(std::string const& path)
        : descriptor_{::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)} {
        if (descriptor_ < 0) return;
        ::timespec const pause{0, 10'000'000};
        bool locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
        for (int tries = 0; !locked && errno == EWOULDBLOCK && tries < 1000; ++tries) {
            ::nanosleep(&pause, nullptr);
            locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
        }
        // Whoever had it before may have removed it.
        owned_ = locked && ::fstat(descriptor_, &status_) == 0 && status_.st_nlink > 0;
    }
    locked_file(locked_file const&) = delete;
    locked_file& operator=(locked_file const&) = delete;
    ~locked_file() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }

    /// Is it this process's, and still there?
    bool owned() const noexcept { return owned_; }
    ::uid_t user() const noexcept { return status_.st_uid; }

  private:
    int descriptor_;
    bool owned_ = false;
    struct ::stat status_{};
};

}  // namespace mpiprof::inline v1::cli
