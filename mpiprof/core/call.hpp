// What is known of one finished call.
#pragma once

#include <mpiprof/core/call_site.hpp>
#include <mpiprof/core/operation.hpp>
#include <mpiprof/core/phase_id.hpp>

#include <cstdint>

namespace mpiprof::inline v1 {

/// Not applicable, or unknown. It means nothing else, in any field.
inline constexpr int not_applicable = -1;
/// Peer of a receive or probe whose source was not resolved. The MPI libraries' own numbers never stand in a
/// record, since they differ (Open MPI -1, MPICH -2).
inline constexpr int any_source = -2;
/// Tag of a receive or probe whose tag was not resolved.
inline constexpr int any_tag = -2;
/// Peer of a transfer with the null process (MPI_PROC_NULL).
inline constexpr int null_process = -3;
/// Root of an intercommunicator collective in the group of the root (MPI_ROOT).
inline constexpr int intercommunicator_root = -4;

/// Identity of a communicator: the same number on every member, never used again. -1 is unknown.
using communicator_id = std::int64_t;
inline constexpr communicator_id world_communicator = 0;
inline constexpr communicator_id self_communicator = 1;
inline constexpr communicator_id unknown_communicator = -1;

/// Bits of `call::flags`.
enum call_flag : std::uint16_t {
    call_failed = 1,      ///< returned an error code or left by an exception; carries no bytes
    call_incomplete = 2,  ///< a test or probe that found nothing (flag false)
    call_in_place = 4,    ///< MPI_IN_PLACE was given
    call_estimated = 8,   ///< the byte counts are an estimate
};

/// The record of one finished call.
struct call {
    mpiprof::operation operation = operation::none;
    /// For a wait, test or start of one request: the operation that made the request.
    mpiprof::operation request = operation::none;
    std::uint16_t flags = 0;
    /// Rank in the communicator (for an intercommunicator: in the remote group), or any_source, null_process.
    int peer = not_applicable;
    int root = not_applicable;
    int tag = not_applicable;
    phase_id phase = 0;
    communicator_id communicator = unknown_communicator;
    /// Payload bytes that this rank handed to MPI; -1 where that cannot be known.
    std::int64_t sent = 0;
    /// Payload bytes that this call gave to this rank; -1 where that cannot be known. What a nonblocking
    /// receive brings stands in its completion.
    std::int64_t received = 0;
    /// Room for a message in bytes, for irecv and its like; for a wait or test of one request the byte count
    /// in the region name of the call that made it; -1 elsewhere. It adds to no sum.
    std::int64_t capacity = not_applicable;
    /// Bytes of what a library sends beside the payload to tell its size: those that this rank handed to MPI
    /// and those that it was given, together.
    std::int64_t overhead = 0;
    /// Bytes that this call wrote to a file and read from one; -1 where that cannot be known. What a
    /// nonblocking read brings stands in its completion.
    std::int64_t written = 0;
    std::int64_t read = 0;
    /// Ticks of the timing policy: nanoseconds, unless its `nanoseconds(begin, end)` says otherwise. The end
    /// is never before the beginning.
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// From begin to end in nanoseconds, as well as the clock knew when the call ended (a clock that ticks in
    /// nanoseconds: exactly); never negative.
    std::int64_t duration = 0;
    call_site site;
};

/// The one byte count in a region name: what the operation sends on this rank, else what it receives, writes
/// or reads; the capacity of a nonblocking receive.
[[gnu::always_inline]] constexpr std::int64_t region_bytes(call const& record) noexcept {
    if (record.capacity != not_applicable) return record.capacity;
    if (record.sent != 0) return record.sent;
    if (record.received != 0) return record.received;
    return record.written != 0 ? record.written : record.read;
}

}  // namespace mpiprof::inline v1
