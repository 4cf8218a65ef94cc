// How Boost.MPI's collectives exchange values that it serialises: first the sizes of their archives, then the
// archives. The MPI calls are Boost's, one by one, so that ranks which call Boost's own take part; but here
// the sizes are seen.
#pragma once

#include <mpiprof/boost_mpi/library.hpp>

#include <mpiprof/boost_mpi/collectives/archives.hpp>
#include <mpiprof/boost_mpi/collectives/collective.hpp>

namespace mpiprof::inline v1::boost_mpi::detail {

/// Are values of this type exchanged here? Where nobody counts bytes Boost's own function is called: its
/// calls are not made in its place without need.
template <class T, class I>
inline constexpr bool exchanged_here = serialized<T> && I::sizes;

// The MPI functions of each exchange, what tells a size in it, and from how many ranks this one is given an
// archive.

struct broadcast_from_root {
    using size_message = std::size_t;
    int root;

    int sources(boost::mpi::communicator const& comm) const { return comm.rank() == root ? 0 : 1; }
    void exchange_sizes(archives& out, archives& in) const {
        size_message size = out.bytes.size();
        BOOST_MPI_CHECK_RESULT(MPI_Bcast, (&size, 1, boost::mpi::get_mpi_datatype(size), root, out.comm));
        for (int& each : in.sizes) each = static_cast<int>(size);
    }
    void exchange_archives(archives& out, archives& in) const {
        auto& bytes = in.sizes.empty() ? out.bytes : in.bytes;
        BOOST_MPI_CHECK_RESULT(MPI_Bcast,
                               (bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, root, out.comm));
    }
};

struct gather_to_root {
    using size_message = int;
    int root;

    int sources(boost::mpi::communicator const& comm) const { return comm.rank() == root ? comm.size() : 0; }
    void exchange_sizes(archives& out, archives& in) const {
        BOOST_MPI_CHECK_RESULT(MPI_Gather,
                               (out.sizes.data(), 1, MPI_INT, in.sizes.data(), 1, MPI_INT, root, out.comm));
    }
    void exchange_archives(archives& out, archives& in) const {
        BOOST_MPI_CHECK_RESULT(MPI_Gatherv, (out.bytes.data(), out.sizes[0], MPI_BYTE, in.bytes.data(),
                                             in.sizes.data(), in.offsets.data(), MPI_BYTE, root, out.comm));
    }
};

struct gather_to_all {
    using size_message = int;
    static constexpr root_rank root{};

    int sources(boost::mpi::communicator const& comm) const { return comm.size(); }
    void exchange_sizes(archives& out, archives& in) const {
        BOOST_MPI_CHECK_RESULT(MPI_Allgather,
                               (out.sizes.data(), 1, MPI_INT, in.sizes.data(), 1, MPI_INT, out.comm));
    }
    void exchange_archives(archives& out, archives& in) const {
        BOOST_MPI_CHECK_RESULT(MPI_Allgatherv, (out.bytes.data(), out.sizes[0], MPI_BYTE, in.bytes.data(),
                                                in.sizes.data(), in.offsets.data(), MPI_BYTE, out.comm));
    }
};

struct scatter_from_root {
    using size_message = int;
    int root;

    int sources(boost::mpi::communicator const&) const { return 1; }
    void exchange_sizes(archives& out, archives& in) const {
        BOOST_MPI_CHECK_RESULT(MPI_Scatter,
                               (out.sizes.data(), 1, MPI_INT, in.sizes.data(), 1, MPI_INT, root, out.comm));
    }
    void exchange_archives(archives& out, archives& in) const {
        BOOST_MPI_CHECK_RESULT(MPI_Scatterv,
                               (out.bytes.data(), out.sizes.data(), out.offsets.data(), MPI_BYTE,
                                in.bytes.data(), in.sizes[0], MPI_BYTE, root, out.comm));
    }
};

struct exchange_between_all {
    using size_message = int;
    static constexpr root_rank root{};

    int sources(boost::mpi::communicator const& comm) const { return comm.size(); }
    void exchange_sizes(archives& out, archives& in) const {
        BOOST_MPI_CHECK_RESULT(MPI_Alltoall,
                               (out.sizes.data(), 1, MPI_INT, in.sizes.data(), 1, MPI_INT, out.comm));
    }
    void exchange_archives(archives& out, archives& in) const {
        BOOST_MPI_CHECK_RESULT(MPI_Alltoallv,
                               (out.bytes.data(), out.sizes.data(), out.offsets.data(), MPI_PACKED,
                                in.bytes.data(), in.sizes.data(), in.offsets.data(), MPI_PACKED, out.comm));
    }
};

/// Measures an exchange: `save(archives)` makes this rank's, `load(archives)` gets those that it is given.
template <operation Operation, class Base, class I, class Functions, class Save, class Load>
void exchange(operations<Base, I> const& comm, Functions functions, call_site site, Save save, Load load) {
    archives out{comm.plain()};
    archives in{comm.plain()};
    measure<Operation, I>(
        comm.identity(), site,
        [&] {
            save(out);
            in.sizes.resize(static_cast<std::size_t>(functions.sources(comm.plain())));
            functions.exchange_sizes(out, in);
            in.make_room();
            functions.exchange_archives(out, in);
            load(in);
        },
        [&](auto& measured) {
            auto& record = measured.record();
            record.sent = static_cast<std::int64_t>(out.bytes.size());
            record.received = static_cast<std::int64_t>(in.bytes.size());
            record.overhead = static_cast<std::int64_t>((out.sizes.size() + in.sizes.size()) *
                                                        sizeof(typename Functions::size_message));
        },
        of_root(functions.root));
}

}  // namespace mpiprof::inline v1::boost_mpi::detail
