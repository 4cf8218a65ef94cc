/* Collectives, blocking and nonblocking, on intracommunicators, intercommunicators and neighbours. */
#include "counter.h"

static int is_inter(MPI_Comm comm) {
    int flag = 0;
    PMPI_Comm_test_inter(comm, &flag);
    return flag;
}

static int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

static int local_size(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

/* How many ranks data is exchanged with. */
static int partners(MPI_Comm comm) {
    int size = 0;
    if (is_inter(comm)) PMPI_Comm_remote_size(comm, &size);
    else PMPI_Comm_size(comm, &size);
    return size;
}

static int is_root(int root, MPI_Comm comm) {
    return is_inter(comm) ? root == MPI_ROOT : root == rank_in(comm);
}

/* Not a root, and in an intercommunicator in the group that is not the root's. */
static int is_leaf(int root, MPI_Comm comm) {
    return is_inter(comm) ? root != MPI_ROOT && root != MPI_PROC_NULL : root != rank_in(comm);
}

static long long of_all(int number, int const numbers[], MPI_Datatype type) {
    long long sum = 0;
    for (int i = 0; i < number; ++i) sum += nbytes(numbers[i], type);
    return sum;
}

static long long of_all_types(int number, int const numbers[], MPI_Datatype const types[]) {
    long long sum = 0;
    for (int i = 0; i < number; ++i) sum += nbytes(numbers[i], types[i]);
    return sum;
}

static struct bytes bcast(long long size, int root, MPI_Comm comm) {
    return BYTES(.sent = is_root(root, comm) ? size : 0, .received = is_leaf(root, comm) ? size : 0);
}

/* To the root from all who contribute: in an intracommunicator the root too. */
static struct bytes to_root(long long own, long long all, int root, MPI_Comm comm) {
    return BYTES(.sent = is_leaf(root, comm) || (!is_inter(comm) && is_root(root, comm)) ? own : 0,
                 .received = is_root(root, comm) ? all : 0);
}

static struct bytes from_root(long long all, long long own, int root, MPI_Comm comm) {
    struct bytes const turned = to_root(own, all, root, comm);
    return BYTES(.sent = turned.received, .received = turned.sent);
}

static struct bytes both(long long sent, long long received) {
    return BYTES(.sent = sent, .received = received);
}

/* A collective and its nonblocking form. */
#define COLLECTIVE(NAME, OPERATION, PARAMETERS, ARGUMENTS, BYTES)                                            \
    FUNCTION(NAME, OPERATION, PARAMETERS, ARGUMENTS, , BYTES)                                                \
    FUNCTION(I##OPERATION, i##OPERATION, (OPEN PARAMETERS, MPI_Request * request),                           \
             (OPEN ARGUMENTS, request), , BYTES)

CALL(Barrier, barrier, (MPI_Comm comm), (comm))
CALL(Ibarrier, ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request))

COLLECTIVE(Bcast, bcast, (void* buffer, int number, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, number, type, root, comm), bcast(nbytes(number, type), root, comm))

#define REDUCED (void const* out, void* in, int number, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
COLLECTIVE(Reduce, reduce,
           (void const* out, void* in, int number, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
           (out, in, number, type, op, root, comm),
           to_root(nbytes(number, type), nbytes(number, type), root, comm))
COLLECTIVE(Allreduce, allreduce, REDUCED, (out, in, number, type, op, comm),
           both(nbytes(number, type), nbytes(number, type)))
COLLECTIVE(Scan, scan, REDUCED, (out, in, number, type, op, comm),
           both(nbytes(number, type), nbytes(number, type)))
COLLECTIVE(Exscan, exscan, REDUCED, (out, in, number, type, op, comm),
           both(nbytes(number, type), rank_in(comm) == 0 ? 0 : nbytes(number, type)))
COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, REDUCED, (out, in, number, type, op, comm),
           both(local_size(comm) * nbytes(number, type), nbytes(number, type)))
