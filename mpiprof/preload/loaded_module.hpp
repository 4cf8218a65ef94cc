// The files that a process is made of.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace mpiprof::inline v1::preload::detail {

/// The module that an address lies in.
struct loaded_module {
    /// Where it is, absolute; "" if that is not known.
    char path[4096] = {};
    /// What the addresses in the file are to be shifted by.
    std::uintptr_t base = 0;
    /// The first bytes of its build id.
    unsigned char build_id[8] = {};
    /// How many there are; 0 of a module without one.
    std::size_t build_id_size = 0;
    /// How many modules the process has unloaded so far.
    unsigned long long unloaded = 0;

    /// Is it one in which the MPI library turns Fortran calls into C's?
    bool is_fortran_layer() const noexcept;
};

/// False where no module has the address; `unloaded` is filled in all the same.
bool find_module(std::uintptr_t address, loaded_module& found) noexcept;

}  // namespace mpiprof::inline v1::preload::detail
