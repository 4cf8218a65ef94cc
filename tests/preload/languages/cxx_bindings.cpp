// A program by MPI's C++ bindings, which MPI 3 removed and some libraries still have.
#include <mpi.h>

#include <cstdio>

int main(int argc, char** argv) {
    MPI::Init(argc, argv);
    int const rank = MPI::COMM_WORLD.Get_rank();
    int values[4] = {rank, 1, 2, 3};
    double sum = 0;
    double const mine = rank + 1;
    if (rank == 0) MPI::COMM_WORLD.Send(values, 4, MPI::INT, 1, 3);
    else MPI::COMM_WORLD.Recv(values, 4, MPI::INT, MPI::ANY_SOURCE, 3);
    MPI::Intracomm part = MPI::COMM_WORLD.Split(0, rank);
    part.Allreduce(&mine, &sum, 1, MPI::DOUBLE, MPI::SUM);
    part.Free();
    MPI::Request request = MPI::COMM_WORLD.Irecv(values, 2, MPI::INT, 1 - rank, 4);
    MPI::COMM_WORLD.Send(&rank, 1, MPI::INT, 1 - rank, 4);
    request.Wait();
    std::printf("%d %d %d\n", rank, values[0], static_cast<int>(sum));
    MPI::Finalize();
}
