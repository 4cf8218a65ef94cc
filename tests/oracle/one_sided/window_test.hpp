// What the tests of one-sided communication have in common: a window of ints on every rank.
#pragma once

#include "tests/oracle/profiled_test.hpp"

namespace oracle {

class window_test : public profiled_test {
  protected:
    void SetUp() override {
        profiled_test::SetUp();
        messages_get_lost();
        PMPI_Win_allocate(65536, 1, MPI_INFO_NULL, world, &memory, &window);
    }

    void TearDown() override {
        PMPI_Win_free(&window);
        profiled_test::TearDown();
    }

    /// This rank's part, 64 KiB.
    int* memory = nullptr;
    MPI_Win window = MPI_WIN_NULL;
};

}  // namespace oracle
