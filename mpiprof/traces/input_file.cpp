#include <mpiprof/traces/input_file.hpp>

#include <mpiprof/results/input_error.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mpiprof::inline v1::traces {

namespace {

[[noreturn]] void fail(std::string const& path, int error) {
    throw results::input_error(fmt::format("{}: {}", path, std::strerror(error)));
}

}  // namespace

input_file::input_file(std::string path)
    : path_{std::move(path)},
      descriptor_{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)} {
    if (descriptor_ < 0) fail(path_, errno);
    struct ::stat found{};
    int error = ::fstat(descriptor_, &found) == 0 ? 0 : errno;
    if (error == 0 && S_ISDIR(found.st_mode)) error = EISDIR;
    if (error != 0) {
        ::close(descriptor_);
        fail(path_, error);
    }
    size_ = static_cast<std::uint64_t>(found.st_size);
}

input_file::~input_file() { ::close(descriptor_); }

std::size_t input_file::read(std::uint64_t offset, void* to, std::size_t size) const {
    auto* const bytes = static_cast<char*>(to);
    std::size_t done = 0;
    while (done < size) {
        auto const got = ::pread(descriptor_, bytes + done, size - done, static_cast<::off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path_, errno);
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

}  // namespace mpiprof::inline v1::traces