COLLECTIVE(Reduce_scatter, reduce_scatter,
           (void const* out, void* in, int const numbers[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, numbers, type, op, comm),
           both(of_all(local_size(comm), numbers, type), nbytes(numbers[rank_in(comm)], type)))

#define OUT void const *out, int number, MPI_Datatype type
#define OUT_V void const *out, int const numbers[], int const places[], MPI_Datatype type
#define IN void *in, int in_number, MPI_Datatype in_type
#define IN_V void *in, int const in_numbers[], int const in_places[], MPI_Datatype in_type

/* With MPI_IN_PLACE at the root, what the root would have sent to itself. */
static struct bytes gather(void const* out, long long own, long long place, long long all, int root,
                           MPI_Comm comm) {
    return to_root(out == MPI_IN_PLACE ? place : own, all, root, comm);
}

static struct bytes scatter(void const* in, long long all, long long place, long long own, int root,
                            MPI_Comm comm) {
    return from_root(all, in == MPI_IN_PLACE ? place : own, root, comm);
}

/* Arguments that only the root has are not read elsewhere. */
#define AT_ROOT(VALUE) (is_root(root, comm) ? (VALUE) : 0)
/* In an intercommunicator the root has no place in its own list. */
#define OWN_PLACE(NUMBERS) (is_inter(comm) ? 0 : (NUMBERS)[rank_in(comm)])
#define UNLESS_IN_PLACE(BUFFER, VALUE)                                                                       \
    ((BUFFER) == MPI_IN_PLACE || !is_contributing(root, comm) ? 0 : (VALUE))

static int is_contributing(int root, MPI_Comm comm) { return !is_inter(comm) || is_leaf(root, comm); }

COLLECTIVE(Gather, gather, (OUT, IN, int root, MPI_Comm comm),
           (out, number, type, in, in_number, in_type, root, comm),
           gather(out, UNLESS_IN_PLACE(out, nbytes(number, type)), AT_ROOT(nbytes(in_number, in_type)),
                  AT_ROOT(partners(comm) * nbytes(in_number, in_type)), root, comm))
COLLECTIVE(Gatherv, gatherv, (OUT, IN_V, int root, MPI_Comm comm),
           (out, number, type, in, in_numbers, in_places, in_type, root, comm),
           gather(out, UNLESS_IN_PLACE(out, nbytes(number, type)),
                  AT_ROOT(nbytes(OWN_PLACE(in_numbers), in_type)),
                  AT_ROOT(of_all(partners(comm), in_numbers, in_type)), root, comm))
COLLECTIVE(Scatter, scatter, (OUT, IN, int root, MPI_Comm comm),
           (out, number, type, in, in_number, in_type, root, comm),
           scatter(in, AT_ROOT(partners(comm) * nbytes(number, type)), AT_ROOT(nbytes(number, type)),
                   UNLESS_IN_PLACE(in, nbytes(in_number, in_type)), root, comm))
COLLECTIVE(Scatterv, scatterv, (OUT_V, IN, int root, MPI_Comm comm),
           (out, numbers, places, type, in, in_number, in_type, root, comm),
           scatter(in, AT_ROOT(of_all(partners(comm), numbers, type)),
                   AT_ROOT(nbytes(OWN_PLACE(numbers), type)), UNLESS_IN_PLACE(in, nbytes(in_number, in_type)),
                   root, comm))

COLLECTIVE(Allgather, allgather, (OUT, IN, MPI_Comm comm), (out, number, type, in, in_number, in_type, comm),
           both(out == MPI_IN_PLACE ? nbytes(in_number, in_type) : nbytes(number, type),
                partners(comm) * nbytes(in_number, in_type)))
COLLECTIVE(Allgatherv, allgatherv, (OUT, IN_V, MPI_Comm comm),
           (out, number, type, in, in_numbers, in_places, in_type, comm),
           both(out == MPI_IN_PLACE ? nbytes(in_numbers[rank_in(comm)], in_type) : nbytes(number, type),
                of_all(partners(comm), in_numbers, in_type)))

#define ALL_IN of_all(partners(comm), in_numbers, in_type)
#define ALL_IN_TYPES of_all_types(partners(comm), in_numbers, in_types)
COLLECTIVE(Alltoall, alltoall, (OUT, IN, MPI_Comm comm), (out, number, type, in, in_number, in_type, comm),
           both(partners(comm) * (out == MPI_IN_PLACE ? nbytes(in_number, in_type) : nbytes(number, type)),
                partners(comm) * nbytes(in_number, in_type)))
COLLECTIVE(Alltoallv, alltoallv, (OUT_V, IN_V, MPI_Comm comm),
           (out, numbers, places, type, in, in_numbers, in_places, in_type, comm),
           both(out == MPI_IN_PLACE ? ALL_IN : of_all(partners(comm), numbers, type), ALL_IN))
COLLECTIVE(Alltoallw, alltoallw,
           (void const* out, int const numbers[], int const places[], MPI_Datatype const types[], void* in,
            int const in_numbers[], int const in_places[], MPI_Datatype const in_types[], MPI_Comm comm),
           (out, numbers, places, types, in, in_numbers, in_places, in_types, comm),
           both(out == MPI_IN_PLACE ? ALL_IN_TYPES : of_all_types(partners(comm), numbers, types),
                ALL_IN_TYPES))

/* Neighbours in a topology: their ranks in the order of the buffers, MPI_PROC_NULL at the edge of a grid. */
struct neighbours {
    int in, out;
    int sources[64], targets[64];
};

static struct neighbours neighbours_in(MPI_Comm comm) {
    struct neighbours found = {0, 0, {0}, {0}};
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(comm, &dimensions);
        for (int i = 0; i < dimensions; ++i)
            PMPI_Cart_shift(comm, i, 1, &found.sources[2 * i], &found.sources[2 * i + 1]);
        found.in = found.out = 2 * dimensions;
        for (int i = 0; i < found.in; ++i) found.targets[i] = found.sources[i];
    } else if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, rank_in(comm), &found.in);
        PMPI_Graph_neighbors(comm, rank_in(comm), found.in, found.sources);
        found.out = found.in;
        for (int i = 0; i < found.in; ++i) found.targets[i] = found.sources[i];
    } else if (topology == MPI_DIST_GRAPH) {
        int weighted = 0, weights[64], other_weights[64];
        PMPI_Dist_graph_neighbors_count(comm, &found.in, &found.out, &weighted);
        PMPI_Dist_graph_neighbors(comm, found.in, found.sources, weights, found.out, found.targets,
                                  other_weights);
    }
    return found;
}

