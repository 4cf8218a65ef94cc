// A message to rank 1 and back.
#pragma once

#include "cases.hpp"

namespace benchmarks {

/// For rank 0.
std::vector<benchmark_case> ping_pong_cases();

/// For rank 1: sends all messages back until `stop_serving`.
void serve();

/// For rank 0: lets rank 1 return from `serve`.
void stop_serving();

}  // namespace benchmarks
