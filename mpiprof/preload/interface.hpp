// What the preload library and the tool library of an MPI library, which it loads, know of each other. No MPI
// here.
#pragma once

#include <mpiprof/core/config.hpp>

#include <cstddef>

namespace mpiprof::inline v1 {

struct preload_interface;

namespace preload {

/// An MPI function as an address, of whatever signature.
using function_address = void (*)();

/// What takes the place of an MPI function.
struct wrapped_function {
    /// As in the table of MPI functions: "Send" for MPI_Send.
    char const* name;
    function_address wrapper;
    /// Tells the wrapper the address of the MPI library's function, so that it need not find its way there
    /// through the preload library.
    void (*use)(function_address) noexcept;
};

/// What a tool library gives the preload library.
struct tool {
    /// Of this struct.
    static constexpr int right_version = 3;

    int version;
    /// Is anything to be recorded at all? (MPIPROF=off)
    bool (*wanted)() noexcept;
    /// In the order of the table of MPI functions, those that the MPI library has.
    wrapped_function const* functions;
    std::size_t size;
    /// What the program can say to it.
    preload_interface const* controls;
};

/// The function that a tool library exports under the name `tool_symbol`.
using tool_function = tool const*();
inline constexpr char const* tool_symbol = "mpiprof_tool";

}  // namespace preload

}  // namespace mpiprof::inline v1
