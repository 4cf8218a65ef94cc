// What scope-profiler's files say of a run as a whole.
#pragma once

#include <mpiprof/exports/format.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mpiprof::inline v1::exports {

/// Texts and integers by their names, in valid UTF-8.
nlohmann::ordered_json run_metadata(traces::trace const& from);
nlohmann::ordered_json run_metadata(results::profile const& from);

/// What is to be added to times of the trace: they are CLOCK_MONOTONIC of the machine of the first rank then,
/// as scope-profiler's own are. Those of other machines are brought to it, so that ranks can be compared.
std::int64_t monotonic_origin(traces::trace const& from) noexcept;

/// A thread of a rank.
struct thread_row {
    std::int64_t rank = 0;
    /// Its place in the rank.
    std::int64_t index = 0;
    /// As the operating system has it.
    std::int64_t id = 0;
    std::string name;
    /// Start of the rank's recording.
    std::int64_t start = 0;
};

/// The threads of all ranks.
std::vector<thread_row> thread_rows(traces::trace const& from);

/// Number of ranks as a reader has it.
std::int64_t rank_count(traces::trace const& from) noexcept;

}  // namespace mpiprof::inline v1::exports
