// How the clocks of all ranks stand to rank 0's, found out by messages.
#pragma once

#include <mpiprof/raw/private_world.hpp>
#include <mpiprof/run/recording.hpp>

#include <cstdint>
#include <mpi.h>
#include <sched.h>

namespace mpiprof::inline v1::raw::detail {

// A rank asks its parent for the time again and again: the answer that came soonest counts, which is one that
// nothing else held up. It is content after a few answers if one was as good as this, in nanoseconds.
inline constexpr int fewest_questions = 10;
inline constexpr int most_questions = 50;
inline constexpr std::int64_t good_answer = 10'000;
inline constexpr int clock_tag = 1;

/// Rank 0's CLOCK_MONOTONIC as a rank knows it, and by how much that may be wrong.
struct told_time {
    std::int64_t nanoseconds;
    std::int64_t error;
};

/// Receives a message, for whose sender it makes room on the core where that takes long: many libraries would
/// not, and two ranks on one core then wait for the ends of each other's time slices.
[[gnu::cold]] inline bool receive_yielding(void* to, int count, MPI_Datatype type, int rank,
                                           MPI_Comm comm) noexcept {
    constexpr int soon = 100;
    MPI_Request request = MPI_REQUEST_NULL;
    if (PMPI_Irecv(to, count, type, rank, clock_tag, comm, &request) != MPI_SUCCESS) return false;
    for (int tests = 0;; ++tests) {
        int arrived = 0;
        if (PMPI_Test(&request, &arrived, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
        if (arrived != 0) return true;
        if (tests >= soon) ::sched_yield();
    }
}

/// What a rank says to its parent.
enum class question : int { content, what_time };

/// Asks `parent` for rank 0's time, once. It is told between the question and the answer: half of the time
/// between the two is what it may be off from their middle.
template <class Monotonic>
[[gnu::cold]] clock_offset ask_once(int parent, MPI_Comm comm) noexcept {
    auto const what_time = question::what_time;
    told_time told{0, -1};
    auto const asked = Monotonic::now();
    PMPI_Send(&what_time, 1, MPI_INT, parent, clock_tag, comm);
    bool const received = receive_yielding(&told, 2, MPI_INT64_T, parent, comm);
    auto const answered = Monotonic::now();
    if (!received || told.error < 0) return {};
    auto const half = (answered - asked) / 2;
    return {told.nanoseconds - asked - half, told.error + answered - asked - half, answered};
}

/// Asks until it is content, and takes the best answer.
template <class Monotonic>
[[gnu::cold]] clock_offset ask_for_time(int parent, MPI_Comm comm) noexcept {
    clock_offset best;
    bool good = false;
    for (int asked = 0; asked < most_questions && !(good && asked >= fewest_questions); ++asked) {
        auto const answer = ask_once<Monotonic>(parent, comm);
        if (!answer.known()) continue;
        if (!best.known() || answer.error < best.error_at(answer.when)) best = answer;
        good = best.error < good_answer;
    }
    auto const content = question::content;
    PMPI_Send(&content, 1, MPI_INT, parent, clock_tag, comm);
    return best;
}

/// Tells a child rank 0's time until it is content.
template <class Monotonic>
[[gnu::cold]] void tell_time(clock_offset const& offset, int child, MPI_Comm comm) noexcept {
    for (;;) {
        auto said = question::content;
        receive_yielding(&said, 1, MPI_INT, child, comm);
        if (said == question::content) return;
        auto const now = Monotonic::now();
        told_time const told{now + offset.nanoseconds, offset.error_at(now)};
        PMPI_Send(&told, 2, MPI_INT64_T, child, clock_tag, comm);
    }
}

/// Finds out how this rank's CLOCK_MONOTONIC stands to that of rank 0 of `comm`, down a binomial tree.
/// Collective; every rank goes through all of its messages, whatever fails. `Monotonic` is CLOCK_MONOTONIC,
/// but in tests.
template <class Monotonic = timing::steady>
[[gnu::cold]] clock_offset compare_clocks(MPI_Comm comm) noexcept {
    int rank = 0;
    int size = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    int distance = 1;
    while (distance < size && (rank & distance) == 0) distance *= 2;
    auto const offset = rank == 0 ? clock_offset{0, 0, Monotonic::now(), true}
                                  : ask_for_time<Monotonic>(rank - distance, comm);
    // First those that have most of the others to tell.
    for (distance /= 2; distance > 0; distance /= 2) {
        if (rank + distance < size) tell_time<Monotonic>(offset, rank + distance, comm);
    }
    return offset;
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
