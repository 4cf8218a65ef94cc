// Where sinks keep what their threads record.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>

namespace mpiprof::inline v1::sinks {

/// Memory for shards, which may outlive the process. It is never given back.
class shard_memory {
  public:
    shard_memory() = default;
    shard_memory(shard_memory const&) = delete;
    shard_memory& operator=(shard_memory const&) = delete;

    /// `size` bytes of zeros, aligned to a page; nullptr where there are none.
    virtual void* allocate(std::size_t size) noexcept = 0;

  protected:
    ~shard_memory() = default;
};

}  // namespace mpiprof::inline v1::sinks
