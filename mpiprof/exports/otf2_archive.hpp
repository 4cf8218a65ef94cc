// An OTF2 archive that is being written.
#pragma once

#include <mpiprof/exports/otf2_error.hpp>

#include <otf2/otf2.h>
#include <string>

namespace mpiprof::inline v1::exports {

/// The archive's name inside of its folder: "traces.otf2" is what viewers open.
inline constexpr char otf2_archive_name[] = "traces";
/// Who writes it, as it says itself.
inline constexpr char otf2_creator[] = "mpiprof";

/// Writes an archive: the events of one location after the other, then the definitions. Throws
/// std::runtime_error, with what the library says, when anything cannot be written.
class otf2_archive {
  public:
    explicit otf2_archive(std::string const& folder);
    otf2_archive(otf2_archive const&) = delete;
    otf2_archive& operator=(otf2_archive const&) = delete;

    /// The writer of a location's events, until they are closed.
    OTF2_EvtWriter* open_events(OTF2_LocationRef location);
    /// Returns how many there were.
    std::uint64_t close_events(OTF2_EvtWriter* writer);

    /// To be called after the last event.
    OTF2_GlobalDefWriter* open_definitions();

    /// Nothing more is written.
    void close();

  private:
    otf2_quiet quiet_;
    // Not closed after an error: when a writer could not write, the library would free it once more.
    OTF2_Archive* archive_;
};

}  // namespace mpiprof::inline v1::exports
