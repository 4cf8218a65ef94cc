// A file that is there whole or not at all.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace mpiprof::inline v1::results {

namespace detail {

inline bool write_all(int descriptor, std::string_view text) noexcept {
    while (!text.empty()) {
        auto const written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// "run.json" for number 1, "run.2.json" for 2.
inline std::string numbered(std::string const& path, int number) {
    if (number == 1) return path;
    auto const slash = path.rfind('/');
    auto dot = path.rfind('.');
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash) || dot == 0)
        dot = path.size();
    return path.substr(0, dot) + '.' + std::to_string(number) + path.substr(dot);
}

}  // namespace detail

/// Is there a directory of this name?
inline bool is_directory(std::string const& path) noexcept {
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
inline written_file write_file(std::string const& path, std::string_view text) {
    if (is_directory(path)) return {path, std::strerror(EISDIR)};
    auto const temporary = path + ".tmp" + std::to_string(::getpid());
    int const descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return {path, std::strerror(errno)};
    bool const whole = detail::write_all(descriptor, text);
    int error = whole ? 0 : errno;
    if (::close(descriptor) != 0 && error == 0) error = errno;

    written_file file{path, ""};
    if (error == 0) {
        // link, unlike rename, fails where the name is taken, so that two jobs never write over each other.
        constexpr int most = 10000;
        for (int number = 1; number <= most; ++number) {
            file.path = detail::numbered(path, number);
            error = ::link(temporary.c_str(), file.path.c_str()) == 0 ? 0 : errno;
            if (error != EEXIST) break;
        }
        // Some file systems have no hard links.
        if (error == EPERM || error == EOPNOTSUPP || error == ENOSYS) {
            error = ::access(file.path.c_str(), F_OK) == 0                ? EEXIST
                    : ::rename(temporary.c_str(), file.path.c_str()) == 0 ? 0
                                                                          : errno;
        }
    }
    ::unlink(temporary.c_str());
    if (error != 0) file.error = std::strerror(error);
    return file;
}

}  // namespace mpiprof::inline v1::results
