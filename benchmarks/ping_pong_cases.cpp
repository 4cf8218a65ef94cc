#include "ping_pong_cases.hpp"

#include <mpiprof/raw.hpp>

namespace benchmarks {

namespace {

constexpr int tag_of_messages = 7;
constexpr int tag_of_the_end = 8;
constexpr int largest = 1 << 20;

/// In static memory, as real halos are reused: pages and registrations stay warm.
char message[largest];

template <int Bytes>
struct ping_pong {
    static constexpr char const* name = Bytes == 8 ? "ping_pong_8B" : "ping_pong_1MiB";

    template <class Instrumentation>
    static auto profiled() {
        return mpiprof::profile<Instrumentation>(MPI_COMM_WORLD);
    }

    template <class Measure>
    void by_hand() {
        Measure::measure(
            [] { return MPI_Send(message, Bytes, MPI_BYTE, 1, tag_of_messages, MPI_COMM_WORLD); });
        Measure::measure([] {
            return MPI_Recv(message, Bytes, MPI_BYTE, 1, tag_of_messages, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        });
    }

    template <class Comm>
    void through(Comm const& comm) {
        comm.send(message, Bytes, MPI_BYTE, 1, tag_of_messages);
        comm.recv(message, Bytes, MPI_BYTE, 1, tag_of_messages, MPI_STATUS_IGNORE);
    }
};

}  // namespace

std::vector<benchmark_case> ping_pong_cases() { return cases_of<ping_pong<8>, ping_pong<largest>>(); }

void serve() {
    for (;;) {
        MPI_Status status;
        MPI_Recv(message, largest, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == tag_of_the_end) return;
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        MPI_Send(message, count, MPI_BYTE, 0, status.MPI_TAG, MPI_COMM_WORLD);
    }
}

void stop_serving() { MPI_Send(message, 0, MPI_BYTE, 1, tag_of_the_end, MPI_COMM_WORLD); }

}  // namespace benchmarks
