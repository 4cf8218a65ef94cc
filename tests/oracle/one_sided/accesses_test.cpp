// What accesses to windows move.
#include "tests/oracle/layouts.hpp"
#include "tests/oracle/one_sided/window_test.hpp"

namespace oracle {
namespace {

/// All accesses are in one epoch.
class accesses : public window_test {
  protected:
    void SetUp() override {
        window_test::SetUp();
        PMPI_Win_lock_all(0, window);
    }

    void TearDown() override {
        PMPI_Win_unlock_all(window);
        window_test::TearDown();
    }

    void expect_last(char const* operation, int peer, long long sent, long long received) {
        auto const made = last(operation);
        EXPECT_EQ(made.peer, peer) << operation;
        EXPECT_EQ(made.sent, sent) << operation;
        EXPECT_EQ(made.received, received) << operation;
        PMPI_Win_flush_all(window);
    }

    /// Ints of which accumulating functions can make sums.
    datatype const gaps{ints_with_gaps()};
    datatype const lonely{lonely_int()};
    layout const numbers[4] = {{MPI_INT, 5, 20}, {gaps, 2, 24}, {lonely, 3, 12}, {lonely, 0, 0}};
};
ORACLE_HANDLE_FORMS(accesses);

TEST_P(accesses, put_sends_what_the_origin_has) {
    layouts const all;
    for (auto const& [type, count, nbytes] : all.all()) {
        mpi.put(in.data(), count, type, next(), 0, count, type, window);
        expect_last("put", next(), nbytes, 0);
    }
}

TEST_P(accesses, get_receives_what_the_origin_has_room_for) {
    layouts const all;
    for (auto const& [type, count, nbytes] : all.all()) {
        mpi.get(out.data(), count, type, next(), 0, count, type, window);
        expect_last("get", next(), 0, nbytes);
    }
}

// The same ints, but in another type at the target.
TEST_P(accesses, the_targets_type_has_no_part_in_it) {
    mpi.put(in.data(), 6, MPI_INT, rank, 0, 2, gaps, window);
    expect_last("put", rank, 24, 0);
    mpi.get(out.data(), 3, lonely, rank, 0, 3, MPI_INT, window);
    expect_last("get", rank, 0, 12);
}

TEST_P(accesses, accumulate_sends_what_the_origin_has) {
    for (auto const& [type, count, nbytes] : numbers) {
        for (MPI_Op const op : {MPI_SUM, MPI_REPLACE}) {
            mpi.accumulate(in.data(), count, type, next(), 0, count, type, op, window);
            expect_last("accumulate", next(), nbytes, 0);
        }
    }
}

TEST_P(accesses, get_accumulate_sends_and_receives) {
    for (auto const& [type, count, nbytes] : numbers) {
        mpi.get_accumulate(in.data(), count, type, out.data(), count, type, next(), 0, count, type, MPI_SUM,
                           window);
        expect_last("get_accumulate", next(), nbytes, nbytes);
    }
}

// Count and type of the origin mean nothing then.
TEST_P(accesses, get_accumulate_that_does_nothing_receives_only) {
    mpi.get_accumulate(nullptr, 0, MPI_INT, out.data(), 3, MPI_INT, next(), 0, 3, MPI_INT, MPI_NO_OP, window);
    expect_last("get_accumulate", next(), 0, 12);
    mpi.get_accumulate(in.data(), 3, MPI_INT, out.data(), 3, MPI_INT, next(), 0, 3, MPI_INT, MPI_NO_OP,
                       window);
    expect_last("get_accumulate", next(), 0, 12);
}

TEST_P(accesses, fetch_and_op_moves_one_element) {
    mpi.fetch_and_op(in.data(), out.data(), MPI_INT, next(), 8, MPI_SUM, window);
    expect_last("fetch_and_op", next(), 4, 4);
    mpi.fetch_and_op(in.data(), out.data(), MPI_DOUBLE, next(), 8, MPI_REPLACE, window);
    expect_last("fetch_and_op", next(), 8, 8);
    mpi.fetch_and_op(nullptr, out.data(), MPI_DOUBLE, next(), 8, MPI_NO_OP, window);
    expect_last("fetch_and_op", next(), 0, 8);
}

TEST_P(accesses, compare_and_swap_moves_one_element) {
    int const expected = 0;
    mpi.compare_and_swap(in.data(), &expected, out.data(), MPI_INT, next(), 8, window);
    expect_last("compare_and_swap", next(), 4, 4);
    long long const wide = 0;
    mpi.compare_and_swap(&wide, &wide, out.data(), MPI_LONG_LONG, next(), 8, window);
    expect_last("compare_and_swap", next(), 8, 8);
}

TEST_P(accesses, the_null_process_moves_nothing) {
    int const nobody = MPI_PROC_NULL;
    mpi.accumulate(in.data(), 3, MPI_INT, nobody, 0, 3, MPI_INT, MPI_SUM, window);
    expect_last("accumulate", null_process, 0, 0);
    mpi.get_accumulate(in.data(), 3, MPI_INT, out.data(), 3, MPI_INT, nobody, 0, 3, MPI_INT, MPI_SUM, window);
    expect_last("get_accumulate", null_process, 0, 0);
    mpi.put(in.data(), 3, MPI_INT, nobody, 0, 3, MPI_INT, window);
    expect_last("put", null_process, 0, 0);
    mpi.get(out.data(), 3, MPI_INT, nobody, 0, 3, MPI_INT, window);
    expect_last("get", null_process, 0, 0);
    mpi.fetch_and_op(in.data(), out.data(), MPI_INT, nobody, 0, MPI_SUM, window);
    expect_last("fetch_and_op", null_process, 0, 0);
    mpi.compare_and_swap(in.data(), in.data(), out.data(), MPI_INT, nobody, 0, window);
    expect_last("compare_and_swap", null_process, 0, 0);
}

// It is flagged and moves nothing, and nobody is asked about the wrong rank.
TEST_P(accesses, a_failed_one_moves_nothing) {
    PMPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    EXPECT_NE(mpi.put(in.data(), 3, MPI_INT, 99, 0, 3, MPI_INT, window), MPI_SUCCESS);
    EXPECT_TRUE(last("put").failed);
    EXPECT_EQ(last("put").peer, 99);
    EXPECT_NE(
        mpi.get_accumulate(in.data(), 3, MPI_INT, out.data(), 3, MPI_INT, 99, 0, 3, MPI_INT, MPI_SUM, window),
        MPI_SUCCESS);
    EXPECT_TRUE(last("get_accumulate").failed);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_NE(mpi.rput(in.data(), 3, MPI_INT, 99, 0, 3, MPI_INT, window, &request), MPI_SUCCESS);
    EXPECT_TRUE(last("rput").failed);
}

/// The functions that make requests count at the call; when a request completes, it brings nothing more.
class requested : public accesses {
  protected:
    /// Waits for the request, and expects its completion.
    void finish(char const* operation) {
        mpi.wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(request, MPI_REQUEST_NULL);
        ++completions_;
        EXPECT_EQ(of(operation).completions, completions_) << operation;
    }

