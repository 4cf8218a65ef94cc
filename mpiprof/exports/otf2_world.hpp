// The processes of an OTF2 archive.
#pragma once

#include <mpiprof/traces/trace.hpp>

#include <otf2/otf2.h>
#include <vector>

namespace mpiprof::inline v1::exports {

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
    /// The members of a group of a communicator, all of them of this world. One of which nothing is known but
    /// that it was used may have as many as the world. Of self there are none.
    std::vector<std::uint64_t> members(traces::communicator const& of, std::size_t group) const;

  private:
    std::vector<traces::rank const*> ranks_;
    std::int64_t unknown_ = -1;
};

}  // namespace mpiprof::inline v1::exports
