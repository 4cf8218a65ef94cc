// Traces that are put together must be of one run.
#pragma once

#include <mpiprof/run/trace_head.hpp>

#include <cstdint>
#include <set>
#include <string>

namespace mpiprof::inline v1::traces {

/// The ranks of one run that were found so far.
class one_run {
  public:
    /// One more. Throws results::input_error, naming its file, where it is not of the same run as those
    /// before it, or of a rank that there is already.
    void add(trace_head const& head, std::string const& path);

  private:
    std::int64_t world_size_ = -1;
    std::string job_;
    std::set<std::int64_t> ranks_;
};

}  // namespace mpiprof::inline v1::traces
