// A folder that a test has for itself.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace test_support {

/// A folder that is there as long as this.
class temporary_folder {
  public:
    temporary_folder() { std::filesystem::create_directories(path_); }
    temporary_folder(temporary_folder const&) = delete;
    temporary_folder& operator=(temporary_folder const&) = delete;
    ~temporary_folder() { std::filesystem::remove_all(path_); }

    std::string const& path() const noexcept { return path_; }
    std::string operator/(std::string const& name) const { return path_ + '/' + name; }

  private:
    static std::string parent() {
        char const* const given = std::getenv("TEST_TMPDIR");
        return given != nullptr ? given : "/tmp";
    }
    std::string path_ = parent() + "/mpiprof_traces." + std::to_string(::getpid());
};

}  // namespace test_support
