// Collectives in which each rank has a part of its own, and those that scan.
#include "tests/oracle/collective_test.hpp"
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/uneven.hpp"

namespace oracle {
namespace {

class uneven : public collective_test {
  protected:
    static int part_of(int place) { return 3 * place; }

    /// What rank `from` has for rank `to`.
    static int part_of(int from, int to) { return from + 4 * to; }

    int const mine = part_of(rank);
    uneven_parts const all{size, [](int i) { return part_of(i); }};
    uneven_parts const to_all{size, [this](int to) { return part_of(rank, to); }};
    uneven_parts const from_all{size, [this](int from) { return part_of(from, rank); }};
};
ORACLE_ALL_FORMS(uneven);

TEST_P(uneven, gather_takes_each_ranks_part_to_the_root) {
    for (int root = 0; root < size; ++root) {
        bool const is_root = rank == root;
        ORACLE_EVERY_WAY(gatherv, in.data(), mine, MPI_INT, is_root ? out.data() : nullptr, all.counts.data(),
                         all.places.data(), is_root ? MPI_INT : MPI_DATATYPE_NULL, root, world);
        expect_moved("gatherv", 4 * mine, is_root ? 4 * all.sum : 0);
        EXPECT_EQ(last("gatherv").root, root);
    }
}

TEST_P(uneven, gather_in_place_counts_the_roots_part) {
    for (int root = 0; root < size; ++root) {
        bool const is_root = rank == root;
        ORACLE_EVERY_WAY(gatherv, is_root ? MPI_IN_PLACE : in.data(), is_root ? garbage : mine,
                         is_root ? MPI_DATATYPE_NULL : MPI_INT, out.data(), all.counts.data(),
                         all.places.data(), MPI_INT, root, world);
        expect_moved("gatherv", 4 * mine, is_root ? 4 * all.sum : 0);
        EXPECT_EQ(last("gatherv").in_place, is_root);
    }
}

TEST_P(uneven, gather_of_unlike_datatypes) {
    datatype const gaps{ints_with_gaps()};
    datatype const lonely{lonely_int()};
    ORACLE_EVERY_WAY(gatherv, in.data(), rank, gaps, out.data(), all.counts.data(), all.places.data(), lonely,
                     0, world);
    expect_moved("gatherv", 12 * rank, rank == 0 ? 4 * all.sum : 0);
}

TEST_P(uneven, scatter_takes_each_ranks_part_from_the_root) {
    for (int root = 0; root < size; ++root) {
        bool const is_root = rank == root;
        ORACLE_EVERY_WAY(scatterv, is_root ? in.data() : nullptr, all.counts.data(), all.places.data(),
                         is_root ? MPI_INT : MPI_DATATYPE_NULL, out.data(), mine, MPI_INT, root, world);
        expect_moved("scatterv", is_root ? 4 * all.sum : 0, 4 * mine);
        EXPECT_EQ(last("scatterv").root, root);
    }
}

TEST_P(uneven, scatter_in_place_counts_the_roots_part) {
    for (int root = 0; root < size; ++root) {
        bool const is_root = rank == root;
        ORACLE_EVERY_WAY(scatterv, in.data(), all.counts.data(), all.places.data(), MPI_INT,
                         is_root ? MPI_IN_PLACE : out.data(), is_root ? garbage : mine,
                         is_root ? MPI_DATATYPE_NULL : MPI_INT, root, world);
        expect_moved("scatterv", is_root ? 4 * all.sum : 0, 4 * mine);
        EXPECT_EQ(last("scatterv").in_place, is_root);
    }
}

TEST_P(uneven, allgather_takes_each_ranks_part_to_all) {
    ORACLE_EVERY_WAY(allgatherv, in.data(), mine, MPI_INT, out.data(), all.counts.data(), all.places.data(),
                     MPI_INT, world);
    expect_moved("allgatherv", 4 * mine, 4 * all.sum);
}

TEST_P(uneven, allgather_in_place_counts_the_own_part) {
    ORACLE_EVERY_WAY(allgatherv, MPI_IN_PLACE, garbage, MPI_DATATYPE_NULL, out.data(), all.counts.data(),
                     all.places.data(), MPI_INT, world);
    expect_moved("allgatherv", 4 * mine, 4 * all.sum);
    EXPECT_TRUE(last("allgatherv").in_place);
}

TEST_P(uneven, alltoall_sends_one_sum_and_receives_another) {
    ORACLE_EVERY_WAY(alltoallv, in.data(), to_all.counts.data(), to_all.places.data(), MPI_INT, out.data(),
                     from_all.counts.data(), from_all.places.data(), MPI_INT, world);
    expect_moved("alltoallv", 4 * to_all.sum, 4 * from_all.sum);
}

TEST_P(uneven, alltoall_in_place_counts_what_is_received_on_both_sides) {
    uneven_parts const both_ways{size, [this](int other) { return rank + other; }};
    ORACLE_EVERY_WAY(alltoallv, MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, out.data(),
                     both_ways.counts.data(), both_ways.places.data(), MPI_INT, world);
    expect_moved("alltoallv", 4 * both_ways.sum, 4 * both_ways.sum);
    EXPECT_TRUE(last("alltoallv").in_place);
}

TEST_P(uneven, alltoall_with_a_datatype_for_each_rank) {
    datatype const four{ints(4)};
    auto out_parts = to_all;
    auto in_parts = from_all;
    for (int other = 0; other < size; ++other) {
        if ((rank + other) % 2 == 0) out_parts.by_fours(other, four);
        if ((rank + other) % 3 == 0) in_parts.by_fours(other, four);
    }
    ORACLE_EVERY_WAY(alltoallw, in.data(), out_parts.counts.data(), out_parts.byte_places.data(),
                     out_parts.types.data(), out.data(), in_parts.counts.data(), in_parts.byte_places.data(),
                     in_parts.types.data(), world);
    expect_moved("alltoallw", 4 * to_all.sum, 4 * from_all.sum);
}

TEST_P(uneven, alltoall_with_datatypes_in_place) {
    uneven_parts const both_ways{size, [this](int other) { return rank + other; }};
    ORACLE_EVERY_WAY(alltoallw, MPI_IN_PLACE, nullptr, nullptr, nullptr, out.data(), both_ways.counts.data(),
                     both_ways.byte_places.data(), both_ways.types.data(), world);
    expect_moved("alltoallw", 4 * both_ways.sum, 4 * both_ways.sum);
    EXPECT_TRUE(last("alltoallw").in_place);
}

// Open MPI takes no call with such a part.
#ifndef OPEN_MPI
TEST_P(uneven, alltoall_asks_nothing_about_no_datatype_of_an_empty_part) {
    uneven_parts to_next{size, [this](int other) { return other == next() ? 2 : 0; }};
    uneven_parts from_previous{size, [this](int other) { return other == previous() ? 2 : 0; }};
    for (int other = 0; other < size; ++other) {
        auto const place = static_cast<std::size_t>(other);
        if (other != next()) to_next.types[place] = MPI_DATATYPE_NULL;
        if (other != previous()) from_previous.types[place] = MPI_DATATYPE_NULL;
    }
    ORACLE_EVERY_WAY(alltoallw, in.data(), to_next.counts.data(), to_next.byte_places.data(),
                     to_next.types.data(), out.data(), from_previous.counts.data(),
                     from_previous.byte_places.data(), from_previous.types.data(), world);
    expect_moved("alltoallw", 8, 8);
}
#endif

TEST_P(uneven, reduce_scatter_sends_all_parts_and_receives_one) {
    ORACLE_EVERY_WAY(reduce_scatter, in.data(), out.data(), all.counts.data(), MPI_INT, MPI_SUM, world);
    expect_moved("reduce_scatter", 4 * all.sum, 4 * mine);
    ORACLE_EVERY_WAY(reduce_scatter, MPI_IN_PLACE, out.data(), all.counts.data(), MPI_INT, MPI_SUM, world);
    expect_moved("reduce_scatter", 4 * all.sum, 4 * mine);
    EXPECT_TRUE(last("reduce_scatter").in_place);
}

TEST_P(uneven, reduce_scatter_of_like_parts) {
    ORACLE_EVERY_WAY(reduce_scatter_block, in.data(), out.data(), 5, MPI_DOUBLE, MPI_SUM, world);
    expect_moved("reduce_scatter_block", 40 * size, 40);
    ORACLE_EVERY_WAY(reduce_scatter_block, MPI_IN_PLACE, out.data(), 5, MPI_DOUBLE, MPI_SUM, world);
    expect_moved("reduce_scatter_block", 40 * size, 40);
    EXPECT_TRUE(last("reduce_scatter_block").in_place);
}

TEST_P(uneven, scan_sends_and_receives_on_all_ranks) {
    ORACLE_EVERY_WAY(scan, in.data(), out.data(), 5, MPI_INT, MPI_SUM, world);
    expect_moved("scan", 20, 20);
    ORACLE_EVERY_WAY(scan, MPI_IN_PLACE, out.data(), 5, MPI_INT, MPI_SUM, world);
    expect_moved("scan", 20, 20);
    EXPECT_TRUE(last("scan").in_place);
}

TEST_P(uneven, exclusive_scan_gives_the_first_rank_nothing) {
    ORACLE_EVERY_WAY(exscan, in.data(), out.data(), 5, MPI_INT, MPI_SUM, world);
    expect_moved("exscan", 20, rank == 0 ? 0 : 20);
    ORACLE_EVERY_WAY(exscan, MPI_IN_PLACE, out.data(), 5, MPI_INT, MPI_SUM, world);
    expect_moved("exscan", 20, rank == 0 ? 0 : 20);
    EXPECT_TRUE(last("exscan").in_place);
}

TEST_P(uneven, first_rank_is_the_communicators) {
    MPI_Comm turned = MPI_COMM_NULL;
    PMPI_Comm_split(world, 0, -rank, &turned);
    ORACLE_EVERY_WAY(exscan, in.data(), out.data(), 5, MPI_INT, MPI_SUM, turned);
    expect_moved("exscan", 20, rank == size - 1 ? 0 : 20);
    ORACLE_EVERY_WAY(reduce_scatter, in.data(), out.data(), all.counts.data(), MPI_INT, MPI_SUM, turned);
    expect_moved("reduce_scatter", 4 * all.sum, 4 * part_of(size - 1 - rank));
    PMPI_Comm_free(&turned);
}

TEST_P(uneven, counts_of_0_ask_for_no_size) {
    auto const asked = size_queries();
    uneven_parts const none{size, [](int) { return 0; }};
    auto const* const counts = none.counts.data();
    auto const* const places = none.places.data();
    auto* const from = in.data();
    auto* const to = out.data();
    ORACLE_EVERY_WAY(gatherv, from, 0, MPI_INT, to, counts, places, MPI_INT, 0, world);
    ORACLE_EVERY_WAY(scatterv, from, counts, places, MPI_INT, to, 0, MPI_INT, 0, world);
    ORACLE_EVERY_WAY(allgatherv, from, 0, MPI_INT, to, counts, places, MPI_INT, world);
    ORACLE_EVERY_WAY(alltoallv, from, counts, places, MPI_INT, to, counts, places, MPI_INT, world);
    ORACLE_EVERY_WAY(alltoallw, from, counts, places, none.types.data(), to, counts, places,
                     none.types.data(), world);
    ORACLE_EVERY_WAY(reduce_scatter, from, to, counts, MPI_INT, MPI_SUM, world);
    ORACLE_EVERY_WAY(reduce_scatter_block, from, to, 0, MPI_INT, MPI_SUM, world);
    ORACLE_EVERY_WAY(scan, from, to, 0, MPI_INT, MPI_SUM, world);
    ORACLE_EVERY_WAY(exscan, from, to, 0, MPI_INT, MPI_SUM, world);
    for (auto const* operation : {"gatherv", "scatterv", "allgatherv", "alltoallv", "alltoallw",
                                  "reduce_scatter", "reduce_scatter_block", "scan", "exscan"}) {
        EXPECT_EQ(of(operation), (totals{.calls = 1})) << operation;
    }
    EXPECT_EQ(size_queries(), asked);
}

}  // namespace
}  // namespace oracle
