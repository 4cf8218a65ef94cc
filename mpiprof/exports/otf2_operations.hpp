// What MPI's operations are in OTF2's words.
#pragma once

#include <mpiprof/core/operation.hpp>

#include <optional>
#include <otf2/otf2.h>
#include <string>

namespace mpiprof::inline v1::exports {

/// A collective operation that OTF2 knows.
struct otf2_collective {
    OTF2_CollectiveOp what;
    OTF2_RegionRole role;
    /// It returns when it is done.
    bool blocking;
};

/// Those that OTF2 does not know, as the neighbourhood ones, have none.
std::optional<otf2_collective> otf2_collective_of(operation value) noexcept;

/// What a viewer may group an operation's calls by.
OTF2_RegionRole otf2_role_of(operation value) noexcept;

/// The function's name, "MPI_Send".
std::string mpi_function_name(operation value);

}  // namespace mpiprof::inline v1::exports
