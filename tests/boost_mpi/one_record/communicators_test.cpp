// Making communicators.
#include "tests/boost_mpi/one_record/one_record.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/mpi/group.hpp>
#include <optional>

namespace one_record_tests {

namespace {

using cartesian_communicator = mpiprof::boost_mpi::basic_cartesian_communicator<instrumentation>;
using graph_communicator = mpiprof::boost_mpi::basic_graph_communicator<instrumentation>;
using intercommunicator = mpiprof::boost_mpi::basic_intercommunicator<instrumentation>;

TEST(one_record_of_a_communicator, made_from_another) {
    one_record("communicator(const MPI_Comm &, comm_create_kind)", operation::comm_dup,
               [] { communicator const copy(world(), boost::mpi::comm_duplicate); });
    one_record("communicator(const communicator &, const group &)", operation::comm_create,
               [] { communicator const same(world(), world().group()); });
    one_record("communicator::split(int)", operation::comm_split, [] { world().split(self() % 2); });
    one_record("communicator::split(int, int)", operation::comm_split,
               [] { world().split(self() % 2, -self()); });
}

TEST(one_record_of_a_communicator, cartesian) {
    boost::mpi::cartesian_topology const line({boost::mpi::cartesian_dimension{size(), true}});
    std::optional<cartesian_communicator> made;
    one_record("cartesian_communicator(const communicator &, const cartesian_topology &, bool)",
               operation::cart_create, [&] { made.emplace(world(), line); });
    one_record("cartesian_communicator(const cartesian_communicator &, const std::vector<int> &)",
               operation::cart_sub, [&] { cartesian_communicator const same(*made, std::vector<int>{0}); });
    one_record("cartesian_communicator(const MPI_Comm &, comm_create_kind)", operation::comm_dup,
               [&] { cartesian_communicator const copy(MPI_Comm(*made), boost::mpi::comm_duplicate); });
}

TEST(one_record_of_a_communicator, graph) {
    boost::adjacency_list<> ring(static_cast<std::size_t>(size()));
    for (int rank = 0; rank < size(); ++rank) {
        add_edge(static_cast<std::size_t>(rank), static_cast<std::size_t>((rank + 1) % size()), ring);
    }
    std::optional<graph_communicator> made;
    one_record("graph_communicator(const communicator &, const Graph &, bool)", operation::graph_create,
               [&] { made.emplace(world(), ring); });
    one_record("graph_communicator(const communicator &, const Graph &, RankMap, bool)",
               operation::graph_create,
               [&] { graph_communicator const same(world(), ring, get(boost::vertex_index, ring), false); });
    one_record("graph_communicator(const MPI_Comm &, comm_create_kind)", operation::comm_dup,
               [&] { graph_communicator const copy(MPI_Comm(*made), boost::mpi::comm_duplicate); });
}

TEST(one_record_of_a_communicator, between_two_halves) {
    if (size() < 2) return;
    bool const low = self() < size() / 2;
    auto const half = world().split(low ? 0 : 1);
    std::optional<intercommunicator> made;
    one_record("intercommunicator(const communicator &, int, const communicator &, int)",
               operation::intercomm_create, [&] { made.emplace(half, 0, world(), low ? size() / 2 : 0); });
    one_record("intercommunicator(const MPI_Comm &, comm_create_kind)", operation::comm_dup,
               [&] { intercommunicator const copy(*made, boost::mpi::comm_duplicate); });
    one_record("intercommunicator::merge(bool)", operation::intercomm_merge, [&] { made->merge(low); });
}

}  // namespace

}  // namespace one_record_tests