static long long existing(int number, int const peers[], int const numbers[], int each, MPI_Datatype type) {
    long long sum = 0;
    for (int i = 0; i < number; ++i) sum += to_peer(peers[i], numbers != NULL ? numbers[i] : each, type);
    return sum;
}

static struct bytes with_neighbours(int const numbers[], int number, MPI_Datatype type,
                                    int const in_numbers[], int in_number, MPI_Datatype in_type,
                                    MPI_Comm comm) {
    struct neighbours const all = neighbours_in(comm);
    return BYTES(.sent = existing(all.out, all.targets, numbers, number, type),
                 .received = existing(all.in, all.sources, in_numbers, in_number, in_type));
}

COLLECTIVE(Neighbor_allgather, neighbor_allgather, (OUT, IN, MPI_Comm comm),
           (out, number, type, in, in_number, in_type, comm),
           with_neighbours(NULL, number, type, NULL, in_number, in_type, comm))
COLLECTIVE(Neighbor_allgatherv, neighbor_allgatherv, (OUT, IN_V, MPI_Comm comm),
           (out, number, type, in, in_numbers, in_places, in_type, comm),
           with_neighbours(NULL, number, type, in_numbers, 0, in_type, comm))
COLLECTIVE(Neighbor_alltoall, neighbor_alltoall, (OUT, IN, MPI_Comm comm),
           (out, number, type, in, in_number, in_type, comm),
           with_neighbours(NULL, number, type, NULL, in_number, in_type, comm))
COLLECTIVE(Neighbor_alltoallv, neighbor_alltoallv, (OUT_V, IN_V, MPI_Comm comm),
           (out, numbers, places, type, in, in_numbers, in_places, in_type, comm),
           with_neighbours(numbers, 0, type, in_numbers, 0, in_type, comm))
