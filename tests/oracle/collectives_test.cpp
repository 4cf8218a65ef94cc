// Collectives within one group: each function with every root, on communicators of several kinds.
#include "tests/oracle/collective_test.hpp"
#include "tests/oracle/layouts.hpp"

namespace oracle {
namespace {

/// Collectives on several communicators.
class intracommunicators : public collective_test {
  protected:
    static void SetUpTestSuite() {
        int const rank = rank_in(MPI_COMM_WORLD);
        PMPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half_);
        know(half_);
    }
    static void TearDownTestSuite() {
        PMPI_Comm_free(&half_);
        profiled_test::TearDownTestSuite();
    }

    /// Calls `scenario(comm, root, layout)` on the world, self and a half of the world, with every root and
    /// every layout, but not with each pair of these.
    template <class Scenario>
    void for_each_setting(Scenario scenario) {
        for (auto const comm : {world, MPI_COMM_SELF, half_}) {
            for (int root = 0; auto const& message : layouts_.all())
                scenario(comm, root++ % size_of(comm), message);
        }
    }

    /// The layout, or the same ints as one element of a contiguous type on ranks of odd number.
    layout uneven(int count) const {
        return rank % 2 != 0 ? layout{many_, 1, 4 * many} : layout{MPI_INT, count, 4 * many};
    }

    static constexpr int many = 6;
    datatype const many_{ints(many)};
    layouts layouts_;
    static inline MPI_Comm half_ = MPI_COMM_NULL;
};

class barrier : public intracommunicators {};
ORACLE_ALL_FORMS(barrier);

TEST_P(barrier, moves_nothing) {
    ORACLE_EVERY_WAY(barrier, world);
    ORACLE_EVERY_WAY(barrier, half_);
    EXPECT_EQ(of("barrier"), (totals{.calls = 2}));
}

class bcast : public intracommunicators {};
ORACLE_ALL_FORMS(bcast);

TEST_P(bcast, root_sends_once_and_others_receive) {
    for_each_setting([&](MPI_Comm comm, int root, layout const& message) {
        ORACLE_EVERY_WAY(bcast, in.data(), message.count, message.type, root, comm);
        bool const is_root = rank_in(comm) == root;
        expect_moved("bcast", is_root ? message.nbytes : 0, is_root ? 0 : message.nbytes);
        EXPECT_EQ(last("bcast").root, root);
        EXPECT_EQ(last("bcast").peer, not_applicable);
    });
}

TEST_P(bcast, unlike_datatypes_of_the_ranks) {
    auto const message = uneven(many);
    ORACLE_EVERY_WAY(bcast, in.data(), message.count, message.type, size - 1, world);
    EXPECT_EQ(of("bcast").sent + of("bcast").received, 24);
    EXPECT_EQ(in.front(), size - 1);
}

/// An operator that takes any datatype, since it does nothing.
class reduction_test : public intracommunicators {
  protected:
    reduction_test() { MPI_Op_create(&do_nothing, 1, &nothing_); }
    ~reduction_test() override { MPI_Op_free(&nothing_); }

    /// The operator for a layout: a named one where there is one.
    MPI_Op op_for(layout const& message) const {
        return message.type == MPI_INT || message.type == MPI_DOUBLE ? MPI_SUM : nothing_;
    }

  private:
    static void do_nothing(void*, void*, int*, MPI_Datatype*) {}

