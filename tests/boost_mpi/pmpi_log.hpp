// What this program asks of MPI: it defines MPI's functions itself, forwards to PMPI and keeps a log. Counts
// and sizes are taken from the arguments and statuses here, with no code of mpiprof's.
#pragma once

#include <compare>
#include <iosfwd>
#include <string>
#include <vector>

namespace pmpi_log {

/// Stands in a field that a function does not have.
inline constexpr int none = -9;

/// One call of an MPI function.
struct call {
    /// Without MPI_.
    std::string function;
    /// Payload bytes by the function's arguments; of a receive, what arrived.
    long long sent = 0;
    long long received = 0;
    /// As given, or as the status of a receive has them.
    int peer = none;
    int tag = none;
    int root = none;

    auto operator<=>(call const&) const = default;
};

std::ostream& operator<<(std::ostream& out, call const& each);

/// The calls since `clear`, in order, except queries and tests and probes that found nothing.
std::vector<call> const& calls();

/// The calls of one function.
std::vector<call> calls(std::string const& function);

/// Requests that waits and tests completed since `clear`.
int completed();

/// Calls of MPI_Comm_rank and MPI_Comm_size since `clear`.
int queries();

/// Buffers from MPI_Alloc_mem that are not freed, over the whole run.
int live_buffers();

void clear();

/// Lets the next MPI_Test, MPI_Testall, MPI_Iprobe and MPI_Improbe calls find nothing, as if the messages
/// took longer.
void hold_back(int tests);

}  // namespace pmpi_log
