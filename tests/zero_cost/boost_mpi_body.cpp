// What programs do with Boost.MPI, written once: over Boost's own, over its communicator in a profiled view
// that is off (-DVIEW), or over the one-line switch, profiling compiled out (-DSWITCHED -DMPIPROF_DISABLED).
#if defined(VIEW)
#include <mpiprof/boost_mpi.hpp>
namespace mpi = boost::mpi;
using communicator = mpiprof::profiled<boost::mpi::communicator, mpiprof::off>;
#elif defined(SWITCHED)
#include <mpiprof/boost_mpi.hpp>
namespace mpi = mpiprof::boost_mpi;
using communicator = mpi::communicator const&;
#else
#include <boost/mpi.hpp>
namespace mpi = boost::mpi;
using communicator = mpi::communicator const&;
#endif

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include <string>
#include <vector>

using reals = std::vector<double>;

// Messages.

extern "C" void send_value(communicator world, double value, int dest) { world.send(dest, 7, value); }

extern "C" void send_constants(communicator world) {
    world.send(1, 7, 42);
    world.send(2, 7);
}

extern "C" void send_array(communicator world, double const* values, int n, int dest) {
    world.send(dest, 7, values, n);
}

extern "C" void send_vector(communicator world, reals const& values, int dest) {
    world.send(dest, 7, values);
}

extern "C" int receive_value(communicator world, int source, double* value) {
    return world.recv(source, 7, *value).source();
}

extern "C" int receive_array(communicator world, double* values, int n) {
    mpi::status const status = world.recv(mpi::any_source, mpi::any_tag, values, n);
    return status.tag();
}

extern "C" void receive_the_rest(communicator world, int source, reals& values) {
    world.recv(source, 8, values);
    world.recv(source, 9);
}

extern "C" int exchange_values(communicator world, int peer, double in, double& out) {
    return world.sendrecv(peer, 7, in, peer, 8, out).source();
}

extern "C" int probe_for_any(communicator world) { return world.probe().tag(); }

extern "C" bool probe_for_one(communicator world, int source) {
    return static_cast<bool>(world.iprobe(source, 7));
}

extern "C" void in_a_loop(communicator world, int ranks, int value) {
    for (int rank = 0; rank < ranks; ++rank) world.send(rank, 7, value);
    world.barrier();
}

template <class Communicator>
static void to_all_but_one_over(Communicator world, int value, int ranks, int but) {
    for (int rank = 0; rank < ranks; ++rank) {
        if (rank != but) world.send(rank, 7, value);
    }
}

extern "C" void through_a_generic_function(communicator world, int value, int ranks) {
    to_all_but_one_over<communicator>(world, value, ranks, 3);
    to_all_but_one_over<communicator>(world, value + 1, ranks, 4);
}

extern "C" void local_object(boost::mpi::communicator const& comm, double value) {
#ifdef VIEW
    communicator const world{comm};
#else
    auto const& world = comm;
#endif
    world.send(1, 7, value);
    broadcast(world, value, 0);
}

// A view refers to the communicator: a reference to a view is one to a pointer.
#ifdef VIEW
using referred = communicator const&;
#define WORLD world
#else
using referred = mpi::communicator const* const&;
#define WORLD (*world)
#endif

extern "C" void by_reference(referred world, double value, int dest) {
    WORLD.send(dest, 7, value);
    WORLD.send(dest, 8, value);
}

// Requests.

extern "C" void exchange(communicator world, int peer, double* in, double const* out, int n) {
    mpi::request posted[2];
    posted[0] = world.irecv(peer, 7, in, n);
    posted[1] = world.isend(peer, 7, out, n);
    mpi::wait_all(posted, posted + 2);
}

extern "C" void exchange_in_a_new_array(communicator world, int peer, double* in, double const* out, int n) {
    mpi::request posted[2] = {world.irecv(peer, 7, in, n), world.isend(peer, 7, out, n)};
    mpi::wait_all(posted, posted + 2);
}

extern "C" int request_built_in_place(communicator world, int peer, double& in, double const& out) {
    auto receiving = world.irecv(peer, 7, in);
    auto sending = world.isend(peer, 7, out);
    sending.wait();
    return receiving.wait().source();
}

extern "C" void requests_in_a_vector(communicator world, int peer) {
    std::vector<mpi::request> posted;
    posted.push_back(world.irecv(peer, 8));
    posted.push_back(world.isend(peer, 8));
    mpi::wait_all(posted.begin(), posted.end());
}

extern "C" int requests_of_vectors(communicator world, int peer, reals& in, reals const& out) {
    auto receiving = world.irecv(peer, 7, in);
    auto sending = world.isend(peer, 7, out);
    sending.wait();
    return receiving.wait().source();
}

