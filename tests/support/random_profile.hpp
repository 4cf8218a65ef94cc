// Made-up profiles of one rank, to merge and to write.
#pragma once

#include <mpiprof/results/merge.hpp>

#include <random>
#include <string>

namespace test_support {

/// A profile of `rank` with random rows; the same seed gives the same profile.
inline mpiprof::results::profile random_profile(std::int64_t rank, std::int64_t world_size) {
    using namespace mpiprof::results;
    std::mt19937_64 engine{static_cast<std::uint64_t>(rank) * 7919 + 17};
    auto const below = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(bound));
    };
    auto const some_statistics = [&] {
        mpiprof::results::statistics made;
        made.calls = 1 + below(5);
        made.sent = below(1000);
        made.received = below(1000);
        made.written = below(1000);
        made.read = below(1000);
        made.unknown = below(3);
        made.failed = below(2);
        made.time = {made.calls * 10 + below(100), 1 + below(10), 50 + below(50),
                     static_cast<double>(below(1000)) / 8};
        made.durations = {below(3), 0, 1 + below(5)};
        made.sizes.assign(static_cast<std::size_t>(below(5)), 1 + below(9));
        made.rank_time = over_ranks::of(made.time.sum, rank);
        return made;
    };
    constexpr char const* operations[] = {"send", "recv", "allreduce", "wait"};

    profile run;
    run.program = "program";
    run.command = "program " + std::to_string(rank);
    run.start = "2026-01-0" + std::to_string(1 + below(9)) + "T00:00:00Z";
    run.library = "library";
    run.clock = below(2) == 0 ? "steady" : "tsc";
    run.bytes = "payload";
    run.sink = "summary";
    run.world_size = world_size;
    run.ranks = {{rank, rank}};
    run.hosts = {{"node" + std::to_string(rank / 2), 1}};
    run.run_time = over_ranks::of(1000 + below(1000), rank);
    run.mpi_time = over_ranks::of(below(1000), rank);
    for (int i = 0; i < 6; ++i) {
        std::string const operation = operations[below(4)];
        auto const line = below(3);
        run.operations.push_back({operation, some_statistics()});
        run.call_sites.push_back({operation, "a.cpp", line, some_statistics()});
        run.calls.push_back(
            {operation, "", below(2), "a.cpp", line, below(2) == 0 ? "" : "phase", some_statistics()});
        run.completions.push_back({operation,
                                   below(2),
                                   "a.cpp",
                                   line,
                                   "",
                                   1 + below(4),
                                   0,
                                   below(100),
                                   below(100),
                                   0,
                                   0,
                                   {10 + below(10), 1 + below(5), 5 + below(5), 0.5},
                                   {5 + below(5), below(2), 2 + below(3), 0.25},
                                   {0, below(4), 1}});
        run.outstanding.push_back(
            {operation, below(2), below(2), below(2) - 2, "a.cpp", line, over_ranks::of(1 + below(4), rank)});
        run.in_progress.push_back({rank, operation, "a.cpp", line, 1, below(100), below(100) - 1});
        run.peers.push_back({rank, below(2), below(4), below(9), below(99), below(9), below(99)});
        run.communicators.push_back(
            {below(3), below(2) == 0 ? "" : "halo", 4, below(2) - 1, below(2) == 0, 1});
        run.phases.push_back(
            {"phase" + std::to_string(below(2)), 1 + below(3), below(4), over_ranks::of(below(90), rank)});
    }
    // One row a key, as a rank leaves them.
    combine(run.operations);
    combine(run.call_sites);
    combine(run.calls);
    combine(run.completions);
    combine(run.outstanding);
    combine(run.in_progress);
    combine(run.peers);
    combine(run.communicators);
    combine(run.phases);
    run.overflow = some_statistics();
    run.lost = below(2);
    return run;
}

}  // namespace test_support
