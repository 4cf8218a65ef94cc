// Collectives: blocking, nonblocking and persistent, among all ranks and among neighbours.
#include "tests/oracle/parts.hpp"

#include <numeric>
#include <vector>

namespace oracle {

namespace {

/// Notes a nonblocking collective, which moves what it moves at its call.
template <class Count>
int finish_nonblocking(call made, int code, MPI_Request request, Count count) {
    if (code == MPI_SUCCESS) post(request, {.outcome = {.operation = made.operation}});
    return finish(std::move(made), code, count);
}

/// Notes a persistent collective, which moves what it moves when it is started.
template <class Count>
[[maybe_unused]] int finish_persistent(call const& made, int code, MPI_Request request, Count count) {
    if (code == MPI_SUCCESS) {
        auto started = made;
        started.operation = "start";
        started.request = made.operation;
        started.in_place = false;
        count(started);
        post_persistent(request, {.start = started});
    }
    return finish(made, code);
}

std::size_t rank_in_group(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return static_cast<std::size_t>(rank);
}

long long size_of_group(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

/// The sum of the parts of ranks 0 to `ranks` of one datatype, or of one for each.
template <class Number>
long long parts(long long ranks, Number const* counts, MPI_Datatype type) {
    return payload(std::accumulate(counts, counts + ranks, 0ll), type);
}

template <class Number>
long long parts(long long ranks, Number const* counts, MPI_Datatype const* types) {
    long long sum = 0;
    for (long long i = 0; i < ranks; ++i) sum += payload(counts[i], types[i]);
    return sum;
}

/// The places among a rank's neighbours in either direction, in the order of the arguments, of those that
/// exist (MPI 3.1, section 7.6).
struct neighbours {
    std::vector<std::size_t> in;
    std::vector<std::size_t> out;
};

std::vector<std::size_t> first_numbers(int count) {
    std::vector<std::size_t> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
}

/// In each dimension first the one at its lower end, then the other.
neighbours on_grid(MPI_Comm comm) {
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    neighbours found;
    std::size_t place = 0;
    for (int dimension = 0; dimension < dimensions; ++dimension) {
        int ends[2] = {};
        PMPI_Cart_shift(comm, dimension, 1, &ends[0], &ends[1]);
        for (int const end : ends) {
            if (end != MPI_PROC_NULL) found.in.push_back(place);
            ++place;
        }
    }
    found.out = found.in;
    return found;
}

neighbours in_graph(MPI_Comm comm) {
    int count = 0;
    PMPI_Graph_neighbors_count(comm, static_cast<int>(rank_in_group(comm)), &count);
    return {first_numbers(count), first_numbers(count)};
}

neighbours in_distributed_graph(MPI_Comm comm) {
    int in = 0;
    int out = 0;
    int weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    return {first_numbers(in), first_numbers(out)};
}

neighbours neighbours_in(MPI_Comm comm) {
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &topology);
    switch (topology) {
    case MPI_CART:
        return on_grid(comm);
    case MPI_GRAPH:
        return in_graph(comm);
    default:
        return in_distributed_graph(comm);
    }
}

/// The sum of the parts of these neighbours, of one datatype, or of one for each.
template <class Number>
long long parts(std::vector<std::size_t> const& places, Number const* counts, MPI_Datatype type) {
    long long sum = 0;
    for (auto const place : places) sum += payload(counts[place], type);
    return sum;
}

template <class Number>
long long parts(std::vector<std::size_t> const& places, Number const* counts, MPI_Datatype const* types) {
    long long sum = 0;
    for (auto const place : places) sum += payload(counts[place], types[place]);
    return sum;
}

/// The same part for each of some ranks or neighbours.
long long for_each(std::size_t number, long long bytes) { return static_cast<long long>(number) * bytes; }

/// What each collective moves (DESIGN.md, section 4).
namespace moves {

void bcast(call& made, void const*, long long count, MPI_Datatype type, int root, MPI_Comm comm) {
    auto const [is_root, is_party] = seat_in(comm, root);
    if (is_root) made.sent = payload(count, type);
    if (is_party && !is_root) made.received = payload(count, type);
}

void reduce(call& made, void const*, void const*, long long count, MPI_Datatype type, MPI_Op, int root,
            MPI_Comm comm) {
    auto const [is_root, is_party] = seat_in(comm, root);
    if (is_party) made.sent = payload(count, type);
    if (is_root) made.received = payload(count, type);
}

void allreduce(call& made, void const*, void const*, long long count, MPI_Datatype type, MPI_Op, MPI_Comm) {
    made.sent = made.received = payload(count, type);
}

void scan(call& made, void const*, void const*, long long count, MPI_Datatype type, MPI_Op, MPI_Comm) {
    made.sent = made.received = payload(count, type);
}

// The first rank gets nothing (MPI 3.1, section 5.11.2).
void exscan(call& made, void const*, void const*, long long count, MPI_Datatype type, MPI_Op, MPI_Comm comm) {
    made.sent = payload(count, type);
    made.received = rank_in_group(comm) == 0 ? 0 : payload(count, type);
}

// The counts are those of the ranks of one's own group, between groups too (MPI 3.1, section 5.10).
void reduce_scatter_block(call& made, void const*, void const*, long long count, MPI_Datatype type, MPI_Op,
                          MPI_Comm comm) {
    made.sent = size_of_group(comm) * payload(count, type);
    made.received = payload(count, type);
}

template <class Number>
void reduce_scatter(call& made, void const*, void const*, Number const* counts, MPI_Datatype type, MPI_Op,
                    MPI_Comm comm) {
    made.sent = parts(size_of_group(comm), counts, type);
    made.received = payload(counts[rank_in_group(comm)], type);
}

void gather(call& made, void const* in, long long in_count, MPI_Datatype in_type, void const*,
            long long out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const [is_root, is_party] = seat_in(comm, root);
    if (is_party) made.sent = in == MPI_IN_PLACE ? payload(out_count, out_type) : payload(in_count, in_type);
    if (is_root) made.received = partners(comm) * payload(out_count, out_type);
}

template <class Number, class Place>
void gatherv(call& made, void const* in, long long in_count, MPI_Datatype in_type, void const*,
             Number const* out_counts, Place const*, MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const [is_root, is_party] = seat_in(comm, root);
    if (is_party) {
        made.sent = in == MPI_IN_PLACE ? payload(out_counts[rank_in_group(comm)], out_type)
                                       : payload(in_count, in_type);
    }
    if (is_root) made.received = parts(partners(comm), out_counts, out_type);
}

void scatter(call& made, void const*, long long in_count, MPI_Datatype in_type, void const* out,
             long long out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const [is_root, is_party] = seat_in(comm, root);
    if (is_root) made.sent = partners(comm) * payload(in_count, in_type);
    if (is_party) {
        made.received = out == MPI_IN_PLACE ? payload(in_count, in_type) : payload(out_count, out_type);
    }
}

template <class Number, class Place>
void scatterv(call& made, void const*, Number const* in_counts, Place const*, MPI_Datatype in_type,
              void const* out, long long out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const [is_root, is_party] = seat_in(comm, root);
    if (is_root) made.sent = parts(partners(comm), in_counts, in_type);
    if (is_party) {
        made.received = out == MPI_IN_PLACE ? payload(in_counts[rank_in_group(comm)], in_type)
                                            : payload(out_count, out_type);
    }
}

void allgather(call& made, void const* in, long long in_count, MPI_Datatype in_type, void const*,
               long long out_count, MPI_Datatype out_type, MPI_Comm comm) {
    made.sent = in == MPI_IN_PLACE ? payload(out_count, out_type) : payload(in_count, in_type);
    made.received = partners(comm) * payload(out_count, out_type);
}

template <class Number, class Place>
void allgatherv(call& made, void const* in, long long in_count, MPI_Datatype in_type, void const*,
                Number const* out_counts, Place const*, MPI_Datatype out_type, MPI_Comm comm) {
    made.sent =
        in == MPI_IN_PLACE ? payload(out_counts[rank_in_group(comm)], out_type) : payload(in_count, in_type);
    made.received = parts(partners(comm), out_counts, out_type);
}

void alltoall(call& made, void const* in, long long in_count, MPI_Datatype in_type, void const*,
              long long out_count, MPI_Datatype out_type, MPI_Comm comm) {
    made.received = partners(comm) * payload(out_count, out_type);
    made.sent = in == MPI_IN_PLACE ? made.received : partners(comm) * payload(in_count, in_type);
}

/// Alltoallv, and alltoallw, which has a datatype for each rank.
template <class Number, class Place, class Types>
void alltoallv(call& made, void const* in, Number const* in_counts, Place const*, Types in_types, void const*,
               Number const* out_counts, Place const*, Types out_types, MPI_Comm comm) {
    made.received = parts(partners(comm), out_counts, out_types);
    made.sent = in == MPI_IN_PLACE ? made.received : parts(partners(comm), in_counts, in_types);
}

constexpr auto alltoallw = [](auto&&... arguments) { alltoallv(arguments...); };

void neighbor_allgather(call& made, void const*, long long in_count, MPI_Datatype in_type, void const*,
                        long long out_count, MPI_Datatype out_type, MPI_Comm comm) {
    auto const [in, out] = neighbours_in(comm);
    made.sent = for_each(out.size(), payload(in_count, in_type));
    made.received = for_each(in.size(), payload(out_count, out_type));
}

constexpr auto neighbor_alltoall = neighbor_allgather;

template <class Number, class Place>
void neighbor_allgatherv(call& made, void const*, long long in_count, MPI_Datatype in_type, void const*,
                         Number const* out_counts, Place const*, MPI_Datatype out_type, MPI_Comm comm) {
    auto const [in, out] = neighbours_in(comm);
    made.sent = for_each(out.size(), payload(in_count, in_type));
    made.received = parts(in, out_counts, out_type);
}

template <class Number, class Place, class Types>
void neighbor_alltoallv(call& made, void const*, Number const* in_counts, Place const*, Types in_types,
                        void const*, Number const* out_counts, Place const*, Types out_types, MPI_Comm comm) {
    auto const [in, out] = neighbours_in(comm);
    made.sent = parts(out, in_counts, in_types);
    made.received = parts(in, out_counts, out_types);
}

constexpr auto neighbor_alltoallw = [](auto&&... arguments) { neighbor_alltoallv(arguments...); };

}  // namespace moves

}  // namespace

}  // namespace oracle

