// A file of this process's, mapped into memory.
#pragma once

#include <mpiprof/results/file.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace mpiprof::inline v1 {

/// A file of which parts are mapped and shared, so that what is in it outlives any death of the process. Not
/// thread-safe. It belongs to the process that opened it, and not to a child of that.
class process_file {
  public:
    /// Folders to try: the one that was asked for, or one in the node's memory, and else the temporary one.
    [[gnu::cold]] static std::string folder(std::string const& wanted) {
        if (!wanted.empty()) return wanted;
        if (::access("/dev/shm", W_OK | X_OK) == 0) return "/dev/shm";
        char const* const temporary = std::getenv("TMPDIR");
        return temporary != nullptr && *temporary != '\0' ? temporary : "/tmp";
    }

    /// Makes the file `<name><ending>` in the folder, or `<name>.2<ending>` if that is there, and so on.
    /// Returns what went wrong, 0 if nothing.
    [[gnu::cold]] int open(std::string const& folder, std::string const& name, std::string const& ending) {
        // The program may change its working directory.
        char* const absolute = ::realpath(folder.c_str(), nullptr);
        path_ = folder + '/' + name + ending;
        if (absolute == nullptr) return errno;
        auto const stem = std::string{absolute} + '/' + name;
        std::free(absolute);
        for (int number = 1; number < 1000; ++number) {
            path_ = stem + (number == 1 ? "" : '.' + std::to_string(number)) + ending;
            descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            if (descriptor_ >= 0 || errno != EEXIST) break;
        }
        if (descriptor_ < 0) return errno;
        owner_ = ::getpid();
        return 0;
    }

    std::string const& path() const noexcept { return path_; }

    /// Is it open, and this process's?
    bool owned() const noexcept { return descriptor_ >= 0 && ::getpid() == owner_; }

    /// Has the file system keep room for `size` bytes from `offset` on, since writing to a page that finds
    /// none would kill the program. False, with errno set, where it has not.
    bool reserve(std::size_t offset, std::size_t size) noexcept {
        if (results::detail::exceeds_file_limit(offset + size)) {
            errno = EFBIG;
            return false;
        }
        int error = EINTR;
        while (error == EINTR)
            error = ::posix_fallocate(descriptor_, static_cast<::off_t>(offset), static_cast<::off_t>(size));
        errno = error;
        return error == 0;
    }

    /// Maps `size` bytes from `offset` on, which may be reserved later, but before they are used; nullptr,
    /// with errno set, where it cannot.
    void* map(std::size_t offset, std::size_t size) noexcept {
        auto* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                                    static_cast<::off_t>(offset));
        return memory == MAP_FAILED ? nullptr : memory;
    }

    /// Takes the file's name away; what is mapped stays.
    void remove() noexcept {
        if (!owned()) return;
        ::unlink(path_.c_str());
        ::close(descriptor_);
        descriptor_ = -1;
    }

  private:
    std::string path_;
    int descriptor_ = -1;
    ::pid_t owner_ = 0;
};

}  // namespace mpiprof::inline v1
