// Each unit behaves by its own setting. The MPI that is linked does nothing, and says that it does not run.
#include "tests/zero_cost/mixing/unit.hpp"

#include <cstdio>
#include <string>

namespace {

int failures = 0;

void expect(bool holds, char const* what) {
    if (holds) return;
    std::printf("not so: %s\n", what);
    ++failures;
}

/// Recorded so far, in the default recording.
std::int64_t recorded(std::string const& operation) {
    mpiprof::profiler<> const profiler;
    for (auto const& each : profiler.snapshot().operations) {
        if (each.operation == operation) return each.statistics.calls;
    }
    return 0;
}

std::int64_t phases_entered() {
    std::int64_t entered = 0;
    for (auto const& each : mpiprof::phase_registry::instance().entries()) entered += each.entered;
    return entered;
}

}  // namespace

int main() {
    auto const on = enabled_unit();
    auto const off = disabled_unit();
    expect(*on.view != *off.view, "BD7: views of different settings are of different types");
    expect(*on.phase != *off.phase, "BD7: phases of different settings are of different types");
    expect(on.view_size > sizeof(MPI_Comm) && off.view_size == sizeof(MPI_Comm),
           "BD7: a view that is off is a handle");
    expect(!on.is_mpi_function && off.is_mpi_function,
           "BD7: function objects that are off are MPI's functions");
    expect(on.process == off.process, "BD8: there is one process");

    for (int round = 1; round <= 2; ++round) {
        expect(off.calls() == 0, "MPI's codes come back");
        expect(recorded("send") == 2 * (round - 1), "BD7: calls of the disabled unit go unrecorded");
        expect(on.calls() == 0, "MPI's codes come back");
        expect(recorded("send") == 2 * round, "BD7: sends of the enabled unit are recorded");
        expect(recorded("bcast") == round, "BD7: bcasts of the enabled unit are recorded");
        expect(recorded("barrier") == round, "BD7: barriers of the enabled unit are recorded");
        expect(phases_entered() == round, "BD7: phases of the enabled unit are entered");
    }

    // For the test to look at.
    std::printf("sizes by the user's function: %zu %zu of %zu %zu\n", on.size_by_users_function,
                off.size_by_users_function, on.view_size, off.view_size);
    return failures == 0 ? 0 : 1;
}
