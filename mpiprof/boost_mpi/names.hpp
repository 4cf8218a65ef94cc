// The names of Boost.MPI that are Boost's own here.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/core/config.hpp>

#include <boost/mpi/cartesian_communicator.hpp>
#include <boost/mpi/collectives/all_gatherv.hpp>
#include <boost/mpi/error_string.hpp>
#include <boost/mpi/graph_communicator.hpp>

namespace mpiprof::inline v1::boost_mpi {

namespace threading = boost::mpi::threading;

using boost::mpi::adjacent_vertices;
using boost::mpi::all_gather;
using boost::mpi::all_gatherv;
using boost::mpi::all_reduce;
using boost::mpi::all_to_all;
using boost::mpi::allocator;
using boost::mpi::any_source;
using boost::mpi::any_tag;
using boost::mpi::binary_buffer_iprimitive;
using boost::mpi::binary_buffer_oprimitive;
using boost::mpi::bitwise_and;
using boost::mpi::bitwise_or;
using boost::mpi::bitwise_xor;
using boost::mpi::broadcast;
using boost::mpi::cartesian_dimension;
using boost::mpi::cartesian_dimensions;
using boost::mpi::cartesian_topology;
using boost::mpi::comm_attach;
using boost::mpi::comm_create_kind;
using boost::mpi::comm_duplicate;
using boost::mpi::comm_take_ownership;
using boost::mpi::content;
using boost::mpi::edges;
using boost::mpi::error_string;
using boost::mpi::exception;
using boost::mpi::gather;
using boost::mpi::gatherv;
using boost::mpi::get;
using boost::mpi::get_content;
using boost::mpi::get_mpi_datatype;
using boost::mpi::group;
using boost::mpi::inplace;
using boost::mpi::inplace_t;
using boost::mpi::iprimitive;
using boost::mpi::is_commutative;
using boost::mpi::is_mpi_builtin_datatype;
using boost::mpi::is_mpi_byte_datatype;
using boost::mpi::is_mpi_complex_datatype;
using boost::mpi::is_mpi_datatype;
using boost::mpi::is_mpi_floating_point_datatype;
using boost::mpi::is_mpi_integer_datatype;
using boost::mpi::is_mpi_logical_datatype;
using boost::mpi::is_mpi_op;
using boost::mpi::logical_xor;
using boost::mpi::maximum;
using boost::mpi::minimum;
using boost::mpi::num_edges;
using boost::mpi::num_vertices;
using boost::mpi::oprimitive;
using boost::mpi::out_degree;
using boost::mpi::out_edges;
using boost::mpi::packed;
using boost::mpi::packed_iarchive;
using boost::mpi::packed_iprimitive;
using boost::mpi::packed_oarchive;
using boost::mpi::packed_oprimitive;
using boost::mpi::packed_skeleton_iarchive;
using boost::mpi::packed_skeleton_oarchive;
using boost::mpi::reduce;
using boost::mpi::scan;
using boost::mpi::scatter;
using boost::mpi::scatterv;
using boost::mpi::skeleton;
using boost::mpi::skeleton_proxy;
using boost::mpi::source;
using boost::mpi::status;
using boost::mpi::target;
using boost::mpi::test_all;
using boost::mpi::test_any;
using boost::mpi::test_some;
using boost::mpi::timer;
using boost::mpi::vertices;
using boost::mpi::wait_all;
using boost::mpi::wait_any;
using boost::mpi::wait_some;

}  // namespace mpiprof::inline v1::boost_mpi
