// The file of a finished trace while it is being made.
#pragma once

#include <mpiprof/results/file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace mpiprof::inline v1 {

/// A file that is written beside its name, and gets it when it is whole.
class trace_output {
  public:
    trace_output() = default;
    trace_output(trace_output const&) = delete;
    trace_output& operator=(trace_output const&) = delete;

    /// False where it cannot be made.
    [[gnu::cold]] bool open(std::string const& finished) {
        finished_ = finished;
        // Another recording of the process may be writing a trace of the same name.
        for (int number = 1; number < 1000; ++number) {
            path_ = finished + ".tmp" + std::to_string(::getpid()) +
                    (number == 1 ? "" : '.' + std::to_string(number));
            descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (descriptor_ >= 0 || errno != EEXIST) break;
        }
        if (descriptor_ < 0) error_ = errno;
        return is_open();
    }

    bool is_open() const noexcept { return descriptor_ >= 0; }

    /// Its name until it is whole.
    std::string const& path() const noexcept { return path_; }

    /// False, now and from then on, where it cannot be written.
    [[gnu::cold]] bool write_at(std::uint64_t offset, void const* data, std::size_t size) noexcept {
        if (results::detail::exceeds_file_limit(offset + size)) error_ = EFBIG;
        auto const* bytes = static_cast<char const*>(data);
        while (size > 0 && error_ == 0) {
            auto const written = ::pwrite(descriptor_, bytes, size, static_cast<::off_t>(offset));
            if (written < 0 && errno != EINTR) error_ = errno;
            auto const done = static_cast<std::size_t>(std::max<::ssize_t>(written, 0));
            bytes += done;
            offset += done;
            size -= done;
        }
        return error_ == 0;
    }

    /// Gives it its name. Where something has failed it is taken away, or cut to the first `kept` bytes.
    [[gnu::cold]] results::written_file commit(std::uint64_t kept = 0) {
        results::written_file file{finished_, ""};
        if (is_open()) {
            if (error_ == 0 && results::is_directory(finished_)) error_ = EISDIR;
            if (error_ != 0 && kept > 0) cut(kept);
            if (::close(descriptor_) != 0 && error_ == 0) error_ = errno;
            if (error_ == 0) error_ = results::detail::give_name(file.path, path_.c_str());
            else if (kept == 0) ::unlink(path_.c_str());
            descriptor_ = -1;
        }
        if (error_ != 0) file.error = std::strerror(error_);
        return file;
    }

  private:
    void cut(std::uint64_t size) noexcept {
        // What cannot be cut holds some chunks twice, which readers tell by their numbers.
        static_cast<void>(::ftruncate(descriptor_, static_cast<::off_t>(size)) == 0);
    }

    std::string finished_;
    std::string path_;
    int descriptor_ = -1;
    int error_ = 0;
};

}  // namespace mpiprof::inline v1
