// A file that is there whole or not at all.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mpiprof::inline v1::results {

namespace detail {

[[gnu::cold]] inline bool write_all(int descriptor, std::string_view text) noexcept {
    while (!text.empty()) {
        auto const written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// "run.json" for number 1, "run.2.json" for 2.
[[gnu::cold]] inline std::string numbered(std::string const& path, int number) {
    if (number == 1) return path;
    auto const slash = path.rfind('/');
    auto dot = path.rfind('.');
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash) || dot == 0)
        dot = path.size();
    auto text = path;
    return text.insert(dot, std::to_string(number)).insert(dot, 1, '.');
}

/// Would a file of this size be larger than the process may make one? Beyond that limit it is not told, but
/// sent a signal that ends it.
[[gnu::cold]] inline bool exceeds_file_limit(std::uint64_t size) noexcept {
    ::rlimit limit{};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && size > limit.rlim_cur;
}

/// Writes a file. Returns the error, 0 for none.
[[gnu::cold]] inline int write_whole(char const* path, std::string_view text) noexcept {
    if (exceeds_file_limit(text.size())) return EFBIG;
    int const descriptor = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return errno;
    int error = write_all(descriptor, text) ? 0 : errno;
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error != 0) ::unlink(path);
    return error;
}

/// Gives the file `temporary` the name `path`, which gets a number where it is taken; the old name is gone in
/// any case. Returns the error, 0 for none.
[[gnu::cold]] inline int give_name(std::string& path, char const* temporary) {
    auto const wanted = path;
    int error = EEXIST;
    // link, unlike rename, fails where the name is taken, so that two jobs never write over each other.
    constexpr int most = 10000;
    for (int number = 1; number <= most && error == EEXIST; ++number) {
        path = numbered(wanted, number);
        error = ::link(temporary, path.c_str()) == 0 ? 0 : errno;
    }
    // Some file systems have no hard links.
    if (error == EPERM || error == EOPNOTSUPP || error == ENOSYS) {
        error = ::access(path.c_str(), F_OK) == 0        ? EEXIST
                : ::rename(temporary, path.c_str()) == 0 ? 0
                                                         : errno;
    }
    ::unlink(temporary);
    return error;
}

}  // namespace detail

/// Is there a directory of this name?
[[gnu::cold]] inline bool is_directory(std::string const& path) noexcept {
    struct ::stat found{};
    return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

/// What became of a file.
struct written_file {
    /// Where it is; the name that was asked for, or with `.2`, `.3` … before its ending where that was taken.
    std::string path;
    /// Why it is not there, in the system's words; "" when it is.
    std::string error;
};

/// Writes `text` beside `path` and gives it its name when it is whole. A file that is there already stays.
[[gnu::cold]] inline written_file write_file(std::string const& path, std::string_view text) {
    written_file file{path, ""};
    auto temporary = path;
    temporary += ".tmp";
    temporary += std::to_string(::getpid());
    int error = is_directory(path) ? EISDIR : detail::write_whole(temporary.c_str(), text);
    if (error == 0) error = detail::give_name(file.path, temporary.c_str());
    if (error != 0) file.error = std::strerror(error);
    return file;
}

}  // namespace mpiprof::inline v1::results
