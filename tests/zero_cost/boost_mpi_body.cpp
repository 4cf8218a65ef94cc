// What programs do with Boost.MPI's messages and requests, written once.
#include "tests/zero_cost/boost_mpi_ways.inc"

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

extern "C" void isend_serialised(communicator world, int peer, std::string const& text) {
    auto sending = world.isend(peer, 7, text);
    if (!sending.test()) sending.wait();
}

extern "C" bool irecv_serialised(communicator world, int peer, std::string& text) {
    auto receiving = world.irecv(peer, 7, text);
    return static_cast<bool>(receiving.test());
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
