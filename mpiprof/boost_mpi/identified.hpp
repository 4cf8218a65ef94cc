// Communicators as they come into being: with an identity, and recorded where a call makes them.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/run/instrumentations.hpp>
#include <mpiprof/run/measure.hpp>

namespace mpiprof::inline v1::boost_mpi::detail {

/// A communicator of Boost's class `Plain`, and its identity.
template <class Plain>
struct identified {
    Plain comm;
    communicator_id id;
};

/// A communicator that was there before.
template <class Instrumentation, class Plain>
identified<Plain> identify(Plain const& comm) {
    raw::detail::use_hook<Instrumentation>();
    return {comm, raw::detail::identify<Instrumentation>(comm)};
}

/// The communicator that `real()`, a creating call on `parent`, makes; empty on ranks that get none.
template <operation Operation, class Instrumentation, class Real>
auto create(communicator_id parent, call_site site, Real real) -> identified<decltype(real())> {
    auto const made =
        mpiprof::detail::measure<Operation, Instrumentation>(parent, site, real, [](auto&, auto&) {});
    return {made, raw::detail::identify_created<Instrumentation>(parent, made)};
}

/// Boost's communicator of a handle. Only to duplicate is to create, and Boost duplicates no null handle.
template <class Plain, class Instrumentation>
identified<Plain> of_handle(MPI_Comm const& comm, boost::mpi::comm_create_kind kind, call_site site) {
    raw::detail::use_hook<Instrumentation>();
    auto const id = raw::detail::identify<Instrumentation>(comm);
    auto const real = [&] { return Plain(comm, kind); };
    if (kind != boost::mpi::comm_duplicate || comm == MPI_COMM_NULL) return {real(), id};
    return create<operation::comm_dup, Instrumentation>(id, site, real);
}

}  // namespace mpiprof::inline v1::boost_mpi::detail
