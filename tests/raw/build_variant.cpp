// A user's unit that includes every header of mpiprof, compiled once for each VARIANT.
#ifdef VARIANT_INCLUDES_MPI_FIRST
#include <mpi.h>
#endif

#include "tests/raw/build_variants.hpp"
#include "tests/raw/every_header.hpp"

#define VARIANT_TEXT(NAME) #NAME
#define VARIANT_NAME(NAME) VARIANT_TEXT(NAME)

// All in one function, so that a unity build can have the unit several times.
cases::variant cases::VARIANT() {
    auto const process = []() -> void const* { return &mpiprof::process::instance(); };
    auto const recording = []() -> void const* {
        return &mpiprof::recording_of<mpiprof::default_instrumentation>;
    };
    auto const exchange = [](cases::communicator const& self) -> int {
        int const out = 1;
        int in[4] = {};
        MPI_Request requests[4];
        int codes[8] = {};
        for (int i = 0; i < 4; ++i) codes[i] = self.irecv(&in[i], 1, MPI_INT, 0, i, &requests[i]);
        for (int i = 0; i < 4; ++i) self.send(0, i, &out, 1);
        codes[4] = mpiprof::raw::waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int flag = 0; flag == 0 && codes[5] == MPI_SUCCESS;)
            codes[5] = mpiprof::raw::testall(2, requests + 2, &flag, MPI_STATUSES_IGNORE);
        auto request = self.irecv(0, 0, in, 1);
        codes[6] = mpiprof::send(self, 0, 0, &out, 1);
        codes[7] = mpiprof::wait_all(&request, 1);
        for (int const code : codes) {
            if (code != MPI_SUCCESS) return code;
        }
        return MPI_SUCCESS;
    };
    return {VARIANT_NAME(VARIANT), process, recording, exchange};
}
