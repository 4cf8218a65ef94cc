// Messages of all kinds around a ring of ranks, for a trace of a real run.

#include <mpiprof/raw.hpp>

#include <thread>
#include <vector>

namespace {

struct ring {
    decltype(mpiprof::profile(MPI_COMM_WORLD)) world;
    int rank;
    int left;
    int right;
    std::vector<double> out = std::vector<double>(1000);
    std::vector<double> in = std::vector<double>(1000);
};

void requests(ring& at) {
    mpiprof::phase const phase{"requests"};
    for (int i = 0; i < 5; ++i) {
        MPI_Request both[2];
        at.world.irecv(at.in.data(), 1000, MPI_DOUBLE, MPI_ANY_SOURCE, i, &both[0]);
        at.world.isend(at.out.data(), 100 * i, MPI_DOUBLE, at.right, i, &both[1]);
        mpiprof::raw::waitall(2, both, MPI_STATUSES_IGNORE);
    }
}

void persistent(ring& at) {
    MPI_Request both[2];
    at.world.send_init(at.out.data(), 7, MPI_DOUBLE, at.right, 10, &both[0]);
    at.world.recv_init(at.in.data(), 1000, MPI_DOUBLE, at.left, 10, &both[1]);
    for (int i = 0; i < 3; ++i) {
        mpiprof::raw::startall(2, both);
        mpiprof::raw::waitall(2, both, MPI_STATUSES_IGNORE);
    }
    for (auto& each : both) mpiprof::raw::start(&each);
    mpiprof::raw::waitall(2, both, MPI_STATUSES_IGNORE);
    for (auto& each : both) mpiprof::raw::request_free(&each);
}

void blocking(ring& at) {
    at.world.sendrecv(at.out.data(), 10, MPI_DOUBLE, at.right, 20, at.in.data(), 1000, MPI_DOUBLE, at.left,
                      20, MPI_STATUS_IGNORE);
    MPI_Request sending;
    at.world.isend(at.out.data(), 33, MPI_DOUBLE, at.right, 21, &sending);
    MPI_Message found;
    MPI_Request receiving;
    at.world.mprobe(at.left, 21, &found, MPI_STATUS_IGNORE);
    mpiprof::raw::imrecv(at.in.data(), 1000, MPI_DOUBLE, &found, &receiving);
    mpiprof::raw::wait(&receiving, MPI_STATUS_IGNORE);
    mpiprof::raw::wait(&sending, MPI_STATUS_IGNORE);
}

/// A receive that another thread waits for.
void threads(ring& at) {
    MPI_Request receiving;
    at.world.irecv(at.in.data(), 1000, MPI_DOUBLE, at.left, 30, &receiving);
    at.world.send(at.out.data(), 3, MPI_DOUBLE, at.right, 30);
    std::thread{[&] { mpiprof::raw::wait(&receiving, MPI_STATUS_IGNORE); }}.join();
}

/// Between the even ranks and the odd ones; the communicators are gone when the run ends (case IC5).
void groups(ring& at) {
    MPI_Comm half;
    MPI_Comm between;
    mpiprof::raw::comm_split(MPI_COMM_WORLD, at.rank % 2, -at.rank, &half);
    mpiprof::raw::intercomm_create(half, 0, MPI_COMM_WORLD, at.rank % 2 == 0 ? 3 : 2, 40, &between);
    auto others = mpiprof::profile(between);
    auto const place = at.rank < 2 ? 1 : 0;
    if (at.rank % 2 == 0) others.send(at.out.data(), 4, MPI_DOUBLE, place, 41);
    else others.recv(at.in.data(), 1000, MPI_DOUBLE, place, 41, MPI_STATUS_IGNORE);
    mpiprof::raw::comm_free(&between);
    mpiprof::raw::comm_free(&half);
}

void collectives(ring& at) {
    at.world.bcast(at.out.data(), 100, MPI_DOUBLE, 1);
    MPI_Request broadcasting;
    at.world.ibcast(at.out.data(), 10, MPI_DOUBLE, 0, &broadcasting);
    mpiprof::raw::wait(&broadcasting, MPI_STATUS_IGNORE);
    double const one = 1;
    double sum = 0;
    mpiprof::profile(MPI_COMM_SELF).allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM);
    at.world.barrier();
}

}  // namespace

int main(int count, char** arguments) {
    int provided = 0;
    MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &provided);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ring at{mpiprof::profile(MPI_COMM_WORLD), rank, (rank + 3) % 4, (rank + 1) % 4};
    requests(at);
    persistent(at);
    blocking(at);
    threads(at);
    groups(at);
    collectives(at);
    MPI_Finalize();
}
