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

/// The rank in the world of rank 0 of a communicator's own group.
inline int first_of(MPI_Comm comm) {
    MPI_Group own = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &own);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    int const first = 0;
    int in_world = -1;
    PMPI_Group_translate_ranks(own, 1, &first, world, &in_world);
    PMPI_Group_free(&own);
    PMPI_Group_free(&world);
    return in_world;
}

/// Its identity comes from its making, which was seen, and this process's place in it is known.
template <class Communicator>
void expect_made_from(mpiprof::communicator_id parent, Communicator const& made) {
    auto const known = mpiprof::communicator_registry::instance().find(made.identity());
    ASSERT_TRUE(known.has_value());
    EXPECT_EQ(known->parent, parent);
    EXPECT_FALSE(known->guessed);
    EXPECT_EQ(known->rank, made.rank());
    EXPECT_EQ(known->first, first_of(made));
}

}  // namespace boost_mpi_tests
