// Two users' units as one, as a unity build makes it: what stands in the first is still there in the second.
#include <mpi.h>
#include <mpiprof/mpiprof.hpp>

using namespace std;
using namespace mpiprof;

#define VARIANT unity
#include "tests/raw/build_variant.cpp"

#undef VARIANT
#define VARIANT unity_again
#include "tests/raw/build_variant.cpp"
