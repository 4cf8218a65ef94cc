// Leaves MPI calls by an exception and by longjmp, out of error handlers; 1 rank.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <csetjmp>
#include <cstdio>
#include <mpi.h>
#include <stdexcept>

namespace {

std::jmp_buf place;
int number = 1;

void throwing(MPI_Comm*, int*, ...) { throw std::runtime_error{"thrown"}; }
void jumping(MPI_Comm*, int*, ...) { std::longjmp(place, 1); }

void handle_errors_by(MPI_Comm_errhandler_function* function) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(function, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
}

void send_to_nobody() {
    MPI_Send(&number, 1, MPI_INT, 70, 1, MPI_COMM_WORLD);
    std::puts("came back");
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    handle_errors_by(&throwing);
    for (int i = 0; i < 2; ++i) {
        try {
            send_to_nobody();
        } catch (std::runtime_error const& error) {
            std::puts(error.what());
        }
    }
    handle_errors_by(&jumping);
    if (setjmp(place) == 0) send_to_nobody();
    else std::puts("jumped");
    int sum = 0;
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Finalize();
}
