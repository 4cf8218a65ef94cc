// Sends of Boost.MPI on MPI_COMM_SELF.
#pragma once

#include "cases.hpp"

namespace benchmarks {

std::vector<benchmark_case> boost_mpi_cases();

}  // namespace benchmarks
