// What reductions share: their values' bytes, which are known for MPI datatypes only.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/collective.hpp>

namespace mpiprof::inline v1::boost_mpi::detail {

/// Bytes of values that Boost serialises, an array or a vector: -1 unless the byte policy has them counted,
/// also where they cannot be saved, which the program shall hear from Boost, if at all.
template <class I, class Values>
std::int64_t counted_nbytes(Values const& values) {
    try {
        return archive_counter<typename I::bytes>::nbytes(values.data(),
                                                          static_cast<std::int64_t>(values.size()));
    } catch (...) {
        return -1;
    }
}

/// Measures a reduction of serialised values. What travels are Boost's partial results, which nobody sees, so
/// the record is an estimate: `sent` is what this rank contributes, `received` the result.
template <operation Operation, class Base, class I, class In, class Out, class Real>
auto estimated_reduction(operations<Base, I> const& comm, root_rank root, In const& in, Out const& out,
                         call_site site, std::uint16_t flags, Real real) {
    // Before the call, which may put the result in the same place.
    bool const counted = I::serialized && mpiprof::detail::records_now<I>(Operation);
    std::int64_t const sent = counted ? counted_nbytes<I>(in) : -1;
    return measure<Operation, I>(
        comm.identity(), site, real,
        [&](auto& measured, auto&... result) {
            auto& record = measured.record();
            record.flags = static_cast<std::uint16_t>(flags | call_estimated);
            if (!I::sizes) return;
            record.sent = sent;
            if (root && !part_in(comm.plain(), *root).is_root) return;
            if constexpr (sizeof...(result) == 0) record.received = counted_nbytes<I>(out);
            else record.received = counted_nbytes<I>(array{&result..., 1});
        },
        of_root(root));
}

/// Measures a reduction to `root`, or to all ranks where there is none. `in` and `out`: arrays or
/// vectors, `out` where the call returns no result; on ranks that get none it is not looked at.
template <operation Operation, class Base, class I, class In, class Out, class Real, class Root = root_rank>
[[gnu::always_inline]] inline auto reduction(operations<Base, I> const& comm, Root root, In const& in,
                                             Out const& out, call_site site, Real real,
                                             std::uint16_t flags = 0) {
    if constexpr (!I::enabled) {
        return real();
    } else if constexpr (serialized<typename In::value_type>) {
        return estimated_reduction<Operation>(comm, root, in, out, site, flags, real);
    } else {
        return measure<Operation, I>(
            comm.identity(), site, real,
            [&](auto& measured, auto&...) {
                auto& record = measured.record();
                record.flags = flags;
                if (!I::sizes) return;
                auto const bytes = known_nbytes(in.data(), static_cast<std::int64_t>(in.size()));
                root_rank const one = root;
                if (!one) {
                    record.sent = record.received = bytes;
                    return;
                }
                auto const part = part_in(comm.plain(), *one);
                if (part.is_member) record.sent = bytes;
                if (part.is_root) record.received = bytes;
            },
            of_root(root));
    }
}

}  // namespace mpiprof::inline v1::boost_mpi::detail
