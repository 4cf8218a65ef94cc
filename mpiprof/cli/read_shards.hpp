// Profiles of processes that did not reach their end, from the shards that they left.
#pragma once

#include <mpiprof/results/profile.hpp>
#include <mpiprof/run/process_status.hpp>
#include <mpiprof/run/shard_layout.hpp>

#include <string_view>

namespace mpiprof::inline v1::cli {

/// Does the text begin as a file of shards does?
bool is_shard_file(std::string_view bytes) noexcept;

/// Does the process that keeps a file of this head still run? False also where that is on another machine.
template <class Head>
bool is_running(Head const& head) {
    if (mpiprof::detail::text_of(head.host) != mpiprof::detail::host_name()) return false;
    auto const process = mpiprof::detail::status_of(head.process);
    return process.alive() && process.start == head.process_start;
}

/// What the process had recorded, and while it runs how long it has been in the calls that it is in. Throws
/// input_error where the bytes are no file of shards that this version knows, or the process did not know its
/// rank yet.
results::profile read_shards(std::string_view bytes);

}  // namespace mpiprof::inline v1::cli
