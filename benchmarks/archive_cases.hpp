// Boost.MPI's archive of a value, made and only counted.
#pragma once

#include "cases.hpp"

namespace benchmarks {

std::vector<benchmark_case> archive_cases();

}  // namespace benchmarks
