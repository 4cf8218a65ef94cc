// preloaded [FLAGS OF GOOGLE BENCHMARK]: times plain calls on MPI_COMM_SELF, for whatever is preloaded.
#include "google_benchmark.hpp"

#include <mpi.h>

namespace benchmarks {

namespace {

/// Each is called often; those of messages are two and three calls.
template <void (*Call)()>
void repeat(std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i) Call();
}

void iprobe() {
    int found = 0;
    MPI_Iprobe(0, 7, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
}

void barrier() { MPI_Barrier(MPI_COMM_SELF); }

void allreduce() {
    static double const mine = 1;
    static double sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

void send_recv() {
    static int const out = 1;
    static int in = 0;
    MPI_Send(&out, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Recv(&in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void isend_irecv_waitall() {
    static int const out = 1;
    static int in = 0;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

}  // namespace

}  // namespace benchmarks

int main(int argc, char** argv) {
    using namespace benchmarks;
    MPI_Init(&argc, &argv);
    int const status = run_by_google_benchmark({{"iprobe", &repeat<&iprobe>},
                                                {"barrier", &repeat<&barrier>},
                                                {"allreduce", &repeat<&allreduce>},
                                                {"send_recv", &repeat<&send_recv>},
                                                {"isend_irecv_waitall", &repeat<&isend_irecv_waitall>}},
                                               argc, argv);
    MPI_Finalize();
    return status;
}
