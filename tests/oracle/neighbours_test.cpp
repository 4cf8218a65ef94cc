// Collectives among the neighbours in a topology: on grids with and without ends, and in graphs.
#include "tests/oracle/collective_test.hpp"
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/uneven.hpp"

#include <algorithm>
#include <vector>

namespace oracle {
namespace {

/// The ranks at both ends of this rank's edges, -1 for a neighbour beyond the end of a grid.
struct surroundings {
    MPI_Comm comm;
    std::vector<int> in;
    std::vector<int> out;
};

int existing(std::vector<int> const& ranks) {
    return static_cast<int>(std::count_if(ranks.begin(), ranks.end(), [](int one) { return one >= 0; }));
}

class among_neighbours : public collective_test {
  protected:
    /// What goes from rank to rank.
    static int part_of(int from, int to) { return from < 0 || to < 0 ? 3 : 4 * from + 8 * to; }

    static long long sum_of(uneven_parts const& parts, std::vector<int> const& ranks) {
        long long sum = 0;
        for (std::size_t i = 0; i < ranks.size(); ++i) sum += ranks[i] < 0 ? 0 : parts.counts[i];
        return sum;
    }

    /// Calls all functions there are, and frees the communicator.
    void run(surroundings around) {
        auto const comm = around.comm;
        if (comm == MPI_COMM_NULL) return;
        int const me = rank_in(comm);
        int const in_ranks = existing(around.in);
        int const out_ranks = existing(around.out);
        ORACLE_EVERY_WAY(neighbor_allgather, in.data(), 5, MPI_INT, out.data(), 5, MPI_INT, comm);
        expect_moved("neighbor_allgather", 20 * out_ranks, 20 * in_ranks);
        ORACLE_EVERY_WAY(neighbor_alltoall, in.data(), 2, MPI_DOUBLE, out.data(), 2, MPI_DOUBLE, comm);
        expect_moved("neighbor_alltoall", 16 * out_ranks, 16 * in_ranks);

        uneven_parts const gathered{static_cast<int>(around.in.size()), [&](int i) {
                                        return part_of(around.in[static_cast<std::size_t>(i)], 0);
                                    }};
        int const mine = part_of(me, 0);
        ORACLE_EVERY_WAY(neighbor_allgatherv, in.data(), mine, MPI_INT, out.data(), gathered.counts.data(),
                         gathered.places.data(), MPI_INT, comm);
        expect_moved("neighbor_allgatherv", 4 * mine * out_ranks, 4 * sum_of(gathered, around.in));

        uneven_parts to_all{static_cast<int>(around.out.size()),
                            [&](int i) { return part_of(me, around.out[static_cast<std::size_t>(i)]); }};
        uneven_parts const from_all{static_cast<int>(around.in.size()), [&](int i) {
                                        return part_of(around.in[static_cast<std::size_t>(i)], me);
                                    }};
        auto const sent = 4 * sum_of(to_all, around.out);
        auto const received = 4 * sum_of(from_all, around.in);
        ORACLE_EVERY_WAY(neighbor_alltoallv, in.data(), to_all.counts.data(), to_all.places.data(), MPI_INT,
                         out.data(), from_all.counts.data(), from_all.places.data(), MPI_INT, comm);
        expect_moved("neighbor_alltoallv", sent, received);
        for (int i = 0; i < widest; i += 2) to_all.by_fours(i, four_);
        ORACLE_EVERY_WAY(neighbor_alltoallw, in.data(), to_all.counts.data(), to_all.addresses.data(),
                         to_all.types.data(), out.data(), from_all.counts.data(), from_all.addresses.data(),
                         from_all.types.data(), comm);
        expect_moved("neighbor_alltoallw", sent, received);
        PMPI_Comm_free(&around.comm);
    }

