// Messages in partitions, which are handed over one by one.
#include "tests/oracle/profiled_test.hpp"

#if MPIPROF_INTERNAL_PARTITIONED

namespace oracle {
namespace {

class partitions : public profiled_test {
  protected:
    static constexpr int parts = 5;
    static constexpr int length = 3;

    void make_both() {
        mpi.precv_init(out.data(), parts, length, MPI_INT, previous(), 1, world, MPI_INFO_NULL, &receive);
        mpi.psend_init(in.data(), parts, length, MPI_INT, next(), 1, world, MPI_INFO_NULL, &send);
    }

    void free_both() {
        mpi.request_free(&receive);
        mpi.request_free(&send);
    }

    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Request receive = MPI_REQUEST_NULL;
};
ORACLE_ALL_FORMS(partitions);

TEST_P(partitions, start_counts_all_of_them) {
    make_both();
    EXPECT_EQ(of("psend_init"), (totals{.calls = 1}));
    EXPECT_EQ(last("psend_init").peer, next());
    EXPECT_EQ(last("precv_init").capacity, 4 * parts * length);
    for (int i = 1; i <= 2; ++i) {
        mpi.start(&receive);
        mpi.start(&send);
        EXPECT_EQ(last("start").sent, 4 * parts * length);
        EXPECT_EQ(last("start").request, "psend_init");
        EXPECT_EQ(last("start").peer, next());
        mpi.pready(4, send);
        mpi.pready_range(0, 1, send);
        int rest[] = {2, 3};
        mpi.pready_list(2, rest, send);
        mpi.wait(&send, MPI_STATUS_IGNORE);
        mpi.wait(&receive, MPI_STATUS_IGNORE);
        EXPECT_EQ(last("wait").peer, previous());
        EXPECT_EQ(of("precv_init"),
                  (totals{.calls = 1, .completions = i, .received = 4 * parts * length * i}));
    }
    EXPECT_EQ(of("pready"), (totals{.calls = 2}));
    EXPECT_EQ(of("pready_range"), (totals{.calls = 2}));
    EXPECT_EQ(of("pready_list"), (totals{.calls = 2}));
    free_both();
}

TEST_P(partitions, arrival_of_one_completes_nothing) {
    make_both();
    mpi.start(&receive);
    mpi.start(&send);
    int arrived = 1;
    mpi.parrived(receive, 0, &arrived);
    EXPECT_EQ(arrived, 0);
    EXPECT_TRUE(last("parrived").incomplete);
    meet(world);
    mpi.pready_range(0, parts - 1, send);
    until([&] {
        mpi.parrived(receive, 0, &arrived);
        return arrived != 0;
    });
    EXPECT_FALSE(last("parrived").incomplete);
    EXPECT_EQ(of("precv_init").completions, 0);
    mpi.wait(&send, MPI_STATUS_IGNORE);
    mpi.wait(&receive, MPI_STATUS_IGNORE);
    EXPECT_EQ(of("precv_init").completions, 1);
    free_both();
}

}  // namespace
}  // namespace oracle

#endif
