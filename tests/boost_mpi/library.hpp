// A library that knows of Boost.MPI only.
#pragma once

#include <boost/mpi.hpp>
#include <boost/serialization/string.hpp>
#include <string>

namespace library {

inline int rank_of(boost::mpi::communicator const& comm) { return comm.rank(); }

inline int size_of(boost::mpi::communicator& comm) {
    int size = comm.size();
    boost::mpi::broadcast(comm, size, 0);
    return size;
}

inline boost::mpi::communicator copied(boost::mpi::communicator comm) { return comm; }

inline boost::mpi::request started(boost::mpi::communicator const& comm, int to) { return comm.isend(to, 9); }

#ifndef __clang__
// Under the sanitizers g++ takes Boost's empty optional for an uninitialised one.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
template <class T>
int count_in(boost::mpi::status const& status) {
    return status.count<T>().value_or(-1);
}
#ifndef __clang__
#pragma GCC diagnostic pop
#endif

inline void wait_for(boost::mpi::request& request) { request.wait(); }

/// Receives what was sent with tags 6, 8 and 9.
inline void receive_rest(boost::mpi::communicator const& comm, int from) {
    std::string text;
    comm.recv(from, 6, text);
    comm.recv(from, 8);
    comm.recv(from, 9);
}

}  // namespace library
