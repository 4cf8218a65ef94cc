// Broadcasts and reductions with values in place of buffer, count and datatype.
#pragma once

#include <mpiprof/raw/typed_counts.hpp>
#include <mpiprof/raw/typed_point_to_point.hpp>

namespace mpiprof::inline v1::raw::detail {

/// As typed_point_to_point, each with its nonblocking and persistent form (ibcast, bcast_init):
///
///     world.bcast(values, root)
///     world.reduce(in, out, op, root)
///     world.allreduce(in, out, op)                     scan, exscan
///     world.reduce_scatter_block(in, out, op)
///     world.reduce_scatter(in, out, counts, op)
///
/// The results of reduce are the root's; elsewhere `out` may be anything. In reduce_scatter_block `in` has as
/// many values as `out` for each rank; `counts` has an int for each rank, which is not checked.
///
/// `in` and `out` are of one type and length, and `in` may be `in_place`; `op` is a function object that MPI
/// has an operator for, as std::plus<>, or an MPI_Op. Lengths that do not fit give MPI's error MPI_ERR_COUNT.
template <class Self, class Request>
class typed_reductions : public typed_point_to_point<Self, Request> {
    using base = typed_point_to_point<Self, Request>;

  public:
#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class Values>                                                                                  \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        Values&& values, int root, call_site site = call_site::current()) const {                            \
        return this->template call_collective<rows::NAME>(site, target<Values>(values), count_of(values),    \
                                                          type_of<Values>(), root, this->comm());            \
    }
    MPIPROF_TYPED_FAMILY(Bcast, bcast)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out, class Operator>                                                           \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Out&& out, Operator op, int root, call_site site = call_site::current()) const {            \
        int const count = count_to_reduce(in, out, root, this->comm());                                      \
        return this->template reduction<rows::NAME, In, Out>(site, in, out, count, op_of(op), root);         \
    }
    MPIPROF_TYPED_FAMILY(Reduce, reduce)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out, class Operator>                                                           \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Out&& out, Operator op, call_site site = call_site::current()) const {                      \
        int const count = count_to_reduce(in, out);                                                          \
        return this->template reduction<rows::NAME, In, Out>(site, in, out, count, op_of(op));               \
    }
    MPIPROF_TYPED_FAMILY(Allreduce, allreduce)
    MPIPROF_TYPED_FAMILY(Scan, scan)
    MPIPROF_TYPED_FAMILY(Exscan, exscan)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out, class Operator>                                                           \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Out&& out, Operator op, call_site site = call_site::current()) const {                      \
        int const count = count_to_reduce_and_scatter(in, out, this->comm());                                \
        return this->template reduction<rows::NAME, In, Out>(site, in, out, count, op_of(op));               \
    }
    MPIPROF_TYPED_FAMILY(Reduce_scatter_block, reduce_scatter_block)
#undef MPIPROF_TYPED

#define MPIPROF_TYPED(NAME, OBJECT)                                                                          \
    using base::OBJECT;                                                                                      \
    template <class In, class Out, class Counts, class Operator>                                             \
    [[gnu::always_inline]] typed_result<rows::NAME, Request> OBJECT(                                         \
        In&& in, Out&& out, Counts&& counts, Operator op, call_site site = call_site::current()) const {     \
        int const* const list = list_of<Counts, posts<rows::NAME>>(counts);                                  \
        return this->template reduction<rows::NAME, In, Out>(site, in, out, list, op_of(op));                \
    }
    MPIPROF_TYPED_FAMILY(Reduce_scatter, reduce_scatter)
#undef MPIPROF_TYPED

  private:
    /// Count or Counts; and the root, where there is one.
    template <class Row, class In, class Out, class Counts, class... Root>
    [[gnu::always_inline]] typed_result<Row, Request>
    reduction(call_site site, std::remove_reference_t<In>& in, std::remove_reference_t<Out>& out,
              Counts counts, MPI_Op op, Root... root) const {
        if constexpr (std::is_same_v<Counts, int>) {
            if (counts < 0) [[unlikely]]
                return this->template reject<Row>();
        }
        return this->template call_collective<Row>(site, source_or_in_place<In, posts<Row>>(in),
                                                   target<Out>(out), counts, type_of<In, Out>(), op, root...,
                                                   this->comm());
    }
};

}  // namespace mpiprof::inline v1::raw::detail
