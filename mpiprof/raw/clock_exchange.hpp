// How the clocks of all ranks stand to rank 0's, found out by messages.
#pragma once

#include <mpiprof/raw/private_world.hpp>
#include <mpiprof/run/process_status.hpp>
#include <mpiprof/run/recording.hpp>

#include <cstdint>
#include <functional>
#include <mpi.h>
#include <sched.h>
#include <string>

namespace mpiprof::inline v1::raw::detail {

// A rank asks its parent for the time again and again: the answer that came soonest counts, which is one that
// nothing else held up. It is content after a few answers if one was as good as this, in nanoseconds.
inline constexpr int fewest_questions = 10;
inline constexpr int most_questions = 50;
inline constexpr std::int64_t good_answer = 10'000;
inline constexpr int clock_tag = 1;

/// What a rank tells its children.
struct told_time {
    /// Its CLOCK_MONOTONIC, and how that stands to rank 0's.
    std::int64_t now = 0;
    clock_offset offset;
    /// Which machine it is on.
    std::uint64_t machine = 0;
};

/// A number for the machine since it was started; 0 if that is not known.
[[gnu::cold]] inline std::uint64_t this_machine() noexcept {
    MPIPROF_INTERNAL_TRY {
        auto const boot = mpiprof::detail::file_text("/proc/sys/kernel/random/boot_id");
        return boot.empty() ? 0 : std::hash<std::string>{}(boot);
    }
    MPIPROF_INTERNAL_CATCH_ALL { return 0; }
}

/// Receives a message, for whose sender it makes room on the core where that takes long: many libraries would
/// not, and two ranks on one core then wait for the ends of each other's time slices.
[[gnu::cold]] inline bool receive_yielding(void* to, int nbytes, int rank, MPI_Comm comm) noexcept {
    constexpr int soon = 100;
    MPI_Request request = MPI_REQUEST_NULL;
    if (PMPI_Irecv(to, nbytes, MPI_BYTE, rank, clock_tag, comm, &request) != MPI_SUCCESS) return false;
    for (int tests = 0;; ++tests) {
        int arrived = 0;
        if (PMPI_Test(&request, &arrived, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
        if (arrived != 0) return true;
        if (tests >= soon) ::sched_yield();
    }
}

/// What a rank says to its parent.
enum class question : int { content, what_time };

/// Asks `parent` for its time, once: how this rank's clock stands to that. It was told between the question
/// and the answer, so half of the time between the two is what it may be off from their middle.
template <class Monotonic>
[[gnu::cold]] clock_offset ask_once(told_time& told, int parent, MPI_Comm comm) noexcept {
    auto const what_time = question::what_time;
    auto const asked = Monotonic::now();
    PMPI_Send(&what_time, sizeof what_time, MPI_BYTE, parent, clock_tag, comm);
    bool const received = receive_yielding(&told, sizeof told, parent, comm);
    auto const answered = Monotonic::now();
    if (!received || !told.offset.known()) return {};
    auto const half = (answered - asked) / 2;
    return {told.now - asked - half, answered - asked - half, answered};
}

/// How a rank's clock stands to rank 0's, where that is known of its parent's.
[[gnu::cold]] inline clock_offset through_parent(clock_offset by_parent, told_time const& parent,
                                                 std::uint64_t machine) noexcept {
    if (!by_parent.known()) return {};
    // A machine has one clock, though it may be shown shifted to some processes.
    bool const same = machine != 0 && machine == parent.machine && by_parent.nanoseconds <= by_parent.error &&
                      by_parent.nanoseconds >= -by_parent.error;
    if (same) by_parent.nanoseconds = by_parent.error = 0;
    return {parent.offset.nanoseconds + by_parent.nanoseconds, parent.offset.error + by_parent.error,
            by_parent.when, same && parent.offset.same};
}

/// Asks until it is content, and takes the best answer.
template <class Monotonic>
[[gnu::cold]] clock_offset ask_for_time(int parent, std::uint64_t machine, MPI_Comm comm) noexcept {
    clock_offset best;
    told_time told_best;
    bool good = false;
    for (int asked = 0; asked < most_questions && !(good && asked >= fewest_questions); ++asked) {
        told_time told;
        auto const answer = ask_once<Monotonic>(told, parent, comm);
        // An answer that came to nothing may still come, in place of the next.
        if (!answer.known()) break;
        if (!best.known() || answer.error < best.error_at(answer.when)) {
            best = answer;
            told_best = told;
        }
        good = best.error < good_answer;
    }
    auto const content = question::content;
    PMPI_Send(&content, sizeof content, MPI_BYTE, parent, clock_tag, comm);
    return through_parent(best, told_best, machine);
}

/// Tells a child the time until it is content.
template <class Monotonic>
[[gnu::cold]] void tell_time(clock_offset const& offset, int child, std::uint64_t machine,
                             MPI_Comm comm) noexcept {
    for (;;) {
        auto said = question::content;
        receive_yielding(&said, sizeof said, child, comm);
        if (said == question::content) return;
        told_time told{Monotonic::now(), offset, machine};
        told.offset.error = offset.error_at(told.now);
        PMPI_Send(&told, sizeof told, MPI_BYTE, child, clock_tag, comm);
    }
}

/// Finds out how this rank's CLOCK_MONOTONIC stands to that of rank 0 of `comm`, down a binomial tree.
/// Collective; every rank goes through all of its messages, whatever fails. `Monotonic` is CLOCK_MONOTONIC,
/// and `machine` the one that it is of, but in tests.
template <class Monotonic = timing::steady>
[[gnu::cold]] clock_offset compare_clocks(MPI_Comm comm, std::uint64_t machine = this_machine()) noexcept {
    int rank = 0;
    int size = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    int distance = 1;
    while (distance < size && (rank & distance) == 0) distance *= 2;
    auto const offset = rank == 0 ? clock_offset{0, 0, Monotonic::now(), true}
                                  : ask_for_time<Monotonic>(rank - distance, machine, comm);
    // First those that have most of the others to tell.
    for (distance /= 2; distance > 0; distance /= 2) {
        if (rank + distance < size) tell_time<Monotonic>(offset, rank + distance, machine, comm);
    }
    return offset;
}

/// Is there to be asked of all ranks whether they compare their clocks for this recording?
[[gnu::cold]] inline bool compares_clocks(recording_base const& recording) noexcept {
    if (recording.collective_order() != recording_base::not_collective) return recording.can_trace();
    return recording.can_trace() && recording.options().merge == merge_by::collective;
}

/// Keeps with this rank's trace what its clock is by rank 0's, if all ranks of the private communicator `own`
/// trace. Collective.
[[gnu::cold]] inline void sample_clocks(recording_base& recording, MPI_Comm own) noexcept {
    if (!all_want(recording.wants_trace(), own)) return;
    recording.add_clock_sample(compare_clocks(own));
}

/// The same over MPI_COMM_WORLD, if MPI runs. One rank alone has nothing to compare.
[[gnu::cold]] inline void sample_clocks_of_world(recording_base& recording) noexcept {
    if (!world_runs() || process::instance().place.world_size == 1) return;
    if (!all_want(recording.wants_trace(), MPI_COMM_WORLD)) return;
    auto own = private_world();
    if (own == MPI_COMM_NULL) return;
    recording.add_clock_sample(compare_clocks(own));
    PMPI_Comm_free(&own);
}

}  // namespace mpiprof::inline v1::raw::detail
