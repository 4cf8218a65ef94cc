// A file that is read in parts.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace mpiprof::inline v1::traces {

/// A file opened for reading. Throws results::input_error, naming it, where that cannot be.
class input_file {
  public:
    explicit input_file(std::string path);
    input_file(input_file const&) = delete;
    input_file& operator=(input_file const&) = delete;
    ~input_file();

    std::string const& path() const noexcept { return path_; }
    /// Bytes that it had when it was opened.
    std::uint64_t size() const noexcept { return size_; }
    /// Reads bytes from `offset` on; returns how many there are, at most `size`.
    std::size_t read(std::uint64_t offset, void* to, std::size_t size) const;

  private:
    std::string path_;
    int descriptor_;
    std::uint64_t size_ = 0;
};

}  // namespace mpiprof::inline v1::traces
