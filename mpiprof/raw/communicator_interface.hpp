// What plain and profiled communicators of the C API offer beside MPI's own calls.
#pragma once

#include <mpiprof/core/communicator.hpp>
#include <mpiprof/raw/constants.hpp>
#include <mpiprof/raw/request.hpp>
#include <mpiprof/raw/typed_collectives.hpp>

namespace mpiprof::inline v1::raw::detail {

/// Member functions over `Self::invoke`: MPI's own form of every call in the table that takes a communicator,
/// requests as objects, and typed calls. All that communicate return MPI's code, but those that return a
/// request, which holds it, and those that return a communicator.
template <class Self, class Instrumentation>
class communicator_interface : public typed_collectives<Self, basic_request<Instrumentation>> {
    using base = typed_collectives<Self, basic_request<Instrumentation>>;

  public:
    using instrumentation = Instrumentation;
    using request = basic_request<Instrumentation>;

    // The other forms stay beside those for generic code.
    using base::allreduce;
    using base::bcast;
    using base::irecv;
    using base::isend;
    using base::recv;
    using base::reduce;
    using base::send;

    /// The calling process's rank.
    int rank() const noexcept {
        int value = MPI_UNDEFINED;
        PMPI_Comm_rank(self().native(), &value);
        return value;
    }

    /// The number of ranks.
    int size() const noexcept {
        int value = 0;
        PMPI_Comm_size(self().native(), &value);
        return value;
    }

    /// Is there a communicator? No for MPI_COMM_NULL.
    explicit operator bool() const noexcept { return self().native() != MPI_COMM_NULL; }

    // What generic code calls: `n` values of a type that MPI has a name for.
    template <mpi_type T>
    [[gnu::always_inline]] int send(int dest, int tag, T const* first, std::size_t n,
                                    call_site site = call_site::current()) const {
        return send(first, mpi_count(n), datatype_of<T>(), dest, tag, site);
    }
    template <mpi_type T>
    [[gnu::always_inline]] int recv(int source, int tag, T* first, std::size_t n,
                                    MPI_Status* status = MPI_STATUS_IGNORE,
                                    call_site site = call_site::current()) const {
        return recv(first, mpi_count(n), datatype_of<T>(), source, tag, status, site);
    }
    template <mpi_type T>
    [[gnu::always_inline]] request isend(int dest, int tag, T const* first, std::size_t n,
                                         call_site site = call_site::current()) const {
        return isend(first, mpi_count(n), datatype_of<T>(), dest, tag, site);
    }
    template <mpi_type T>
    [[gnu::always_inline]] request irecv(int source, int tag, T* first, std::size_t n,
                                         call_site site = call_site::current()) const {
        return irecv(first, mpi_count(n), datatype_of<T>(), source, tag, site);
    }
    template <mpi_type T>
    [[gnu::always_inline]] int bcast(T* first, std::size_t n, int root,
                                     call_site site = call_site::current()) const {
        return bcast(first, mpi_count(n), datatype_of<T>(), root, site);
    }
    template <mpi_type T, mpi_operator Operator>
    [[gnu::always_inline]] int reduce(T const* in, T* out, std::size_t n, Operator, int root,
                                      call_site site = call_site::current()) const {
        return reduce(in, out, mpi_count(n), datatype_of<T>(), operator_of<Operator>(), root, site);
    }
    template <mpi_type T, mpi_operator Operator>
    [[gnu::always_inline]] int allreduce(T const* in, T* out, std::size_t n, Operator,
                                         call_site site = call_site::current()) const {
        return allreduce(in, out, mpi_count(n), datatype_of<T>(), operator_of<Operator>(), site);
    }

    /// A duplicate, to be freed by `free`; empty where MPI returned an error, which `comm_dup` tells.
    [[gnu::always_inline]] Self dup(call_site site = call_site::current()) const {
        MPI_Comm made = MPI_COMM_NULL;
        this->comm_dup(&made, site);
        return Self{made};
    }

    /// The part of this colour, ranks in the order of their keys; empty for the colour MPI_UNDEFINED.
    [[gnu::always_inline]] Self split(int color, int key, call_site site = call_site::current()) const {
        MPI_Comm made = MPI_COMM_NULL;
        this->comm_split(color, key, &made, site);
        return Self{made};
    }

  private:
    [[gnu::always_inline]] Self const& self() const noexcept { return static_cast<Self const&>(*this); }
};

}  // namespace mpiprof::inline v1::raw::detail
