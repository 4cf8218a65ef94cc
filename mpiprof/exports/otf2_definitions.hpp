// The definitions of an OTF2 archive.
#pragma once

#include <mpiprof/exports/otf2_references.hpp>
#include <mpiprof/exports/otf2_world.hpp>

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

/// Writes all definitions; `last` is the time of the last event.
void write_otf2_definitions(OTF2_GlobalDefWriter* writer, traces::trace const& from, otf2_world const& world,
                            std::vector<otf2_location> const& locations, otf2_references& references,
                            OTF2_TimeStamp last);

}  // namespace mpiprof::inline v1::exports
