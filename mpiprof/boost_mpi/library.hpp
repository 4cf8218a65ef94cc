// Boost.MPI itself. Comes before anything else that includes <mpi.h>, since Boost.MPI does without MPI's C++
// bindings.
#pragma once

#include <boost/mpi.hpp>
