// Which job a process belongs to, the same text on all of its ranks.
#pragma once

#include <mpiprof/run/process_status.hpp>

#include <cstdlib>
#include <string>
#include <string_view>

namespace mpiprof::inline v1::detail {

/// The variable by which `mpiprof run` tells the processes below it that they belong together.
inline constexpr char const* job_variable = "MPIPROF_JOB";

/// A variable of the environment, "" where it is not set.
inline std::string environment(char const* name) {
    char const* const text = std::getenv(name);
    return text == nullptr ? "" : text;
}

/// The argument after `name` in a process's command line.
inline std::string argument_after(std::int64_t process, std::string_view name) {
    auto const text = file_text("/proc/" + std::to_string(process) + "/cmdline");
    for (std::size_t first = 0; first < text.size();) {
        std::string_view const word = text.c_str() + first;
        first += word.size() + 1;
        if (word == name && first < text.size()) return text.c_str() + first;
    }
    return {};
}

/// Hydra, MPICH's launcher, gives its ranks no name of their job; but on every node they descend from its
/// proxy, which was told where the launcher listens.
inline std::string hydra_job() {
    auto process = static_cast<std::int64_t>(::getppid());
    while (process > 1) {
        auto const status = status_of(process);
        if (status.name == "hydra_pmi_proxy") {
            auto const port = argument_after(process, "--control-port");
            return port.empty() ? std::to_string(process) + '.' + std::to_string(status.start) : port;
        }
        process = status.parent;
    }
    return {};
}

/// Open MPI 4 makes the name of the machine's and its launcher's process id, which repeat, in containers with
/// every launch. Beside it stands the random number that it gives all ranks of a launch for their networks.
inline std::string pmix_job(std::string const& name) {
    auto const launch = environment("OMPI_MCA_orte_precondition_transports");
    return "pmix:" + name + (launch.empty() ? "" : '.' + launch);
}

/// The job as the launcher of this process knows it; "" without one.
inline std::string launcher_job() {
    if (auto const name = environment("PMIX_NAMESPACE"); !name.empty()) return pmix_job(name);
    if (auto const id = environment("PALS_APID"); !id.empty()) return "pals:" + id;
    if (!environment("PMI_RANK").empty()) {
        if (auto const job = hydra_job(); !job.empty()) return "hydra:" + job;
    }
    auto const job = environment("SLURM_JOB_ID");
    auto const step = environment("SLURM_STEP_ID");
    if (!job.empty() && !step.empty()) return "slurm:" + job + '.' + step;
    return {};
}

/// The job of this process: what `mpiprof run` calls it, and behind a slash what the launcher does, since one
/// `mpiprof run` may start several jobs. "" where neither is there. Asked for once, since MPI libraries and
/// programs change the environment.
inline std::string const& job_key() {
    static auto const* const key = [] {
        auto const session = environment(job_variable);
        auto const launched = launcher_job();
        if (session.empty()) return new std::string{launched};
        if (launched.empty() || launched == session) return new std::string{session};
        return new std::string{session + '/' + launched};
    }();
    return *key;
}

/// Does the job `key` belong to what one `mpiprof run` calls `session`?
constexpr bool in_session(std::string_view key, std::string_view session) noexcept {
    if (session.empty() || !key.starts_with(session)) return false;
    return key.size() == session.size() || key[session.size()] == '/';
}

}  // namespace mpiprof::inline v1::detail
