// What programs do with Boost.MPI's collectives, written once, in all overloads.
#include "tests/zero_cost/boost_mpi_ways.inc"

#include <boost/mpi/collectives/all_gatherv.hpp>
#include <boost/mpi/skeleton_and_content.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include <string>
#include <vector>

using reals = std::vector<double>;
using ints = std::vector<int>;
using strings = std::vector<std::string>;

extern "C" void broadcasts(communicator world, double& value, double* values, int n, int root) {
    broadcast(world, value, root);
    broadcast(world, values, n, root);
}

extern "C" void reductions(communicator world, double in, double& out, int root) {
    reduce(world, in, out, std::plus<double>(), root);
    reduce(world, in, std::plus<double>(), root);
}

extern "C" void reductions_of_arrays(communicator world, double const* in, double* out, int n, int root) {
    reduce(world, in, n, out, boost::mpi::maximum<double>(), root);
    reduce(world, in, n, boost::mpi::maximum<double>(), root);
}

extern "C" void reduction_of_vectors(communicator world, reals const& in, reals& out, int root) {
    reduce(world, in, out, std::plus<double>(), root);
}

extern "C" void reduction_of_a_vector(communicator world, reals const& in, int root) {
    reduce(world, in, std::plus<double>(), root);
}

extern "C" double reductions_on_all(communicator world, double in, double& out) {
    all_reduce(world, in, out, std::plus<double>());
    all_reduce(world, boost::mpi::inplace(out), std::plus<double>());
    return all_reduce(world, in, boost::mpi::minimum<double>());
}

extern "C" void reductions_of_arrays_on_all(communicator world, double const* in, double* out, int n) {
    all_reduce(world, in, n, out, std::plus<double>());
    all_reduce(world, boost::mpi::inplace(out), n, std::plus<double>());
}

extern "C" void gathers(communicator world, double in, double* out, reals& outs, int root) {
    gather(world, in, outs, root);
    gather(world, in, out, root);
    gather(world, in, root);
}

extern "C" void gathers_of_arrays(communicator world, double const* in, int n, double* out, reals& outs,
                                  int root) {
    gather(world, in, n, outs, root);
    gather(world, in, n, out, root);
    gather(world, in, n, root);
}

extern "C" void gathers_on_all(communicator world, double in, double const* ins, int n, double* out,
                               reals& outs) {
    all_gather(world, in, outs);
    all_gather(world, in, out);
    all_gather(world, ins, n, outs);
    all_gather(world, ins, n, out);
}

extern "C" void scatters(communicator world, reals const& ins, double const* in, double& out, int root) {
    scatter(world, ins, out, root);
    scatter(world, in, out, root);
    scatter(world, out, root);
}

extern "C" void scatters_of_arrays(communicator world, reals const& ins, double const* in, double* out, int n,
                                   int root) {
    scatter(world, ins, out, n, root);
    scatter(world, in, out, n, root);
    scatter(world, out, n, root);
}

extern "C" void gathers_of_any_sizes(communicator world, reals const& ins, double* out, ints const& sizes,
                                     ints const& displs, int root) {
    gatherv(world, ins, out, sizes, displs, root);
    gatherv(world, ins, out, sizes, root);
    gatherv(world, ins, root);
}

extern "C" void gathers_of_arrays_of_any_sizes(communicator world, double const* in, int n, double* out,
                                               ints const& sizes, ints const& displs, int root) {
    gatherv(world, in, n, out, sizes, displs, root);
    gatherv(world, in, n, out, sizes, root);
    gatherv(world, in, n, root);
}

extern "C" void gathers_of_any_sizes_on_all(communicator world, reals const& ins, reals& outs,
                                            ints const& sizes, ints const& displs) {
    all_gatherv(world, ins, outs, sizes);
    all_gatherv(world, ins, outs, sizes, displs);
}

