// Calls of the C API on MPI_COMM_SELF.
#pragma once

#include "cases.hpp"

namespace benchmarks {

std::vector<benchmark_case> c_api_cases();

}  // namespace benchmarks
