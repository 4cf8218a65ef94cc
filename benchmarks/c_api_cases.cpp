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
struct sendrecv : on_self {
    static constexpr char const* name = Pairs == 1 ? "sendrecv_1" : "sendrecv_1000";

    template <class Measure>
    void by_hand() {
        int const tag = next_tag();
        int const count = 1 + tag % largest;
        Measure::measure([&] {
            return MPI_Sendrecv(out.data(), count, MPI_INT, 0, tag, in.data(), largest, MPI_INT, 0, tag,
                                MPI_COMM_SELF, MPI_STATUS_IGNORE);
        });
    }

    template <class Comm>
    void through(Comm const& comm) {
        int const tag = next_tag();
        int const count = 1 + tag % largest;
        comm.sendrecv(out.data(), count, MPI_INT, 0, tag, in.data(), largest, MPI_INT, 0, tag,
                      MPI_STATUS_IGNORE);
    }

    int next_tag() { return tag_ = tag_ + 1 < Pairs ? tag_ + 1 : 0; }

    static constexpr int largest = 100;
    std::array<int, largest> out{};
    std::array<int, largest> in{};

  private:
    int tag_ = 0;
};

}  // namespace

std::vector<benchmark_case> c_api_cases() {
    return cases_of<iprobe, barrier, allreduce, sendrecv<1>, sendrecv<1000>>();
}

}  // namespace benchmarks
