// What the tests of collectives have in common: one scenario runs through all ways to call a collective.
#pragma once

#include "tests/oracle/profiled_test.hpp"

#include <cstddef>
#include <string>
#include <type_traits>

namespace oracle {

// Calls a collective blocking, nonblocking and, where the library has that, persistent.
#if MPIPROF_INTERNAL_PERSISTENT_COLLECTIVES
#define ORACLE_EVERY_WAY(OPERATION, ...)                                                                     \
    in_every_way(mpi.OPERATION, mpi.i##OPERATION, mpi.OPERATION##_init, __VA_ARGS__)
#else
#define ORACLE_EVERY_WAY(OPERATION, ...) in_every_way(mpi.OPERATION, mpi.i##OPERATION, nullptr, __VA_ARGS__)
#endif

class collective_test : public profiled_test {
  protected:
    /// Stands where MPI has no use for an argument, so that nobody may look.
    static constexpr int garbage = -77;

    template <class Blocking, class Nonblocking, class Init, class... Arguments>
    void in_every_way(Blocking blocking, Nonblocking nonblocking, Init init, Arguments const&... arguments) {
        blocking(arguments...);
        MPI_Request request = MPI_REQUEST_NULL;
        nonblocking(arguments..., &request);
        mpi.wait(&request, MPI_STATUS_IGNORE);
        if constexpr (!std::is_same_v<Init, std::nullptr_t>) {
            init(arguments..., MPI_INFO_NULL, &request);
            // Once: MPICH 4.0 crashes where one with derived datatypes, or a scatter, is started again.
            mpi.start(&request);
            mpi.wait(&request, MPI_STATUS_IGNORE);
            mpi.request_free(&request);
        }
    }

    /// Looks that the collective moved these bytes, the last time that it was called in every way.
    void expect_moved(std::string const& operation, long long sent, long long received) const {
        expect_bytes(last(operation), sent, received);
        expect_bytes(last("i" + operation), sent, received);
#if MPIPROF_INTERNAL_PERSISTENT_COLLECTIVES
        EXPECT_EQ(last("start").request, operation + "_init");
        expect_bytes(last("start"), sent, received);
        expect_bytes(last(operation + "_init"), 0, 0);
#endif
    }

  private:
    static void expect_bytes(call const& made, long long sent, long long received) {
        EXPECT_EQ(made.sent, sent) << made.operation;
        EXPECT_EQ(made.received, received) << made.operation;
    }
};

}  // namespace oracle
