#include "tests/oracle/coverage.hpp"

namespace oracle {
namespace {

[[maybe_unused]] auto* const added =
    testing::AddGlobalTestEnvironment(new coverage({mpiprof::kind::communicator}));

}  // namespace
}  // namespace oracle
