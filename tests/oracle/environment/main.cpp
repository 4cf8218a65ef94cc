// main of the tests of what is asked: MPI begins and ends through mpiprof, too.
#include "tests/oracle/forms.hpp"
#include "tests/oracle/records.hpp"
#include "tests/support/run_mpi_tests.hpp"

#include <cstdlib>

namespace {

/// The world's size as the launcher tells it: MPI does not run.
bool is_alone() {
    for (char const* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        if (char const* const size = std::getenv(variable)) return std::atoi(size) == 1;
    }
    return true;
}

/// The one record of the call that began MPI: it is made when MPI runs.
bool is_recorded(mpiprof::operation begun) {
    auto const& calls = oracle::recorded().calls;
    return calls.size() == 1 && calls.front().operation == begun;
}

}  // namespace

// A program begins MPI one way: alone without threads, else with them.
int main(int argc, char** argv) {
    oracle::recorded();
    auto begun = mpiprof::operation::init;
    if (is_alone()) {
        oracle::by_function.init(&argc, &argv);
    } else {
        int provided = MPI_THREAD_SINGLE;
        oracle::by_function.init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        begun = mpiprof::operation::init_thread;
    }
    bool const recorded = is_recorded(begun);
    int const failed = run_mpi_tests(argc, argv);
    int const code = oracle::by_function.finalize();
    return recorded && code == MPI_SUCCESS ? failed : 1;
}