    MPI_Request request = MPI_REQUEST_NULL;

  private:
    long long completions_ = 0;
};
ORACLE_HANDLE_FORMS(requested);

TEST_P(requested, rput_sends) {
    layouts const all;
    for (auto const& [type, count, nbytes] : all.all()) {
        mpi.rput(in.data(), count, type, next(), 0, count, type, window, &request);
        expect_last("rput", next(), nbytes, 0);
        finish("rput");
    }
}

TEST_P(requested, rget_receives) {
    layouts const all;
    for (auto const& [type, count, nbytes] : all.all()) {
        mpi.rget(out.data(), count, type, next(), 0, count, type, window, &request);
        expect_last("rget", next(), 0, nbytes);
        finish("rget");
    }
}

TEST_P(requested, raccumulate_sends) {
    for (auto const& [type, count, nbytes] : numbers) {
        mpi.raccumulate(in.data(), count, type, next(), 0, count, type, MPI_SUM, window, &request);
        expect_last("raccumulate", next(), nbytes, 0);
        finish("raccumulate");
    }
}

TEST_P(requested, rget_accumulate_sends_and_receives) {
    for (auto const& [type, count, nbytes] : numbers) {
        mpi.rget_accumulate(in.data(), count, type, out.data(), count, type, next(), 0, count, type, MPI_SUM,
                            window, &request);
        expect_last("rget_accumulate", next(), nbytes, nbytes);
        finish("rget_accumulate");
        mpi.rget_accumulate(nullptr, 0, MPI_INT, out.data(), count, type, next(), 0, count, type, MPI_NO_OP,
                            window, &request);
        expect_last("rget_accumulate", next(), 0, nbytes);
        finish("rget_accumulate");
    }
}

// Libraries may hand out one handle for all requests that were complete at once.
TEST_P(requested, the_null_process_completes_and_moves_nothing) {
    int const nobody = MPI_PROC_NULL;
    MPI_Request requests[4] = {};
    mpi.rput(in.data(), 3, MPI_INT, nobody, 0, 3, MPI_INT, window, &requests[0]);
    mpi.rget(out.data(), 3, MPI_INT, nobody, 0, 3, MPI_INT, window, &requests[1]);
    mpi.raccumulate(in.data(), 3, MPI_INT, nobody, 0, 3, MPI_INT, MPI_SUM, window, &requests[2]);
    mpi.rget_accumulate(in.data(), 3, MPI_INT, out.data(), 3, MPI_INT, nobody, 0, 3, MPI_INT, MPI_SUM, window,
                        &requests[3]);
    mpi.waitall(4, requests, MPI_STATUSES_IGNORE);
    for (char const* operation : {"rput", "rget", "raccumulate", "rget_accumulate"}) {
        EXPECT_EQ(of(operation), (totals{.calls = 1, .completions = 1})) << operation;
        EXPECT_EQ(last(operation).peer, null_process) << operation;
    }
}

TEST_P(requested, they_complete_in_lists_and_tests_too) {
    MPI_Request requests[3] = {};
    for (int i = 0; i < 3; ++i)
        mpi.rput(in.data(), i + 1, MPI_INT, next(), 64 * i, i + 1, MPI_INT, window, &requests[i]);
    mpi.waitall(3, requests, MPI_STATUSES_IGNORE);
    EXPECT_EQ(of("rput"), (totals{.calls = 3, .completions = 3, .sent = 24}));
    mpi.rget(out.data(), 5, MPI_INT, next(), 0, 5, MPI_INT, window, &request);
    until([&] {
        int done = 0;
        mpi.test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    EXPECT_EQ(of("rget"), (totals{.calls = 1, .completions = 1, .received = 20}));
}

}  // namespace
}  // namespace oracle
