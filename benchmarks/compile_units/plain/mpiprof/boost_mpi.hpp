// Found in place of mpiprof's header, this makes an example for the one-line switch the program that never
// heard of mpiprof.
#pragma once

#include <boost/mpi.hpp>

namespace mpiprof {
namespace boost_mpi = boost::mpi;
}
