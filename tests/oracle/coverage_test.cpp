// Every function of the table that is tried here was called: a row that is added without an oracle fails.
#include "tests/oracle/forms.hpp"
#include "tests/oracle/oracle.hpp"

#include <gtest/gtest.h>

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

/// At the end of the program, if all tests ran.
class coverage : public testing::Environment {
  public:
    void TearDown() override {
        if (GTEST_FLAG_GET(filter) != "*") return;
        for (auto const& [name, operation] : rows) {
            if (is_tried_here(operation)) {
                EXPECT_TRUE(was_called(name)) << name << " is in the table, and the oracle does not know it";
            }
        }
    }
};

[[maybe_unused]] auto* const added = testing::AddGlobalTestEnvironment(new coverage);

}  // namespace
}  // namespace oracle
