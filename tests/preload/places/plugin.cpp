// A plug-in that calls MPI from two places.
using mpi_function = void (*)();

int volatile plugin_after_call;

extern "C" void plugin_first(mpi_function function) {
    function();
    plugin_after_call = 1;
}

extern "C" void plugin_second(mpi_function function) {
    function();
    plugin_after_call = 2;
}
