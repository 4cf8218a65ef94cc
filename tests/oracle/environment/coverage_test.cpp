#include "tests/oracle/coverage.hpp"

namespace oracle {
namespace {

// main begins MPI in one of two ways and ends it after this; no program survives MPI_Abort.
[[maybe_unused]] auto* const added = testing::AddGlobalTestEnvironment(
    new coverage({mpiprof::kind::environment, mpiprof::kind::query},
                 {mpiprof::operation::init, mpiprof::operation::finalize, mpiprof::operation::abort}));

}  // namespace
}  // namespace oracle
