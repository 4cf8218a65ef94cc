// The communicators of a run, put together from what each rank knows of them.
#pragma once

#include <mpiprof/traces/trace.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mpiprof::inline v1::sinks {
struct trace_communicator;
}

namespace mpiprof::inline v1::traces {

/// Communicators by their identities, and which of an intercommunicator's groups a rank is in.
class communicator_table {
  public:
    /// World and self, which are there always.
    explicit communicator_table(std::int64_t world_size);

    /// What the rank of this number (at this place among those that there are) knows of one.
    void add(std::int64_t rank, std::size_t place, sinks::trace_communicator const& row,
             std::string const& name);
    /// One that records name; where nothing is known of it, its members are not.
    void add_used(communicator_id id);
    /// After the last one: gives names to those that have none.
    void finish();

    std::map<communicator_id, communicator> const& all() const noexcept { return all_; }
    /// As trace::world_rank; `number` is the rank's number, `place` as in add.
    std::int64_t world_rank(communicator_id id, std::size_t place, std::int64_t number,
                            std::int64_t peer) const;

  private:
    struct side {
        /// Rank in the world of the group's first member.
        std::int64_t first = -1;
        std::vector<std::int64_t> members;
        /// In the communicator's groups, where the members are in the end.
        std::size_t place = 0;
    };
    struct sides {
        bool is_inter = false;
        std::vector<side> groups;
        /// Of the ranks that are in it, the group.
        std::map<std::size_t, std::size_t> group_of;
    };

    std::size_t group(sides& known, std::int64_t first, std::int64_t size, std::int64_t remote_size);
    void put(side& into, std::int64_t place, std::int64_t rank);
    void grow(side& into, std::int64_t size) const;

    std::int64_t world_size_;
    std::map<communicator_id, communicator> all_;
    std::map<communicator_id, sides> sides_;
};

}  // namespace mpiprof::inline v1::traces
