// What programs do with a communicator of the C API, written once: over MPI_Comm, or over the type WRAPPED,
// a profiled communicator that is off.
#ifdef WRAPPED
#include <mpiprof/raw.hpp>
using communicator = WRAPPED;
#define CALL(NAME, OPERATION, BEFORE, ...) world.OPERATION(ARGUMENTS BEFORE __VA_OPT__(, ) __VA_ARGS__)
#else
#include <climits>
#include <cstddef>
#include <mpi.h>
using communicator = MPI_Comm;
#define CALL(NAME, OPERATION, BEFORE, ...) MPI_##NAME(ARGUMENTS BEFORE, world __VA_OPT__(, ) __VA_ARGS__)
#endif
#define ARGUMENTS(...) __VA_ARGS__

#include <array>
#include <span>
#include <vector>

extern "C" int by_value(communicator world, double const* values, int n, int dest) {
    return CALL(Send, send, (values, n, MPI_DOUBLE, dest, 7));
}

extern "C" int by_reference(communicator const& world, double const* values, int n, int dest) {
    if (int const code = CALL(Send, send, (values, n, MPI_DOUBLE, dest, 7))) return code;
    return CALL(Send, send, (values, n, MPI_DOUBLE, dest, 8));
}

extern "C" int local_object(MPI_Comm handle, double* values, int n) {
    communicator const world{handle};
    auto const copy = world;
    if (int const code = CALL(Bcast, bcast, (values, n, MPI_DOUBLE, 0))) return code;
    return [](communicator world, double* values, int n) {
        return CALL(Bcast, bcast, (values, n, MPI_DOUBLE, 1));
    }(copy, values, n);
}

extern "C" int in_a_loop(communicator world, double* values, int times) {
    double sum = 0;
    for (int i = 0; i < times; ++i) {
        if (int const code = CALL(Allreduce, allreduce, (values + i, &sum, 1, MPI_DOUBLE, MPI_SUM)))
            return code;
        values[i] = sum;
    }
    return MPI_SUCCESS;
}

template <class Communicator>
static int to_all_but_one_over(Communicator const& world, int value, int ranks, int but) {
    for (int rank = 0; rank < ranks; ++rank) {
        if (rank == but) continue;
        if (int const code = CALL(Send, send, (&value, 1, MPI_INT, rank, 7))) return code;
    }
    return MPI_SUCCESS;
}

extern "C" int through_a_generic_function(communicator world, int value, int ranks) {
    return to_all_but_one_over(world, value, ranks, 3) + to_all_but_one_over(world, value + 1, ranks, 4);
}

class solver {
  public:
    explicit solver(communicator world, int root) : world_{world}, root_{root} {}

    int residual(double const* mine, double* sum) const {
        auto const& world = world_;
        return CALL(Reduce, reduce, (mine, sum, 1, MPI_DOUBLE, MPI_SUM, root_));
    }

  private:
    communicator world_;
    int root_;
};

extern "C" int as_a_member(solver const& one, double const* mine, double* sum) {
    return one.residual(mine, sum);
}

extern "C" int made_for_a_member(communicator world, double const* mine, double* sum) {
    solver const one{world, 2};
    return one.residual(mine, sum);
}

extern "C" int with_status(communicator world, double* values, int n) {
    MPI_Status status;
    if (int const code = CALL(Recv, recv, (values, n, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG), &status))
        return code;
    int count = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    return count + status.MPI_SOURCE + status.MPI_TAG;
}

extern "C" int probe_first(communicator world, char* text, int room) {
    MPI_Status status;
    int found = 0;
    while (found == 0) {
        if (int const code = CALL(Iprobe, iprobe, (MPI_ANY_SOURCE, 1), &found, &status)) return code;
    }
    if (int const code = CALL(Probe, probe, (status.MPI_SOURCE, 2), &status)) return code;
    int count = 0;
    MPI_Get_count(&status, MPI_CHAR, &count);
    if (count > room) return MPI_ERR_TRUNCATE;
    return CALL(Recv, recv, (text, count, MPI_CHAR, status.MPI_SOURCE, 2), MPI_STATUS_IGNORE);
}

extern "C" int requests(communicator world, double* in, double const* out, int n, int left, int right) {
    MPI_Request posted[4];
    MPI_Status statuses[4];
    CALL(Irecv, irecv, (in, n, MPI_DOUBLE, left, 1), &posted[0]);
    CALL(Irecv, irecv, (in + n, n, MPI_DOUBLE, right, 2), &posted[1]);
    CALL(Isend, isend, (out, n, MPI_DOUBLE, left, 2), &posted[2]);
    CALL(Isend, isend, (out + n, n, MPI_DOUBLE, right, 1), &posted[3]);
    int const code = MPI_Waitall(4, posted, statuses);
    return code == MPI_SUCCESS ? statuses[0].MPI_SOURCE : code;
}

