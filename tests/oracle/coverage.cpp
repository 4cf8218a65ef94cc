#include "tests/oracle/coverage.hpp"

#include "tests/oracle/oracle.hpp"
#include "tests/oracle/profiled_test.hpp"

#include <algorithm>

namespace oracle {

namespace {

struct row {
    char const* name;
    mpiprof::operation operation;
};

constexpr row rows[] = {
#define MPIPROF_FUNCTION(NAME, OBJECT, OPERATION, ...) {"MPI_" #NAME, mpiprof::operation::OPERATION},
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
};

}  // namespace

bool coverage::is_tried(mpiprof::operation operation) const {
    auto const has = [](auto const& list, auto value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    return has(kinds_, kind_of(operation)) && !has(but_for_, operation);
}

void coverage::TearDown() {
    if (GTEST_FLAG_GET(filter) != "*" || size_of(MPI_COMM_WORLD) == 1) return;
    for (auto const& [name, operation] : rows) {
        if (!is_tried(operation)) continue;
        int called = was_called(name) ? 1 : 0;
        PMPI_Allreduce(MPI_IN_PLACE, &called, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        EXPECT_NE(called, 0) << name << " is in the table, and no test calls it";
    }
}

}  // namespace oracle
