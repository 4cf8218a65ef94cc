// What is wrong with a file that was to be read.
#pragma once

#include <mpiprof/core/config.hpp>

#include <stdexcept>

namespace mpiprof::inline v1::results {

/// What is wrong with an input: one line that names it.
class input_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace mpiprof::inline v1::results
