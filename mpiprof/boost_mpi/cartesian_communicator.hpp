// Boost.MPI's cartesian communicator, profiled.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/communicator_of_kind.hpp>

#include <boost/mpi/cartesian_communicator.hpp>
#include <utility>
#include <vector>

namespace mpiprof::inline v1::boost_mpi {

/// Boost.MPI's cartesian communicator with its calls recorded, those that make one included.
template <class Instrumentation>
class basic_cartesian_communicator
    : public communicator_of_kind<boost::mpi::cartesian_communicator, Instrumentation> {
    using base = communicator_of_kind<boost::mpi::cartesian_communicator, Instrumentation>;

  public:
    using base::base;
    using base::plain;
    using base::rank;

    /// The ranks of `comm` in a grid; empty on ranks for which it has no place. It is cart_create.
    basic_cartesian_communicator(boost::mpi::communicator const& comm,
                                 boost::mpi::cartesian_topology const& dims, bool reorder = false,
                                 call_site site = call_site::current())
        : base(detail::create<operation::cart_create, Instrumentation>(
              detail::identify<Instrumentation>(comm).id, site,
              [&] { return boost::mpi::cartesian_communicator(comm, dims, reorder); })) {}

    /// This rank's part of a grid of which the dimensions `keep` are kept. It is cart_sub.
    basic_cartesian_communicator(basic_cartesian_communicator const& comm, std::vector<int> const& keep,
                                 call_site site = call_site::current())
        : base(detail::create<operation::cart_sub, Instrumentation>(comm.identity(), site, [&] {
              return boost::mpi::cartesian_communicator(comm.plain(), keep);
          })) {}

    // As Boost's.
    int ndims() const { return plain().ndims(); }
    int rank(std::vector<int> const& coords) const { return plain().rank(coords); }
    std::pair<int, int> shifted_ranks(int dim, int disp) const { return plain().shifted_ranks(dim, disp); }
    std::vector<int> coordinates(int rk) const { return plain().coordinates(rk); }
    void topology(boost::mpi::cartesian_topology& dims, std::vector<int>& coords) const {
        plain().topology(dims, coords);
    }
    boost::mpi::cartesian_topology topology() const { return plain().topology(); }
};

}  // namespace mpiprof::inline v1::boost_mpi
