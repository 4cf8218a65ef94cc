#include "c_api_cases.hpp"

#include <mpiprof/raw.hpp>

#include <array>

namespace benchmarks {

namespace {

struct on_self {
    template <class Instrumentation>
    static auto profiled() {
        return mpiprof::profile<Instrumentation>(MPI_COMM_SELF);
    }
};

struct iprobe : on_self {
    static constexpr char const* name = "iprobe";

    template <class Measure>
    void by_hand() {
        int found = 0;
        Measure::measure([&] { return MPI_Iprobe(0, 7, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE); });
    }

    template <class Comm>
    void through(Comm const& comm) {
        int found = 0;
        comm.iprobe(0, 7, &found, MPI_STATUS_IGNORE);
    }
};

struct barrier : on_self {
    static constexpr char const* name = "barrier";

    template <class Measure>
    void by_hand() {
        Measure::measure([] { return MPI_Barrier(MPI_COMM_SELF); });
    }

    template <class Comm>
    void through(Comm const& comm) {
        comm.barrier();
    }
};

struct allreduce : on_self {
    static constexpr char const* name = "allreduce";

    template <class Measure>
    void by_hand() {
        Measure::measure(
            [this] { return MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF); });
    }

    template <class Comm>
    void through(Comm const& comm) {
        comm.allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM);
    }

    double mine = 1;
    double sum = 0;
};

/// A message to itself, with the next of `Pairs` distinct pairs of a tag and a size.
template <int Pairs>
struct message : on_self {
    static constexpr int largest = 100;

    int next_tag() { return tag_ = tag_ + 1 < Pairs ? tag_ + 1 : 0; }
    static int count_of(int tag) { return 1 + tag % largest; }

    std::array<int, largest> out{};
    std::array<int, largest> in{};

  private:
    int tag_ = 0;
};

/// By a send, which the library buffers, and a receive: two calls.
template <int Pairs>
struct send_recv : message<Pairs> {
    static constexpr char const* name = Pairs == 1 ? "send_recv_1" : "send_recv_1000";
    using message<Pairs>::in;
    using message<Pairs>::out;
    using message<Pairs>::largest;

    template <class Measure>
    void by_hand() {
        int const tag = this->next_tag();
        Measure::measure(
            [&] { return MPI_Send(out.data(), this->count_of(tag), MPI_INT, 0, tag, MPI_COMM_SELF); });
        Measure::measure(
            [&] { return MPI_Recv(in.data(), largest, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE); });
    }

    template <class Comm>
    void through(Comm const& comm) {
        int const tag = this->next_tag();
        comm.send(out.data(), this->count_of(tag), MPI_INT, 0, tag);
        comm.recv(in.data(), largest, MPI_INT, 0, tag, MPI_STATUS_IGNORE);
    }
};

/// By one call, of which mpiprof records a completion too.
struct sendrecv : message<1> {
    static constexpr char const* name = "sendrecv_1";

    template <class Measure>
    void by_hand() {
        int const tag = next_tag();
        int const count = count_of(tag);
        Measure::measure([&] {
            return MPI_Sendrecv(out.data(), count, MPI_INT, 0, tag, in.data(), largest, MPI_INT, 0, tag,
                                MPI_COMM_SELF, MPI_STATUS_IGNORE);
        });
    }

    template <class Comm>
    void through(Comm const& comm) {
        int const tag = next_tag();
        int const count = count_of(tag);
        comm.sendrecv(out.data(), count, MPI_INT, 0, tag, in.data(), largest, MPI_INT, 0, tag,
                      MPI_STATUS_IGNORE);
    }
};

}  // namespace

std::vector<benchmark_case> c_api_cases() {
    return cases_of<iprobe, barrier, allreduce, send_recv<1>, send_recv<1000>, sendrecv>();
}

}  // namespace benchmarks
