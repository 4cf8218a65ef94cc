// Values that Boost.MPI serialises, as a collective moves them.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/core/config.hpp>

#include <vector>

namespace mpiprof::inline v1::boost_mpi::detail {

/// Archives one behind the other, each from or for one rank.
struct archives {
    MPI_Comm comm;
    boost::mpi::packed_oarchive::buffer_type bytes = {};
    std::vector<int> sizes = {};
    std::vector<int> offsets = {};

    template <class T>
    void save(T const* values, int n) {
        auto const before = bytes.size();
        boost::mpi::packed_oarchive archive(comm, bytes);
        for (int i = 0; i < n; ++i) archive << values[i];
        offsets.push_back(static_cast<int>(before));
        sizes.push_back(static_cast<int>(bytes.size() - before));
    }

    template <class T>
    void load(int rank, T* values, int n) {
        boost::mpi::packed_iarchive archive(comm, bytes, boost::archive::no_header,
                                            offsets[static_cast<std::size_t>(rank)]);
        for (int i = 0; i < n; ++i) archive >> values[i];
    }

    /// Makes room for archives of these sizes.
    void make_room() {
        std::size_t end = 0;
        for (int const size : sizes) {
            offsets.push_back(static_cast<int>(end));
            // From 2 GiB on MPI refuses it, as it does Boost's.
            end += static_cast<unsigned>(size);
        }
        bytes.resize(end);
    }
};

}  // namespace mpiprof::inline v1::boost_mpi::detail