extern "C" int both_ways(communicator world, double* in, double const* out, int n, int left, int right) {
    if (int const code = CALL(Sendrecv, sendrecv, (out, n, MPI_DOUBLE, right, 1, in, n, MPI_DOUBLE, left, 1),
                              MPI_STATUS_IGNORE))
        return code;
    return CALL(Sendrecv_replace, sendrecv_replace, (in, n, MPI_DOUBLE, right, 1, left, 1),
                MPI_STATUS_IGNORE);
}

#ifndef WRAPPED
[[gnu::always_inline]] inline MPI_Comm part_of(MPI_Comm world, int color) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(world, color, 0, &made);
    return made;
}
#endif

extern "C" int a_new_communicator(communicator world, int color) {
#ifdef WRAPPED
    return world.split(color, 0).barrier();
#else
    return MPI_Barrier(part_of(world, color));
#endif
}

// clang gives an object of four bytes, which the view is with MPICH, another place on the stack than an int.
#if !defined(MPICH_VERSION) || !defined(__clang__)
extern "C" int freed(MPI_Comm handle) {
#ifdef WRAPPED
    communicator world{handle};
    return world.free();
#else
    return MPI_Comm_free(&handle);
#endif
}
#endif

// A request as an object. It keeps MPI's code of the call that made it, beside the handle.
#ifndef WRAPPED
struct request {
    [[gnu::always_inline]] request(void* values, int n, MPI_Datatype type, int source, int tag,
                                   MPI_Comm world)
        : code{MPI_Irecv(values, n, type, source, tag, world, &handle)} {}

    MPI_Request handle = MPI_REQUEST_NULL;
    int code;
};
#endif

extern "C" int request_built_in_place(communicator world, double* in, double const* out, int n, int peer) {
#ifdef WRAPPED
    auto posted = world.irecv(in, n, MPI_DOUBLE, peer, 7);
    int const sent = world.send(out, n, MPI_DOUBLE, peer, 7);
    return posted.wait() + posted.error() + sent;
#else
    request posted{in, n, MPI_DOUBLE, peer, 7, world};
    int const sent = MPI_Send(out, n, MPI_DOUBLE, peer, 7, world);
    return MPI_Wait(&posted.handle, MPI_STATUS_IGNORE) + posted.code + sent;
#endif
}

// Typed calls, and code for any communicator, against the same by hand.
#ifdef WRAPPED

extern "C" int send_a_block(communicator const& world, double const* values) {
    return mpiprof::send(world, 1, 7, values, 100);
}
extern "C" int receive_a_block(communicator const& world, double* values) {
    return mpiprof::recv(world, mpiprof::any_source, mpiprof::any_tag, values, 100);
}
extern "C" int share(communicator const& world, double* values, std::size_t n, int root) {
    return mpiprof::bcast(world, values, n, root);
}
extern "C" int sum_on_root(communicator const& world, double const* in, double* out, std::size_t n,
                           int root) {
    return mpiprof::reduce(world, in, out, n, std::plus<>{}, root);
}
extern "C" int least_on_all(communicator const& world, int const* in, int* out, std::size_t n) {
    if (int const code = mpiprof::barrier(world)) return code;
    return mpiprof::allreduce(world, in, out, n, mpiprof::minimum{});
}
extern "C" int send_typed(communicator world, int dest, int tag, double const* values, std::size_t n) {
    return world.send(dest, tag, values, n);
}
extern "C" int receive_typed(communicator world, int source, int tag, long* values, std::size_t n,
                             MPI_Status* status) {
    return world.recv(source, tag, values, n, status);
}
extern "C" int sum_typed(communicator world, float const* in, float* out, std::size_t n) {
    return world.allreduce(in, out, n, std::plus<>{});
}
extern "C" int request_typed(communicator world, int peer, int* in, int const* out, std::size_t n) {
    auto posted = world.irecv(peer, 7, in, n);
    int const sent = world.send(peer, 7, out, n);
    return posted.wait() + posted.error() + sent;
}
extern "C" int send_a_vector(communicator world, std::vector<double> const& values, int dest) {
    return world.send(values, dest, 7);
}
extern "C" int receive_a_span(communicator const& world, std::span<long> values, MPI_Status* status) {
    return world.recv(values, MPI_ANY_SOURCE, 7, status);
}
extern "C" int share_points(communicator world, std::vector<std::array<float, 3>>& points) {
    return world.bcast(points, 0);
}
extern "C" int sum_of_arrays(communicator world, std::array<double, 3> const& in,
                             std::array<double, 3>& out) {
    return world.allreduce(in, out, std::plus<>{});
}
extern "C" int sum_of_one(communicator world, double mine) {
    double sum = 0;
    if (int const code = world.allreduce(mine, sum, MPI_SUM)) return code;
    return world.send(sum, 1, 7);
}
extern "C" int request_of_a_range(communicator world, std::vector<int>& in, int const (&out)[4], int peer) {
    auto posted = world.irecv(in, peer, 7);
    int const sent = world.sendrecv_replace(in, peer, 8, peer, 9);
    return posted.wait() + posted.error() + sent + world.send(out, peer, 7);
}
extern "C" int request_of_a_block(communicator const& world, double* in, double const* out) {
    auto posted = mpiprof::irecv(world, 2, 7, in, 100);
    int const sent = mpiprof::send(world, 2, 7, out, 100);
    return posted.wait() + posted.error() + sent;
}

