// Runs GoogleTest's tests on all ranks, between MPI_Init and MPI_Finalize.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

/// Runs all tests, the report being rank 0's. A failure on any rank fails all: 0 if there was none.
inline int run_mpi_tests(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_xml_generator());
    }
    int failed = RUN_ALL_TESTS();
    PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return failed;
}
