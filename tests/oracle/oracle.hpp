// An independent count of what this program's MPI calls move: the oracle that mpiprof is held against.
//
// It defines MPI's functions itself, forwards to PMPI, and keeps a log of its own. Its formulas are written
// from the MPI standard and DESIGN.md, section 4, and share no code with mpiprof.
#pragma once

#include <climits>
#include <cstddef>
#include <string>
#include <vector>

namespace oracle {

// What stands in a field instead of a rank or tag.
inline constexpr int not_applicable = -1;
inline constexpr int anybody = -2;
inline constexpr int anything = -2;
inline constexpr int null_process = -3;
inline constexpr int root_here = -4;
/// The oracle has no means to tell; whatever mpiprof says is taken.
inline constexpr int cannot_tell = INT_MIN;

/// One call of an MPI function.
struct call {
    /// The function's name in lower case, without MPI_.
    std::string operation;
    bool failed = false;
    /// A test or probe that found nothing.
    bool incomplete = false;
    bool in_place = false;
    int peer = not_applicable;
    int tag = not_applicable;
    int root = not_applicable;
    long long sent = 0;
    long long received = 0;
    /// Bytes to and from files.
    long long written = 0;
    long long read = 0;
    /// Room of a nonblocking receive in bytes.
    long long capacity = not_applicable;
    /// What made the request that a wait or test completed or a start started; "?" where the oracle has no
    /// means to tell.
    std::string request = {};
};

/// One request that completed, or the receiving side of a sendrecv.
struct completion {
    /// What made the request.
    std::string operation;
    bool cancelled = false;
    int peer = not_applicable;
    int tag = not_applicable;
    long long received = 0;
    /// Bytes from a file.
    long long read = 0;
    /// Bytes of a send that was started by a call of several, which names no peer; they are in the call's
    /// sum.
    long long sent = not_applicable;
    /// Bytes of a cancelled send.
    long long taken_back = 0;

    auto operator<=>(completion const&) const = default;
};

/// What happened since it was last cleared, in order.
struct record {
    std::vector<call> calls;
    std::vector<completion> completions;
};

record& log();

/// Requests that were made and have not completed; persistent ones that were not freed.
std::size_t requests_in_flight();

/// Was MPI's function of this name (MPI_Send_c) ever called?
bool was_called(std::string const& function);

/// How often anybody asked for a datatype's size by PMPI_Type_size_x, which the oracle itself never does.
long long size_queries();

}  // namespace oracle