using namespace oracle;

extern "C" {

#define ORACLE_COUNT int
#define ORACLE_PLACE int
#define ORACLE_MPI(NAME) MPI_##NAME
#define ORACLE_COUNTED(NAME) ORACLE_REAL(NAME)
#include "tests/oracle/intercept_collectives.inc"
#undef ORACLE_COUNT
#undef ORACLE_PLACE
#undef ORACLE_MPI
#undef ORACLE_COUNTED

#if MPI_VERSION >= 4
#define ORACLE_COUNT MPI_Count
#define ORACLE_PLACE MPI_Aint
#define ORACLE_MPI(NAME) MPI_##NAME##_c
#define ORACLE_COUNTED(NAME) ORACLE_REAL(NAME##_c)
#include "tests/oracle/intercept_collectives.inc"
#undef ORACLE_COUNT
#undef ORACLE_PLACE
#undef ORACLE_MPI
#undef ORACLE_COUNTED
#endif

int MPI_Barrier(MPI_Comm comm) { return finish({.operation = "barrier"}, ORACLE_REAL(Barrier)(comm)); }

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    int const code = ORACLE_REAL(Ibarrier)(comm, request);
    return finish_nonblocking({.operation = "ibarrier"}, code, *request, [](call&) {});
}

#if MPI_VERSION >= 4
int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    int const code = ORACLE_REAL(Barrier_init)(comm, info, request);
    return finish_persistent({.operation = "barrier_init"}, code, *request, [](call&) {});
}
#endif

}  // extern "C"
