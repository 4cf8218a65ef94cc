// Boost.MPI's environment, starting the profile.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/run/profiler.hpp>

#include <boost/mpi/environment.hpp>

namespace mpiprof::inline v1::boost_mpi {

/// Boost's environment. All ranks have one, so the ranks' results are merged over MPI when it ends.
template <class Instrumentation>
class basic_environment : public boost::mpi::environment {
  public:
    using boost::mpi::environment::environment;

  private:
    struct start {
        start() {
            raw::detail::use_hook<Instrumentation>();
            profiler<Instrumentation>{};
        }
    };
    // Constructed after MPI was initialised.
    start start_;
};

}  // namespace mpiprof::inline v1::boost_mpi
