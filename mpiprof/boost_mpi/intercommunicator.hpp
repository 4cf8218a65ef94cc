// Boost.MPI's intercommunicator, profiled.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/communicator_of_kind.hpp>

#include <boost/mpi/intercommunicator.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace detail {

/// The greatest tag, with which Boost makes intercommunicators. Our own questions go past other tools.
inline int greatest_tag() {
    int* greatest = nullptr;
    int found = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &greatest, &found);
    return found == 0 ? not_applicable : *greatest;
}

}  // namespace detail

/// Boost.MPI's intercommunicator with its calls recorded, those that make and merge one included. Peers are
/// ranks of the remote group.
template <class Instrumentation>
class basic_intercommunicator : public communicator_of_kind<boost::mpi::intercommunicator, Instrumentation> {
    using base = communicator_of_kind<boost::mpi::intercommunicator, Instrumentation>;

  public:
    using base::base;
    using base::plain;

    /// Between the ranks of `local` and those of the rank `remote_leader` of `peer`. It is intercomm_create.
    basic_intercommunicator(boost::mpi::communicator const& local, int local_leader,
                            boost::mpi::communicator const& peer, int remote_leader,
                            call_site site = call_site::current())
        : base(create(local, site, [&] {
              return boost::mpi::intercommunicator(local, local_leader, peer, remote_leader);
          })) {}

    /// Both groups in one communicator. It is intercomm_merge.
    basic_communicator<Instrumentation> merge(bool high, call_site site = call_site::current()) const {
        return basic_communicator<Instrumentation>(
            detail::create<operation::intercomm_merge, Instrumentation>(this->identity(), site,
                                                                        [&] { return plain().merge(high); }));
    }

    // As Boost's.
    int local_size() const { return plain().local_size(); }
    boost::mpi::group local_group() const { return plain().local_group(); }
    int local_rank() const { return plain().local_rank(); }
    int remote_size() const { return plain().remote_size(); }
    boost::mpi::group remote_group() const { return plain().remote_group(); }

  private:
    template <class Real>
    static detail::identified<boost::mpi::intercommunicator> create(boost::mpi::communicator const& local,
                                                                    call_site site, Real real) {
        auto const parent = detail::identify<Instrumentation>(local).id;
        auto const made = mpiprof::detail::measure<operation::intercomm_create, Instrumentation>(
            parent, site, real, [](auto&, auto&) {});
        return {made, raw::detail::identify_connected<Instrumentation>(parent, detail::greatest_tag(), made)};
    }
};

}  // namespace mpiprof::inline v1::boost_mpi
