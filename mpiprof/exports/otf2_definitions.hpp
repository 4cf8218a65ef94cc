// The definitions of an OTF2 archive.
#pragma once

#include <mpiprof/exports/otf2_references.hpp>

#include <otf2/otf2.h>
#include <vector>

namespace mpiprof::inline v1::exports {

/// A location whose events are written: a thread of a rank.
struct otf2_location {
    OTF2_LocationRef number;
    /// In MPI_COMM_WORLD.
    std::int64_t rank;
    std::string name;
    std::uint64_t events;
};

/// Number of a thread's location, as Score-P numbers them: the rank's first thread has the rank's number.
constexpr OTF2_LocationRef otf2_location_of(std::int64_t rank, std::size_t thread) noexcept {
    return static_cast<OTF2_LocationRef>(thread) << 32 | static_cast<OTF2_LocationRef>(rank);
}

/// The processes of the world: the ranks whose trace is there, and those whose is not. The latter have a
/// location without events, so that every rank of a communicator is one.
class otf2_world {
  public:
    explicit otf2_world(traces::trace const& from);

    std::int64_t size() const noexcept { return static_cast<std::int64_t>(ranks_.size()); }
    /// nullptr where its trace is not there.
    traces::rank const* rank(std::int64_t number) const { return ranks_[static_cast<std::size_t>(number)]; }
    /// What stands for members of communicators that are no known ranks, after all that are; -1 if there are
    /// none.
    std::int64_t unknown() const noexcept { return unknown_; }

  private:
    std::vector<traces::rank const*> ranks_;
    std::int64_t unknown_ = -1;
};

/// Writes all definitions; `last` is the time of the last event.
void write_otf2_definitions(OTF2_GlobalDefWriter* writer, traces::trace const& from, otf2_world const& world,
                            std::vector<otf2_location> const& locations, otf2_references& references,
                            OTF2_TimeStamp last);

}  // namespace mpiprof::inline v1::exports
