// Collective exchanges with values in place of buffer, count and datatype.
#pragma once

#include <mpiprof/raw/typed_counts.hpp>
#include <mpiprof/raw/typed_reductions.hpp>

namespace mpiprof::inline v1::raw::detail {

/// As typed_point_to_point, each with its nonblocking and persistent form (igather, gather_init):
///
///     world.gather(in, out, root)                      `out` is the root's; elsewhere it may be anything
///     world.scatter(in, out, root)                     `in` is the root's
///     world.allgather(in, out)                         neighbor_allgather
///     world.alltoall(in, out)                          neighbor_alltoall
///     world.gatherv(in, out, counts, displacements, root)
///     world.scatterv(in, counts, displacements, out, root)
///     world.allgatherv(in, out, counts, displacements)                                 neighbor_allgatherv
///     world.alltoallv(in, counts, displacements, out, counts, displacements)           neighbor_alltoallv
///
/// `in` and `out` are of one type, and one of them may be `in_place` where MPI has that: `out` in a scatter,
/// else `in`. A buffer for all ranks, or neighbours, is divided by their number; neighbours that a grid does
/// not have are counted too. Where that leaves a rest, MPI's error is MPI_ERR_COUNT. Counts and
/// displacements are ints, as many as MPI reads, which is not checked; they count the numbers that the values
/// are made of.
template <class Self, class Request>
class typed_collectives : public typed_reductions<Self, Request> {
    using base = typed_reductions<Self, Request>;

  public:
#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out>                                                                           \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Out&& out, int root, call_site site = call_site::current()) const {                         \
        int const each = count_of_each_at_root(out, root, this->comm());                                     \
        return this->template call_collective<rows::NAME>(                                                   \
            site, source_or_in_place<In, posts<rows::NAME>>(in), count_beside(each, count_of(in)),           \
            type_of<In, Out>(), target<Out>(out), each, type_of<In, Out>(), root, this->comm());             \
    }
    MPIPROF_TYPED_FAMILY(Gather, gather)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out>                                                                           \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Out&& out, int root, call_site site = call_site::current()) const {                         \
        int const each = count_of_each_at_root(in, root, this->comm());                                      \
        return this->template call_collective<rows::NAME>(                                                   \
            site, source<In, posts<rows::NAME>>(in), each, type_of<In, Out>(), target_or_in_place<Out>(out), \
            count_beside(each, count_of(out)), type_of<In, Out>(), root, this->comm());                      \
    }
    MPIPROF_TYPED_FAMILY(Scatter, scatter)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out>                                                                           \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Out&& out, call_site site = call_site::current()) const {                                   \
        int const each = count_of_each_received<rows::NAME>(out, this->comm());                              \
        return this->template call_collective<rows::NAME>(                                                   \
            site, source_or_in_place<In, posts<rows::NAME>>(in), count_beside(each, count_of(in)),           \
            type_of<In, Out>(), target<Out>(out), each, type_of<In, Out>(), this->comm());                   \
    }
    MPIPROF_TYPED_FAMILY(Allgather, allgather)
    MPIPROF_TYPED_FAMILY(Neighbor_allgather, neighbor_allgather)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out>                                                                           \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Out&& out, call_site site = call_site::current()) const {                                   \
        auto const [sent, received] = counts_to_exchange<rows::NAME>(in, out, this->comm());                 \
        return this->template call_collective<rows::NAME>(                                                   \
            site, source_or_in_place<In, posts<rows::NAME>>(in), sent, type_of<In, Out>(), target<Out>(out), \
            received, type_of<In, Out>(), this->comm());                                                     \
    }
    MPIPROF_TYPED_FAMILY(Alltoall, alltoall)
    MPIPROF_TYPED_FAMILY(Neighbor_alltoall, neighbor_alltoall)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out, class Counts, class Displacements>                                        \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(In&& in, Out&& out, Counts&& counts,     \
                                                                    Displacements&& displacements, int root, \
                                                                    call_site site = call_site::current())   \
        const {                                                                                              \
        constexpr bool later = posts<rows::NAME>;                                                            \
        return this->template call_collective<rows::NAME>(                                                   \
            site, source_or_in_place<In, later>(in), count_of(in), type_of<In, Out>(), target<Out>(out),     \
            list_of<Counts, later>(counts), list_of<Displacements, later>(displacements),                    \
            type_of<In, Out>(), root, this->comm());                                                         \
    }
    MPIPROF_TYPED_FAMILY(Gatherv, gatherv)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Counts, class Displacements, class Out>                                        \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Counts&& counts, Displacements&& displacements, Out&& out, int root,                        \
        call_site site = call_site::current()) const {                                                       \
        constexpr bool later = posts<rows::NAME>;                                                            \
        return this->template call_collective<rows::NAME>(                                                   \
            site, source<In, later>(in), list_of<Counts, later>(counts),                                     \
            list_of<Displacements, later>(displacements), type_of<In, Out>(), target_or_in_place<Out>(out),  \
            count_of(out), type_of<In, Out>(), root, this->comm());                                          \
    }
    MPIPROF_TYPED_FAMILY(Scatterv, scatterv)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out, class Counts, class Displacements>                                        \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(In&& in, Out&& out, Counts&& counts,     \
                                                                    Displacements&& displacements,           \
                                                                    call_site site = call_site::current())   \
        const {                                                                                              \
        constexpr bool later = posts<rows::NAME>;                                                            \
        return this->template call_collective<rows::NAME>(                                                   \
            site, source_or_in_place<In, later>(in), count_of(in), type_of<In, Out>(), target<Out>(out),     \
            list_of<Counts, later>(counts), list_of<Displacements, later>(displacements),                    \
            type_of<In, Out>(), this->comm());                                                               \
    }
    MPIPROF_TYPED_FAMILY(Allgatherv, allgatherv)
    MPIPROF_TYPED_FAMILY(Neighbor_allgatherv, neighbor_allgatherv)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Sent, class From, class Out, class Received, class To>                         \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Sent&& send_counts, From&& send_displacements, Out&& out, Received&& receive_counts,        \
        To&& receive_displacements, call_site site = call_site::current()) const {                           \
        constexpr bool later = posts<rows::NAME>;                                                            \
        return this->template call_collective<rows::NAME>(                                                   \
            site, source_or_in_place<In, later>(in), list_of<Sent, later>(send_counts),                      \
            list_of<From, later>(send_displacements), type_of<In, Out>(), target<Out>(out),                  \
            list_of<Received, later>(receive_counts), list_of<To, later>(receive_displacements),             \
            type_of<In, Out>(), this->comm());                                                               \
    }
    MPIPROF_TYPED_FAMILY(Alltoallv, alltoallv)
    MPIPROF_TYPED_FAMILY(Neighbor_alltoallv, neighbor_alltoallv)
#undef MPIPROF_TYPED
};

#undef MPIPROF_TYPED_FAMILY

}  // namespace mpiprof::inline v1::raw::detail
