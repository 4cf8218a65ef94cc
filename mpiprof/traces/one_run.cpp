#include <mpiprof/traces/one_run.hpp>

#include <mpiprof/results/input_error.hpp>
#include <mpiprof/run/shard_layout.hpp>

#include <fmt/format.h>

namespace mpiprof::inline v1::traces {

using results::input_error;

void one_run::add(trace_head const& head, std::string const& path) {
    std::int64_t const world_size = head.world_size;
    std::int64_t const rank = head.rank;
    if (world_size_ >= 0 && world_size != world_size_) {
        throw input_error(fmt::format("{}: of a run of {} ranks, the files before it of one of {}", path,
                                      world_size, world_size_));
    }
    world_size_ = world_size;
    auto const job = mpiprof::detail::text_of(head.job);
    if (!job.empty() && !job_.empty() && job != job_) {
        throw input_error(fmt::format(
            "{}: of job '{}', the files before it of job '{}'; give the files of one run", path, job, job_));
    }
    if (!job.empty()) job_ = job;
    if (!ranks_.insert(rank).second) {
        throw input_error(
            fmt::format("{}: has rank {} like a file before it; give the files of one run", path, rank));
    }
}

}  // namespace mpiprof::inline v1::traces
