// A source that exports a class before it includes the archive that counts.
#include "tests/boost_mpi/serialized_types.hpp"

#include <boost/mpi.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/vector.hpp>

BOOST_CLASS_EXPORT_GUID(serialized_types::square, "square")

#include <mpiprof/boost_mpi/serialized_size.hpp>

namespace serialized_types {

template <class Archive>
void compiled_elsewhere::serialize(Archive& archive, unsigned) {
    archive & numbers;
}
template void compiled_elsewhere::serialize(boost::mpi::packed_oarchive&, unsigned);
template void compiled_elsewhere::serialize(mpiprof::boost_mpi::size_oarchive&, unsigned);

long long counted_elsewhere(std::vector<pointed_to> const& values) {
    return mpiprof::boost_mpi::serialized_size(values);
}
long long counted_elsewhere(std::shared_ptr<shape> const& value) {
    return mpiprof::boost_mpi::serialized_size(value);
}

}  // namespace serialized_types