    MPI_Op nothing_ = MPI_OP_NULL;
};

class reduce : public reduction_test {};
ORACLE_ALL_FORMS(reduce);

TEST_P(reduce, all_send_and_the_root_receives) {
    for_each_setting([&](MPI_Comm comm, int root, layout const& message) {
        ORACLE_EVERY_WAY(reduce, in.data(), out.data(), message.count, message.type, op_for(message), root,
                         comm);
        expect_moved("reduce", message.nbytes, rank_in(comm) == root ? message.nbytes : 0);
        EXPECT_EQ(last("reduce").root, root);
    });
}

TEST_P(reduce, root_in_place_counts_as_without) {
    for (int root = 0; root < size; ++root) {
        bool const is_root = rank == root;
        ORACLE_EVERY_WAY(reduce, is_root ? MPI_IN_PLACE : in.data(), is_root ? in.data() : nullptr, 3,
                         MPI_INT, MPI_MAX, root, world);
        expect_moved("reduce", 12, is_root ? 12 : 0);
        EXPECT_EQ(last("reduce").in_place, is_root);
    }
}

TEST_P(reduce, pairs_count_their_size) {
    ORACLE_EVERY_WAY(reduce, in.data(), out.data(), 2, MPI_DOUBLE_INT, MPI_MINLOC, 0, world);
    EXPECT_EQ(of("reduce").sent, 24);
}

class allreduce : public reduction_test {};
ORACLE_ALL_FORMS(allreduce);

TEST_P(allreduce, all_send_and_receive) {
    for_each_setting([&](MPI_Comm comm, int, layout const& message) {
        ORACLE_EVERY_WAY(allreduce, in.data(), out.data(), message.count, message.type, op_for(message),
                         comm);
        expect_moved("allreduce", message.nbytes, message.nbytes);
        EXPECT_EQ(last("allreduce").root, not_applicable);
    });
}

TEST_P(allreduce, in_place_counts_as_without) {
    ORACLE_EVERY_WAY(allreduce, MPI_IN_PLACE, out.data(), 3, MPI_DOUBLE, MPI_SUM, world);
    EXPECT_EQ(of("allreduce"), (totals{.calls = 1, .sent = 24, .received = 24}));
    EXPECT_TRUE(last("allreduce").in_place);
}

class gather : public intracommunicators {};
ORACLE_ALL_FORMS(gather);

TEST_P(gather, all_send_their_part_and_the_root_receives_all) {
    for_each_setting([&](MPI_Comm comm, int root, layout const& part) {
        bool const is_root = rank_in(comm) == root;
        ORACLE_EVERY_WAY(gather, in.data(), part.count, part.type, is_root ? out.data() : nullptr,
                         is_root ? part.count : garbage, is_root ? part.type : MPI_DATATYPE_NULL, root, comm);
        expect_moved("gather", part.nbytes, is_root ? size_of(comm) * part.nbytes : 0);
        EXPECT_EQ(last("gather").root, root);
    });
}

TEST_P(gather, root_in_place_counts_its_own_part) {
    for (int root = 0; root < size; ++root) {
        bool const is_root = rank == root;
        ORACLE_EVERY_WAY(gather, is_root ? MPI_IN_PLACE : in.data(), is_root ? garbage : 3,
                         is_root ? MPI_DATATYPE_NULL : MPI_INT, out.data(), 3, MPI_INT, root, world);
        expect_moved("gather", 12, is_root ? 12 * size : 0);
        EXPECT_EQ(last("gather").in_place, is_root);
    }
}

TEST_P(gather, unlike_datatypes_of_the_ranks) {
    auto const part = uneven(many);
    ORACLE_EVERY_WAY(gather, in.data(), part.count, part.type, out.data(), many, MPI_INT, 0, world);
    EXPECT_EQ(of("gather").sent, 24);
    EXPECT_EQ(of("gather").received, rank == 0 ? 24 * size : 0);
}

TEST_P(gather, unlike_datatypes_of_the_two_buffers) {
    datatype const lonely{lonely_int()};
    ORACLE_EVERY_WAY(gather, in.data(), 3, MPI_INT, out.data(), 3, lonely, 0, world);
    EXPECT_EQ(of("gather").sent, 12);
    EXPECT_EQ(of("gather").received, rank == 0 ? 12 * size : 0);
}

class scatter : public intracommunicators {};
ORACLE_ALL_FORMS(scatter);

TEST_P(scatter, root_sends_all_parts_and_all_receive_theirs) {
    for_each_setting([&](MPI_Comm comm, int root, layout const& part) {
        bool const is_root = rank_in(comm) == root;
        ORACLE_EVERY_WAY(scatter, is_root ? in.data() : nullptr, is_root ? part.count : garbage,
                         is_root ? part.type : MPI_DATATYPE_NULL, out.data(), part.count, part.type, root,
                         comm);
        expect_moved("scatter", is_root ? size_of(comm) * part.nbytes : 0, part.nbytes);
        EXPECT_EQ(last("scatter").root, root);
    });
}

TEST_P(scatter, root_in_place_counts_its_own_part) {
    for (int root = 0; root < size; ++root) {
        bool const is_root = rank == root;
        ORACLE_EVERY_WAY(scatter, in.data(), 3, MPI_INT, is_root ? MPI_IN_PLACE : out.data(),
                         is_root ? garbage : 3, is_root ? MPI_DATATYPE_NULL : MPI_INT, root, world);
        expect_moved("scatter", is_root ? 12 * size : 0, 12);
        EXPECT_EQ(last("scatter").in_place, is_root);
    }
}

TEST_P(scatter, unlike_datatypes_of_the_ranks) {
    auto const part = uneven(many);
    ORACLE_EVERY_WAY(scatter, in.data(), many, MPI_INT, out.data(), part.count, part.type, 0, world);
    EXPECT_EQ(of("scatter").sent, rank == 0 ? 24 * size : 0);
    EXPECT_EQ(of("scatter").received, 24);
}

class allgather : public intracommunicators {};
ORACLE_ALL_FORMS(allgather);

TEST_P(allgather, all_send_their_part_and_receive_all) {
    for_each_setting([&](MPI_Comm comm, int, layout const& part) {
        ORACLE_EVERY_WAY(allgather, in.data(), part.count, part.type, out.data(), part.count, part.type,
                         comm);
        expect_moved("allgather", part.nbytes, size_of(comm) * part.nbytes);
    });
}

TEST_P(allgather, in_place_counts_as_without) {
    ORACLE_EVERY_WAY(allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(), 3, MPI_INT, world);
    EXPECT_EQ(of("allgather"), (totals{.calls = 1, .sent = 12, .received = 12 * size}));
    EXPECT_TRUE(last("allgather").in_place);
}

TEST_P(allgather, unlike_datatypes) {
    auto const part = uneven(many);
    ORACLE_EVERY_WAY(allgather, in.data(), part.count, part.type, out.data(), many, MPI_INT, world);
    EXPECT_EQ(of("allgather"), (totals{.calls = 1, .sent = 24, .received = 24 * size}));
}

class alltoall : public intracommunicators {};
ORACLE_ALL_FORMS(alltoall);

TEST_P(alltoall, all_send_to_all) {
    for_each_setting([&](MPI_Comm comm, int, layout const& part) {
        ORACLE_EVERY_WAY(alltoall, in.data(), part.count, part.type, out.data(), part.count, part.type, comm);
        expect_moved("alltoall", size_of(comm) * part.nbytes, size_of(comm) * part.nbytes);
    });
}

TEST_P(alltoall, in_place_counts_as_without) {
    ORACLE_EVERY_WAY(alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(), 3, MPI_INT, world);
    EXPECT_EQ(of("alltoall"), (totals{.calls = 1, .sent = 12 * size, .received = 12 * size}));
    EXPECT_TRUE(last("alltoall").in_place);
}

TEST_P(alltoall, unlike_datatypes) {
    auto const part = uneven(many);
    ORACLE_EVERY_WAY(alltoall, in.data(), part.count, part.type, out.data(), many, MPI_INT, world);
    EXPECT_EQ(of("alltoall"), (totals{.calls = 1, .sent = 24 * size, .received = 24 * size}));
}

class empty_collectives : public intracommunicators {};
ORACLE_ALL_FORMS(empty_collectives);

TEST_P(empty_collectives, count_0_asks_for_no_size) {
    auto const asked = size_queries();
    datatype const gaps{ints_with_gaps()};
    ORACLE_EVERY_WAY(bcast, nullptr, 0, gaps, 0, world);
    ORACLE_EVERY_WAY(reduce, in.data(), out.data(), 0, MPI_INT, MPI_SUM, 0, world);
    ORACLE_EVERY_WAY(allreduce, in.data(), out.data(), 0, MPI_INT, MPI_SUM, world);
    ORACLE_EVERY_WAY(gather, nullptr, 0, gaps, nullptr, 0, gaps, 0, world);
    ORACLE_EVERY_WAY(scatter, nullptr, 0, gaps, nullptr, 0, gaps, 0, world);
    ORACLE_EVERY_WAY(allgather, nullptr, 0, gaps, nullptr, 0, gaps, world);
    ORACLE_EVERY_WAY(alltoall, nullptr, 0, gaps, nullptr, 0, gaps, world);
    for (auto const* operation :
         {"bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall"}) {
        EXPECT_EQ(of(operation), (totals{.calls = 1})) << operation;
    }
    EXPECT_EQ(size_queries(), asked);
}

}  // namespace
}  // namespace oracle
