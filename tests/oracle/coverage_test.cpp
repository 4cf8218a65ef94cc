#include "tests/oracle/coverage.hpp"

namespace oracle {
namespace {

[[maybe_unused]] auto* const added = testing::AddGlobalTestEnvironment(new coverage(
    {mpiprof::kind::point_to_point, mpiprof::kind::request, mpiprof::kind::wait, mpiprof::kind::collective}));

}  // namespace
}  // namespace oracle
