// A function over MPI's own functions, or with -DWRAPPED over the function objects, profiling compiled out.
#ifdef WRAPPED
#define MPIPROF_DISABLED
#include <mpiprof/raw.hpp>
namespace api = mpiprof::raw;
#else
#include <mpi.h>
namespace api {
inline constexpr auto* irecv = &MPI_Irecv;
inline constexpr auto* send = &MPI_Send;
inline constexpr auto* wait = &MPI_Wait;
}  // namespace api
#endif

extern "C" int exchange(MPI_Comm world, double* in, double const* out, int n, int peer) {
    MPI_Request request;
    if (int const code = api::irecv(in, n, MPI_DOUBLE, peer, 1, world, &request)) return code;
    if (int const code = api::send(out, n, MPI_DOUBLE, peer, 1, world)) return code;
    return api::wait(&request, MPI_STATUS_IGNORE);
}
