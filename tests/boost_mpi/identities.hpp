// What must hold of communicators' identities, on all ranks.
#pragma once

#include "tests/boost_mpi/same_as_boost.hpp"

#include <map>
#include <mpiprof/run/communicators.hpp>

namespace boost_mpi_tests {

/// Every rank's number.
inline std::vector<long long> on_all_ranks(long long mine) {
    std::vector<long long> all(static_cast<std::size_t>(world_size()));
    PMPI_Allgather(&mine, 1, MPI_LONG_LONG, all.data(), 1, MPI_LONG_LONG, MPI_COMM_WORLD);
    return all;
}

inline void expect_same_on_all_ranks(long long mine) {
    EXPECT_EQ(on_all_ranks(mine), std::vector(static_cast<std::size_t>(world_size()), mine));
}

/// Ranks have the same identity if they are of the same part, and only then; those of part -1 have none.
inline void expect_one_identity_for_each(int part, mpiprof::communicator_id id) {
    auto const ids = on_all_ranks(id);
    auto const parts = on_all_ranks(part);
    std::map<long long, long long> part_of;
    for (std::size_t rank = 0; rank < ids.size(); ++rank) {
        EXPECT_EQ(ids[rank] == mpiprof::unknown_communicator, parts[rank] == -1);
        EXPECT_EQ(part_of.try_emplace(ids[rank], parts[rank]).first->second, parts[rank]);
        EXPECT_EQ(ids[rank] == id, parts[rank] == part);
    }
}

/// Its identity comes from its making, which was seen.
inline void expect_made_from(mpiprof::communicator_id parent, mpiprof::communicator_id id) {
    for (auto const& each : mpiprof::communicator_registry::instance().entries()) {
        if (each.id != id) continue;
        EXPECT_EQ(each.parent, parent);
        EXPECT_FALSE(each.guessed);
        return;
    }
    ADD_FAILURE() << "no entry";
}

}  // namespace boost_mpi_tests
