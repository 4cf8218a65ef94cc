// What the tests call the Fortran layer of an MPI library: functions between the program and the MPI
// function.
#include <alloca.h>

using mpi_function = void (*)();

/// Return address of the last call from outside.
void const* layer_caller;
int volatile layer_after_call;

// What follows a call keeps it from becoming a jump.
extern "C" void layer_plain(mpi_function function, int) {
    layer_caller = __builtin_return_address(0);
    function();
    layer_after_call = 1;
}

extern "C" void layer_nested(mpi_function function, int size) {
    layer_plain(function, size);
    layer_caller = __builtin_return_address(0);
    layer_after_call = 2;
}

/// A frame of `size` bytes and more.
extern "C" void layer_variable(mpi_function function, int size) {
    auto* const bytes = static_cast<char volatile*>(alloca(static_cast<unsigned>(size)));
    bytes[0] = 1;
    bytes[size - 1] = 1;
    layer_caller = __builtin_return_address(0);
    function();
    layer_after_call = bytes[0];
}
