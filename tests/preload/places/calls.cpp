// Two ranks; each call stands on a line of its own, marked with its operation.
#include "calls.hpp"

#include <cstdio>

namespace {

[[gnu::noinline]] void exchange(int rank) {
    MPI_Request request;
    int mine = rank, theirs = 0;
    for (int i = 0; i < 3; ++i) {
        MPI_Irecv(&theirs, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request);  // mark irecv
        MPI_Send(&mine, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);               // mark send
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                  // mark wait
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);  // mark init
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::printf("loaded %p\n", reinterpret_cast<void*>(&main));
    exchange(rank);
    int sum = sum_of(rank);
    MPI_Barrier(MPI_COMM_WORLD);  // mark barrier
    sum += sum_of(sum);
    MPI_Finalize();
    return sum != 3;
}
