// The folder of an OTF2 archive: written beside, then put in its place.
#pragma once

#include <mpiprof/core/config.hpp>

#include <filesystem>
#include <string>

namespace mpiprof::inline v1::exports {

/// A folder that replaces the one at a path when it is whole. That one may be an archive that was written
/// here, with nothing else in it, or empty; anything else is refused, by a std::runtime_error that says why.
class otf2_folder {
  public:
    explicit otf2_folder(std::string const& path);
    otf2_folder(otf2_folder const&) = delete;
    otf2_folder& operator=(otf2_folder const&) = delete;
    /// Takes away what did not come into its place.
    ~otf2_folder();

    /// Where the archive is to be written first.
    std::string beside() const { return beside_.string(); }

    /// Puts it in its place.
    void replace();

  private:
    std::filesystem::path path_;
    std::filesystem::path beside_;
};

}  // namespace mpiprof::inline v1::exports
