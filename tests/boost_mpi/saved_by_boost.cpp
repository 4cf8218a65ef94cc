// A source that knows Boost.MPI only.
#include "tests/boost_mpi/serialized_types.hpp"

#include <boost/mpi.hpp>
#include <boost/serialization/export.hpp>

BOOST_CLASS_EXPORT_GUID(serialized_types::circle, "circle")

std::size_t serialized_types::packed_by_pointer(pointed_to const* pointer) {
    boost::mpi::packed_oarchive archive(MPI_COMM_SELF);
    archive << pointer;
    return archive.size();
}
