// What the heads of a process's files have in common.
#pragma once

#include <mpiprof/run/job_key.hpp>
#include <mpiprof/run/process.hpp>
#include <mpiprof/run/process_status.hpp>
#include <mpiprof/run/shard_layout.hpp>

#include <cstdint>
#include <cstring>
#include <unistd.h>

namespace mpiprof::inline v1::detail {

/// Says in a new file's head what file it is, and of which process.
template <class Head>
[[gnu::cold]] void describe_process(Head& head) {
    std::memcpy(head.magic, Head::right_magic, sizeof head.magic);
    head.version = Head::right_version;
    head.process = static_cast<std::uint32_t>(::getpid());
    head.process_start = status_of(::getpid()).start;
    copy_text(head.job, job_key());
    copy_text(head.host, host_name());
    copy_text(head.program, program_name());
    copy_text(head.command, command_line());
}

/// The process has come to know its place in the job.
template <class Head>
[[gnu::cold]] void describe_place(Head& head, job_place const& place) noexcept {
    copy_text(head.library, place.library);
    head.world_size.store(place.world_size, std::memory_order_relaxed);
    head.rank.store(place.rank, std::memory_order_release);
}

}  // namespace mpiprof::inline v1::detail