extern "C" void cancelled_request(communicator world, int peer, double& in) {
    auto receiving = world.irecv(peer, 7, in);
    receiving.cancel();
    receiving.wait();
}

extern "C" long any_of_requests(communicator world, int peer, double& in, double const& out) {
    mpi::request posted[2];
    posted[0] = world.irecv(peer, 7, in);
    posted[1] = world.isend(peer, 7, out);
    auto const found = mpi::test_any(posted, posted + 2);
    return mpi::wait_any(posted, posted + 2).second - (found ? found->second : posted);
}

extern "C" long some_of_requests(communicator world, int peer, double& in, double const& out) {
    mpi::request posted[2];
    posted[0] = world.irecv(peer, 7, in);
    posted[1] = world.isend(peer, 7, out);
    return mpi::wait_some(posted, posted + 2) - mpi::test_some(posted, posted + 2);
}

// Collectives, all their overloads.

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

// Code for any communicator, against the same by hand.
#if defined(VIEW) || defined(SWITCHED)

extern "C" void send_a_block(communicator world, double const* values) {
    mpiprof::send(world, 1, 7, values, 100);
}
extern "C" int receive_a_block(communicator world, double* values) {
    return mpiprof::recv(world, mpiprof::any_source, mpiprof::any_tag, values, 100).source();
}
extern "C" int request_of_a_block(communicator world, double* values) {
    auto posted = mpiprof::irecv(world, 1, 7, values, 100);
    mpiprof::barrier(world);
    return posted.wait().tag();
}
extern "C" void share_a_block(communicator world, double* values, int root) {
    mpiprof::bcast(world, values, 100, root);
}
extern "C" void sum_of_a_block(communicator world, double const* in, double* out, int root) {
    mpiprof::reduce(world, in, out, 100, std::plus<>{}, root);
}
extern "C" void least_of_a_block(communicator world, int const* in, int* out) {
    mpiprof::allreduce(world, in, out, 100, mpiprof::minimum{});
}

#else

extern "C" void send_a_block(communicator world, double const* values) { world.send(1, 7, values, 100); }
extern "C" int receive_a_block(communicator world, double* values) {
    return world.recv(mpi::any_source, mpi::any_tag, values, 100).source();
}
extern "C" int request_of_a_block(communicator world, double* values) {
    auto posted = world.irecv(1, 7, values, 100);
    world.barrier();
    return posted.wait().tag();
}
extern "C" void share_a_block(communicator world, double* values, int root) {
    broadcast(world, values, 100, root);
}
extern "C" void sum_of_a_block(communicator world, double const* in, double* out, int root) {
    reduce(world, in, 100, out, std::plus<double>(), root);
}
extern "C" void least_of_a_block(communicator world, int const* in, int* out) {
    all_reduce(world, in, 100, out, mpi::minimum<int>());
}

#endif

// Values that Boost serialises.
#ifdef SERIALISED

extern "C" void send_serialised(communicator world, std::string const& text, int dest) {
    world.send(dest, 7, text);
}

extern "C" void send_serialised_array(communicator world, std::string const* texts, int n, int dest) {
    world.send(dest, 7, texts, n);
}

extern "C" void send_serialised_vector(communicator world, std::vector<std::string> const& texts, int dest) {
    world.send(dest, 7, texts);
}

extern "C" void gathers_of_strings(communicator world, std::string const& in, std::vector<std::string>& out,
                                   int root) {
    gather(world, in, out, root);
    all_gather(world, in, out);
}

extern "C" void isend_serialised(communicator world, int peer, std::string const& text) {
    auto sending = world.isend(peer, 7, text);
    if (!sending.test()) sending.wait();
}

extern "C" bool irecv_serialised(communicator world, int peer, std::string& text) {
    auto receiving = world.irecv(peer, 7, text);
    return static_cast<bool>(receiving.test());
}

extern "C" void broadcasts_of_strings(communicator world, std::string* texts, int n, int root) {
    broadcast(world, texts[0], root);
    broadcast(world, texts, n, root);
}

extern "C" void exchange_serialised(communicator world, int peer, std::string const& in, std::string& out) {
    world.sendrecv(peer, 7, in, peer, 8, out);
}

extern "C" void send_skeleton(communicator world, int peer, reals& values) {
    world.send(peer, 7, boost::mpi::skeleton(values));
    world.isend(peer, 7, boost::mpi::skeleton(values));
}

extern "C" void receive_serialised(communicator world, std::string& text) { world.recv(0, 7, text); }

#endif