    /// A grid of one dimension.
    surroundings line(bool is_ring) const {
        int const periods[] = {is_ring ? 1 : 0};
        MPI_Comm comm = MPI_COMM_NULL;
        PMPI_Cart_create(world, 1, &size, periods, 0, &comm);
        std::vector<int> around{rank - 1, rank + 1 < size ? rank + 1 : -1};
        if (is_ring) around = {previous(), next()};
        return {comm, around, around};
    }

    datatype const four_{ints(4)};
};
ORACLE_ALL_FORMS(among_neighbours);

TEST_P(among_neighbours, ends_of_a_line_have_one_each) { run(line(false)); }

TEST_P(among_neighbours, ring_has_no_ends) {
    if (size < 3) GTEST_SKIP() << "a rank that is both neighbours at once is what libraries get wrong";
    run(line(true));
}

// The last rank of an odd number is left out.
TEST_P(among_neighbours, grid_of_two_columns) {
    if (size < 2) GTEST_SKIP() << "there are no two columns";
    int const rows = size / 2;
    int const extents[] = {rows, 2};
    int const periods[] = {0, 0};
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Cart_create(world, 2, extents, periods, 0, &comm);
    int const row = rank / 2;
    int const column = rank % 2;
    std::vector<int> const around{row > 0 ? rank - 2 : -1, row + 1 < rows ? rank + 2 : -1,
                                  column > 0 ? rank - 1 : -1, column == 0 ? rank + 1 : -1};
    run({comm, around, around});
}

// A star: the first rank with all others.
TEST_P(among_neighbours, graph_in_which_one_has_more_than_others) {
    if (size < 2) GTEST_SKIP() << "Open MPI takes no graph without edges";
    std::vector<int> ends;
    std::vector<int> edges;
    for (int other = 1; other < size; ++other) edges.push_back(other);
    ends.push_back(static_cast<int>(edges.size()));
    for (int other = 1; other < size; ++other) {
        edges.push_back(0);
        ends.push_back(static_cast<int>(edges.size()));
    }
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Graph_create(world, size, ends.data(), edges.data(), 0, &comm);
    std::vector<int> const around =
        rank == 0 ? std::vector<int>(edges.begin(), edges.begin() + size - 1) : std::vector<int>{0};
    run({comm, around, around});
}

// Each sends to all ranks behind it and to itself.
TEST_P(among_neighbours, graph_of_more_edges_in_than_out) {
#ifdef MPICH_NUMVERSION
    if (size > 3) GTEST_SKIP() << "a request of neighbor_alltoallw sometimes never completes here";
#endif
    std::vector<int> in_ranks;
    std::vector<int> out_ranks;
    for (int other = 0; other <= rank; ++other) in_ranks.push_back(other);
    for (int other = rank; other < size; ++other) out_ranks.push_back(other);
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Dist_graph_create_adjacent(world, static_cast<int>(in_ranks.size()), in_ranks.data(), MPI_UNWEIGHTED,
                                    static_cast<int>(out_ranks.size()), out_ranks.data(), MPI_UNWEIGHTED,
                                    MPI_INFO_NULL, 0, &comm);
    run({comm, in_ranks, out_ranks});
}

// The first rank gives all edges, which go from each rank to its next, and not from the last.
TEST_P(among_neighbours, graph_that_one_rank_tells) {
    std::vector<int> sources;
    std::vector<int> targets;
    for (int from = 0; rank == 0 && from + 1 < size; ++from) {
        sources.push_back(from);
        targets.push_back(from + 1);
    }
    std::vector<int> const degrees(sources.size(), 1);
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Dist_graph_create(world, static_cast<int>(sources.size()), sources.data(), degrees.data(),
                           targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    std::vector<int> const in_ranks = rank > 0 ? std::vector<int>{rank - 1} : std::vector<int>{};
    std::vector<int> const out_ranks = rank + 1 < size ? std::vector<int>{rank + 1} : std::vector<int>{};
    run({comm, in_ranks, out_ranks});
}

}  // namespace
}  // namespace oracle
