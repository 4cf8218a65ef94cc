// Two units of one program, one with profiling and one with it compiled out: what they share.
#pragma once

#include "every_header.hpp"

#include <cstddef>
#include <typeinfo>

/// What a unit does, and what it sees of mpiprof.
struct unit {
    /// Two sends, a bcast and a barrier, in a phase; returns MPI's codes, added up.
    int (*calls)();
    /// The type of a communicator profiled in the default way, and that of a phase.
    std::type_info const* view;
    std::type_info const* phase;
    std::size_t view_size;
    /// Is the function object MPI's own function?
    bool is_mpi_function;
    void const* process;
    /// What a user's own function says, below.
    std::size_t size_by_users_function;
};

unit enabled_unit();
unit disabled_unit();

/// A template over the communicator's type is another function in each unit.
template <class Communicator>
int send_twice(Communicator const& world) {
    int const value = 1;
    return world.send(MPI_PROC_NULL, 7, &value, 1) + world.send(MPI_PROC_NULL, 8, &value, 1);
}

/// So is one with the default communicator in its parameters.
inline int share(decltype(mpiprof::profile(MPI_COMM_SELF)) const& world) {
    int value = 1;
    return mpiprof::bcast(world, &value, 1, 0);
}

/// What must not be mixed: one name, and in each unit another meaning.
inline std::size_t users_function() { return sizeof(mpiprof::profile(MPI_COMM_SELF)); }
