// The least that a library for preloading can do to measure calls: the lower bound around each MPI_X.
#include "lower_bound.hpp"

#include <mpi.h>

using bound = benchmarks::lower_bound<benchmarks::rdtsc>;

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
    return bound::measure([&] { return PMPI_Iprobe(source, tag, comm, found, status); });
}

int MPI_Barrier(MPI_Comm comm) {
    return bound::measure([&] { return PMPI_Barrier(comm); });
}

int MPI_Allreduce(void const* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return bound::measure([&] { return PMPI_Allreduce(out, in, count, type, op, comm); });
}

int MPI_Send(void const* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    return bound::measure([&] { return PMPI_Send(buffer, count, type, peer, tag, comm); });
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
             MPI_Status* status) {
    return bound::measure([&] { return PMPI_Recv(buffer, count, type, peer, tag, comm, status); });
}

int MPI_Isend(void const* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
    return bound::measure([&] { return PMPI_Isend(buffer, count, type, peer, tag, comm, request); });
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
    return bound::measure([&] { return PMPI_Irecv(buffer, count, type, peer, tag, comm, request); });
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    return bound::measure([&] { return PMPI_Waitall(count, requests, statuses); });
}
