// Where the calls of each MPI function go.
#pragma once

#include <mpiprof/preload/interface.hpp>

#include <cstddef>

namespace mpiprof::inline v1::preload {

/// The slot of one function of the table, in the table's order. entry_points.cpp lays them out and jumps
/// through them.
struct slot {
    /// Where MPI_X goes: first to where the slots are filled, then to the tool library's wrapper, or the MPI
    /// library's PMPI_X.
    function_address called;
    /// Where PMPI_X goes: the MPI library's.
    function_address real;
    /// Where both go if the MPI library has no such function: to a message, and the end of the program.
    function_address missing;
    /// "PMPI_Send".
    char const* name;
};

/// A piece of the address space. It is empty until it is used, and then its size is written last and read
/// first.
struct address_range {
    std::size_t begin = 0;
    std::size_t size = 0;
};

inline constexpr std::size_t most_callers = 8;

}  // namespace mpiprof::inline v1::preload

// Named for the assembler.
extern "C" {

extern mpiprof::preload::slot mpiprof_slots_begin[];
extern mpiprof::preload::slot mpiprof_slots_end[];
/// Libraries that called PMPI_X: the MPI library's Fortran layers, which do it for what the program asked
/// them, and others.
extern mpiprof::preload::address_range mpiprof_fortran_callers[mpiprof::preload::most_callers];
extern mpiprof::preload::address_range mpiprof_other_callers[mpiprof::preload::most_callers];
/// Does this address, in none of them, belong to a Fortran layer? Its library joins them, while there is
/// room.
bool mpiprof_is_fortran_caller(void const* address);
/// Where a call of MPI_X goes whose slot is not filled: to where it would go, after the slots have been
/// filled, which the first one does; to the MPI library's own function where they cannot be filled now, since
/// another thread, or this one, is at it, or there is no MPI library that mpiprof knows.
mpiprof::preload::function_address mpiprof_where_called(mpiprof::preload::slot* slot) noexcept;
/// The same of a call of PMPI_X.
mpiprof::preload::function_address mpiprof_where_real(mpiprof::preload::slot* slot) noexcept;
/// Says that the MPI library has no such function, and ends the program as the dynamic linker would.
[[noreturn]] void mpiprof_missing(char const* name);
}
