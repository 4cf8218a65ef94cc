// What the interposers are made of: each forwards to PMPI and then notes what the call was and what it moved.
#pragma once

#include "tests/oracle/oracle.hpp"

#include <mpi.h>
#include <optional>
#include <utility>

namespace oracle {

int peer_of(int rank);
int tag_of(int tag);
int root_of(int rank);

/// Count times size, a datatype of no elements not being looked at.
long long payload(long long count, MPI_Datatype type);

/// Bytes of the message, or of the part of a file, that a status tells of.
long long arrived(MPI_Status const& status);

bool is_intercommunicator(MPI_Comm comm);

/// Ranks that a rank of `comm` exchanges with in a collective.
long long partners(MPI_Comm comm);

/// Who this rank is in a collective with a root (MPI 3.1, section 5.2.3 for intercommunicators).
struct seat {
    /// It has what all others get, or gets what all have.
    bool root = false;
    /// It is one of those that the root has to do with. The root of an intracommunicator is that too.
    bool party = true;
};

seat seat_in(MPI_Comm comm, int root);

/// Notes a call. One that failed is flagged and moves nothing.
int finish(call made, int code);

/// Notes a call, whose bytes `count` fills in where it succeeded.
template <class Count>
int finish(call made, int code, Count count) {
    if (code == MPI_SUCCESS) count(made);
    return finish(std::move(made), code);
}

/// The caller's status, or one of ours in the place of an ignored one.
class status_of_call {
  public:
    explicit status_of_call(MPI_Status* given) : status_{given == MPI_STATUS_IGNORE ? &own_ : given} {}
    MPI_Status* get() { return status_; }

  private:
    MPI_Status own_;
    MPI_Status* status_;
};

/// What a request brings when it completes.
enum class brings { nothing, message, part_of_file };

/// A request in flight: its completion as far as it is known, and what it takes to know the rest.
struct posted {
    completion outcome;
    brings what = brings::nothing;
    /// Bytes that are taken back if it is cancelled.
    long long sent = 0;
};

/// Notes a request. One that is null was complete at once, and no wait will ever see it.
void post(MPI_Request handle, posted const& request);

/// What a persistent request does each time that it is started.
struct persistent {
    /// The record of its start; `request` is what made it.
    call start;
    brings what = brings::nothing;
};

/// Notes a persistent request, which is inactive until it is started.
void post_persistent(MPI_Request handle, persistent const& request);

/// Notes that a persistent request was started, by itself or as one of several, and returns what that did.
call start(MPI_Request handle, bool alone);

/// What became of a request.
struct completed {
    completion outcome;
    /// Others had the same handle, so that it may be any of them.
    bool shared;
};

/// Notes the completion of the request that `before` stood for, if it did complete: where the handle goes,
/// `after` stands in its place. Where `success` is false, the request is gone without a completion.
std::optional<completed> complete(MPI_Request before, MPI_Request after, MPI_Status const& status,
                                  bool success);

/// What is known of a request in flight, which stays that.
std::optional<completed> look_at(MPI_Request handle);

/// Notes that a request was freed.
void forget(MPI_Request handle);

/// Enters a receive's source, tag and bytes.
void resolve(completion& into, MPI_Status const& status);

/// Notes that MPI's function of this name was called.
void note_function(char const* name);

// MPI's own function of a name, for the interposer of that name. A file of functions that have large-count
// forms is included once with MPI_##NAME and once with MPI_##NAME##_c.
#define ORACLE_REAL(NAME) (::oracle::note_function("MPI_" #NAME), &PMPI_##NAME)

}  // namespace oracle