extern "C" void gathers_of_arrays_of_any_sizes_on_all(communicator world, double const* in, double* out,
                                                      ints const& sizes, ints const& displs) {
    all_gatherv(world, *in, out, sizes);
    all_gatherv(world, in, out, sizes);
    all_gatherv(world, in, out, sizes, displs);
}

extern "C" void scatters_of_any_sizes(communicator world, reals const& ins, ints const& sizes,
                                      ints const& displs, double* out, int n, int root) {
    scatterv(world, ins, sizes, displs, out, n, root);
    scatterv(world, ins, sizes, out, root);
    scatterv(world, ins, out, n, root);
    scatterv(world, out, n, root);
}

extern "C" void scatters_of_arrays_of_any_sizes(communicator world, double const* in, ints const& sizes,
                                                ints const& displs, double* out, int n, int root) {
    scatterv(world, in, sizes, displs, out, n, root);
    scatterv(world, in, sizes, out, root);
    scatterv(world, in, out, n, root);
}

extern "C" void exchanges_between_all(communicator world, reals const& ins, reals& outs, double const* in,
                                      double* out, int n) {
    all_to_all(world, ins, outs);
    all_to_all(world, in, out);
    all_to_all(world, ins, n, outs);
    all_to_all(world, in, n, out);
}

extern "C" double scans(communicator world, double in, double& out, double const* ins, double* outs, int n) {
    scan(world, in, out, std::plus<double>());
    scan(world, ins, n, outs, std::plus<double>());
    return scan(world, in, boost::mpi::maximum<double>());
}

extern "C" void broadcasts_of_archives(communicator world, mpi::packed_oarchive& out,
                                       mpi::packed_oarchive const& readable, mpi::packed_iarchive& in,
                                       int root) {
    broadcast(world, out, root);
    broadcast(world, readable, root);
    broadcast(world, in, root);
}

extern "C" void broadcasts_of_skeleton_archives(communicator world, mpi::packed_skeleton_oarchive& out,
                                                mpi::packed_skeleton_oarchive const& readable,
                                                mpi::packed_skeleton_iarchive& in, int root) {
    broadcast(world, out, root);
    broadcast(world, readable, root);
    broadcast(world, in, root);
}

extern "C" void broadcasts_of_content(communicator world, mpi::content& inside, mpi::content const& readable,
                                      int root) {
    broadcast(world, inside, root);
    broadcast(world, readable, root);
}

// Values that Boost serialises.
#ifdef SERIALISED

extern "C" void gathers_of_strings(communicator world, std::string const& in, std::vector<std::string>& out,
                                   int root) {
    gather(world, in, out, root);
    all_gather(world, in, out);
}

extern "C" void broadcasts_of_strings(communicator world, std::string* texts, int n, int root) {
    broadcast(world, texts[0], root);
    broadcast(world, texts, n, root);
}

extern "C" void broadcasts_of_skeletons(communicator world, mpi::skeleton_proxy<reals>& shape,
                                        mpi::skeleton_proxy<reals> const& readable, int root) {
    broadcast(world, shape, root);
    broadcast(world, readable, root);
}

extern "C" void gathers_of_any_strings(communicator world, strings const& ins, std::string* out,
                                       ints const& sizes, ints const& displs, int root) {
    gatherv(world, ins, out, sizes, displs, root);
    all_gatherv(world, ins.data(), out, sizes, displs);
}

extern "C" void scatters_of_strings(communicator world, strings const& ins, std::string* out,
                                    ints const& sizes, int root) {
    scatter(world, ins, *out, root);
    scatterv(world, ins, sizes, out, root);
}

extern "C" void exchange_of_strings_between_all(communicator world, strings const& ins, strings& outs) {
    all_to_all(world, ins, outs);
}

extern "C" std::string reductions_of_strings(communicator world, std::string const& in, std::string& out,
                                             int root) {
    reduce(world, in, out, std::plus<std::string>(), root);
    scan(world, in, out, std::plus<std::string>());
    return all_reduce(world, in, std::plus<std::string>());
}

#endif
