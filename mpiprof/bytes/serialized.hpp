// Payload bytes, also of serialised values whose archive is not at hand.
#pragma once

#include <mpiprof/core/concepts.hpp>

namespace mpiprof::inline v1::bytes {

/// Counts what `payload` does, and the archive's size of serialised values where it is not free too: Boost
/// keeps those archives to itself, so the values' `serialize` runs once more. An adapter for a library that
/// serialises does the counting; for Boost.MPI it is in <mpiprof/boost_mpi/serialized_size.hpp>, to be
/// included with this policy, which says what can be counted.
struct counted_archives {
    static constexpr bool sizes = true;
    static constexpr bool arrivals = true;
    static constexpr bool serialized = true;
    static constexpr char const* name = "serialized";
};

static_assert(byte_policy<counted_archives>);

/// The policy's name. (No class can have the name of its own constant.)
using serialized = counted_archives;

}  // namespace mpiprof::inline v1::bytes