#else

// What no int holds is a count that MPI rejects.
[[gnu::always_inline]] inline int count_of(std::size_t n) { return n > INT_MAX ? -1 : static_cast<int>(n); }

extern "C" int send_a_block(communicator const& world, double const* values) {
    return MPI_Send(values, 100, MPI_DOUBLE, 1, 7, world);
}
extern "C" int receive_a_block(communicator const& world, double* values) {
    return MPI_Recv(values, 100, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
}
extern "C" int share(communicator const& world, double* values, std::size_t n, int root) {
    int const count = count_of(n);
    return MPI_Bcast(values, count, MPI_DOUBLE, root, world);
}
extern "C" int sum_on_root(communicator const& world, double const* in, double* out, std::size_t n,
                           int root) {
    int const count = count_of(n);
    return MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_SUM, root, world);
}
extern "C" int least_on_all(communicator const& world, int const* in, int* out, std::size_t n) {
    if (int const code = MPI_Barrier(world)) return code;
    int const count = count_of(n);
    return MPI_Allreduce(in, out, count, MPI_INT, MPI_MIN, world);
}
extern "C" int send_typed(communicator world, int dest, int tag, double const* values, std::size_t n) {
    return MPI_Send(values, count_of(n), MPI_DOUBLE, dest, tag, world);
}
extern "C" int receive_typed(communicator world, int source, int tag, long* values, std::size_t n,
                             MPI_Status* status) {
    return MPI_Recv(values, count_of(n), MPI_LONG, source, tag, world, status);
}
extern "C" int sum_typed(communicator world, float const* in, float* out, std::size_t n) {
    return MPI_Allreduce(in, out, count_of(n), MPI_FLOAT, MPI_SUM, world);
}

extern "C" int request_typed(communicator world, int peer, int* in, int const* out, std::size_t n) {
    request posted{in, count_of(n), MPI_INT, peer, 7, world};
    int const sent = MPI_Send(out, count_of(n), MPI_INT, peer, 7, world);
    return MPI_Wait(&posted.handle, MPI_STATUS_IGNORE) + posted.code + sent;
}
extern "C" int send_a_vector(communicator world, std::vector<double> const& values, int dest) {
    return MPI_Send(values.data(), count_of(values.size()), MPI_DOUBLE, dest, 7, world);
}
extern "C" int receive_a_span(communicator const& world, std::span<long> values, MPI_Status* status) {
    return MPI_Recv(values.data(), count_of(values.size()), MPI_LONG, MPI_ANY_SOURCE, 7, world, status);
}
extern "C" int share_points(communicator world, std::vector<std::array<float, 3>>& points) {
    return MPI_Bcast(points.data(), count_of(points.size() * 3), MPI_FLOAT, 0, world);
}
// Lengths that differ are an error, too.
extern "C" int sum_of_arrays(communicator world, std::array<double, 3> const& in,
                             std::array<double, 3>& out) {
    return MPI_Allreduce(in.data(), out.data(), 3, MPI_DOUBLE, MPI_SUM, world);
}
extern "C" int sum_of_one(communicator world, double mine) {
    double sum = 0;
    if (int const code = MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, world)) return code;
    return MPI_Send(&sum, 1, MPI_DOUBLE, 1, 7, world);
}
extern "C" int request_of_a_range(communicator world, std::vector<int>& in, int const (&out)[4], int peer) {
    request posted{in.data(), count_of(in.size()), MPI_INT, peer, 7, world};
    int const sent = MPI_Sendrecv_replace(in.data(), count_of(in.size()), MPI_INT, peer, 8, peer, 9, world,
                                          MPI_STATUS_IGNORE);
    return MPI_Wait(&posted.handle, MPI_STATUS_IGNORE) + posted.code + sent +
           MPI_Send(out, 4, MPI_INT, peer, 7, world);
}
extern "C" int request_of_a_block(communicator const& world, double* in, double const* out) {
    request posted{in, 100, MPI_DOUBLE, 2, 7, world};
    int const sent = MPI_Send(out, 100, MPI_DOUBLE, 2, 7, world);
    return MPI_Wait(&posted.handle, MPI_STATUS_IGNORE) + posted.code + sent;
}

#endif

#ifdef EVERY_CALL
#include "tests/zero_cost/every_call.inc"
#endif
