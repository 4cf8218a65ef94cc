// What the oracle's tests have in common: a scenario runs through one of mpiprof's forms, and when it ends
// mpiprof's records are compared with the oracle's. At the end of a suite they are compared with those of the
// other ranks.
#pragma once

#include "tests/oracle/forms.hpp"
#include "tests/oracle/oracle.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <string>
#include <thread>
#include <vector>

namespace oracle {

/// Sums over one operation; what completions received counts for what made the request.
struct totals {
    long long calls = 0;
    long long completions = 0;
    long long sent = 0;
    long long received = 0;
    long long written = 0;
    long long read = 0;

    bool operator==(totals const&) const = default;
};

std::ostream& operator<<(std::ostream& out, totals const& sums);

/// mpiprof's sums for one operation, since the test began.
totals of(std::string const& operation);

/// mpiprof's latest call of one operation, in the oracle's form.
call last(std::string const& operation);

/// mpiprof's latest completion, in the oracle's form.
completion last_completion();

/// The calling process's rank, and the number of ranks of its group.
int rank_in(MPI_Comm comm);
int size_of(MPI_Comm comm);

/// Tries until it succeeds, and leaves the processor to other ranks in between.
template <class Attempt>
void until(Attempt attempt) {
    while (!attempt()) std::this_thread::yield();
}

/// A barrier that nobody counts.
void meet(MPI_Comm comm);

/// Tells which processes are behind a communicator's ranks; the world and self are known. Say it again when a
/// handle stands for a new communicator.
void know(MPI_Comm comm);

class profiled_test : public testing::TestWithParam<form const*> {
  protected:
    /// Holds what each rank sent to each other against what that one received, over all tests of the suite.
    static void TearDownTestSuite();

    void SetUp() override;
    void TearDown() override;

    int next() const { return (rank + 1) % size; }
    int previous() const { return (rank + size - 1) % size; }

    /// For scenarios that lose messages on purpose, or whose bytes no rank of the world receives.
    void messages_get_lost() { conserves_ = false; }

    form const& mpi = *GetParam();
    MPI_Comm const world = MPI_COMM_WORLD;
    int const rank = rank_in(MPI_COMM_WORLD);
    int const size = size_of(MPI_COMM_WORLD);
    /// Room to send from and to receive to, 64 KiB each.
    std::vector<int> in = std::vector<int>(16384, rank);
    std::vector<int> out = std::vector<int>(16384);

  private:
    bool conserves_ = true;
};

/// Names a test after its form.
std::string form_name(testing::TestParamInfo<form const*> const& info);

#if MPIPROF_INTERNAL_LARGE_COUNTS
#define ORACLE_LARGE_COUNT_FORM , &by_large_count
#else
#define ORACLE_LARGE_COUNT_FORM
#endif

// Runs a suite through all forms, or through those that have all calls for lists of requests.
#define ORACLE_ALL_FORMS(SUITE)                                                                              \
    INSTANTIATE_TEST_SUITE_P(                                                                                \
        by, SUITE, testing::Values(&by_function, &by_member, &by_object ORACLE_LARGE_COUNT_FORM), form_name)
#define ORACLE_HANDLE_FORMS(SUITE)                                                                           \
    INSTANTIATE_TEST_SUITE_P(by, SUITE, testing::Values(&by_function, &by_member ORACLE_LARGE_COUNT_FORM),   \
                             form_name)

}  // namespace oracle
