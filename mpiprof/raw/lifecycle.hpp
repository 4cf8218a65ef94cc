// Where the run meets MPI: this process's place in the job, and the hook that sees MPI_Finalize.
#pragma once

#include <mpiprof/raw/arrived.hpp>
#include <mpiprof/raw/clock_exchange.hpp>
#include <mpiprof/raw/communicator_identity.hpp>
#include <mpiprof/raw/ending.hpp>
#include <mpiprof/raw/request_table.hpp>
#include <mpiprof/raw/sessions.hpp>
#include <mpiprof/raw/type_sizes.hpp>
#include <mpiprof/run/recording.hpp>

#include <atomic>
#include <mpi.h>
#include <string>

namespace mpiprof::inline v1::raw::detail {

/// Runs at the start of MPI_Finalize, which frees MPI_COMM_SELF before anything else (MPI 3.1,
/// section 8.7.1): all of MPI still works in it.
inline int finalizing(MPI_Comm, int, void*, void*) noexcept {
    finish_run();
    return MPI_SUCCESS;
}

/// The library's name and version, "Open MPI v4.1.4" or "MPICH Version: 4.0.2".
inline std::string library_name() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    PMPI_Get_library_version(text, &length);
    std::string name{text, static_cast<std::size_t>(length)};
    name.resize(std::min(name.find_first_of(",\n"), name.size()));
    for (auto& character : name) {
        if (character == '\t') character = ' ';
    }
    return name;
}

/// This process's place among those of the job.
inline void learn_place(process& shared, MPI_Group job) {
    int rank = 0;
    int size = 0;
    PMPI_Group_rank(job, &rank);
    PMPI_Group_size(job, &size);
    shared.place = {rank, size, library_name()};
}

inline void enter_world(job_place const& place) {
    auto const rank = static_cast<int>(place.rank);
    auto const size = static_cast<int>(place.world_size);
    auto& registry = communicator_registry::instance();
    registry.add({{size, not_applicable, rank, 0}, world_communicator, "MPI_COMM_WORLD"});
    registry.add({{1, not_applicable, 0, rank}, self_communicator, "MPI_COMM_SELF"});
}

/// Tells of the requests that were not seen to complete. Requests that are objects are not known here.
inline void visit_outstanding(void (*visit)(completion const&, void*), void* context) {
    request_table::instance().for_each_active([&](completion const& posted) { visit(posted, context); });
}

/// What the end of the run will be known by.
enum class hooked_to { nothing, last_session, world };
inline constinit std::atomic<hooked_to> hook{hooked_to::nothing};

/// Learns what there is to know before the first call is recorded. False where MPI does not run.
inline bool prepare_run(process& shared) {
    MPI_Group job = MPI_GROUP_NULL;
    if (!job_group(job)) return false;
    learn_place(shared, job);
    PMPI_Group_free(&job);
    type_sizes::fill();
    status_bytes::try_out();
    return true;
}

inline void set_hook() noexcept {
    int keyval = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &finalizing, &keyval, nullptr);
    PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
}

/// Sets the hook, once. False where MPI does not run yet; true also when it has ended.
inline bool attach_once() {
    auto& shared = process::instance();
    std::lock_guard const lock{shared.mutex};
    if (hook == hooked_to::world) return true;
    int initialized = 0;
    int finalized = 0;
    PMPI_Initialized(&initialized);
    if (initialized != 0) PMPI_Finalized(&finalized);
    if (finalized != 0) {
        hook = hooked_to::world;
        shared.over = true;
        return true;
    }
    if (hook == hooked_to::nothing) {
        if (!prepare_run(shared)) return false;
        hook = hooked_to::last_session;
    }
    // A program of sessions may call MPI_Init later.
    if (initialized != 0) {
        hook = hooked_to::world;
        enter_world(shared.place);
        set_hook();
    }
    return true;
}

inline bool attach() noexcept {
    MPIPROF_INTERNAL_TRY { return attach_once(); }
    MPIPROF_INTERNAL_CATCH_ALL { return false; }
}

/// Before MPI runs there is no rank to write for.
inline void write_snapshot() noexcept {
    if (hook != hooked_to::nothing) try_to_write_snapshots();
}

#if MPIPROF_INTERNAL_SESSIONS

/// The program has opened a session.
inline void session_opened(MPI_Session session) noexcept {
    MPIPROF_INTERNAL_TRY { open_sessions::instance().add(session); }
    MPIPROF_INTERNAL_CATCH_ALL {
        // No memory: the run has no end that is seen, and its shards stay.
    }
}

/// The program is about to close a session. With the last one the run ends, unless there is MPI_Finalize to
/// come, since in MPI_Session_finalize no callback of ours would run.
inline void session_closing(MPI_Session session) noexcept {
    bool const last = open_sessions::instance().remove(session);
    if (!last || hook == hooked_to::nothing) return;
    if (world_runs()) attach();
    else if (hook == hooked_to::last_session) finish_run();
}

#endif

/// A global profiler may have started its recording before, in the belief that there is no MPI.
inline void install() {
    auto& shared = process::instance();
    std::lock_guard const lock{shared.mutex};
    if (shared.hooks.attach != nullptr) return;
    shared.hooks.attach = &attach;
    shared.hooks.sample_clocks = &sample_clocks_of_world;
    shared.hooks.visit_outstanding = &visit_outstanding;
    shared.hooks.write_snapshot = &write_snapshot;
    for (auto* const each : shared.recordings) each->await_hooks();
}

/// Tells the floors that know no MPI about `attach`, and has the clock read for the first time, both before
/// main. A template, so that only a program that profiles contains it: what profiles names `hooked` of its
/// instrumentation.
template <class Instrumentation>
inline bool const hooked =
    (mpiprof::detail::clock_of<typename Instrumentation::timing>::prepare(), install(), true);

/// Makes sure that `hooked` is there.
template <class Instrumentation>
    requires(Instrumentation::enabled)
constexpr void use_hook() noexcept {
    static_cast<void>(&hooked<Instrumentation>);
}

}  // namespace mpiprof::inline v1::raw::detail
