// The plain view of an MPI_Comm, with member functions and typed calls.
#pragma once

#include <mpiprof/raw/communicator_interface.hpp>
#include <mpiprof/run/instrumentations.hpp>

namespace mpiprof::inline v1 {

/// A view of an MPI_Comm: as cheap as the handle, owning nothing. Its calls are MPI's, unprofiled;
/// `profile(MPI_COMM_WORLD)` gives the profiled one.
class raw_communicator : public raw::detail::communicator_interface<raw_communicator, off> {
  public:
    /// Explicit: with MPICH every int would convert.
    explicit constexpr raw_communicator(MPI_Comm comm) noexcept : comm_{comm} {}

    /// The handle.
    [[gnu::always_inline]] constexpr MPI_Comm native() const noexcept { return comm_; }

    /// MPI_Comm_free; the view is empty then. Returns MPI's code.
    int free() { return MPI_Comm_free(&comm_); }

    /// Calls a row's function.
    template <class Row, class... Arguments>
    [[gnu::always_inline]] int invoke(call_site, Arguments... values) const {
        return Row::function(values...);
    }

    template <class Row, class... Arguments>
    [[gnu::always_inline]] int invoke_posting(raw::pending* const*, call_site, Arguments... values) const {
        return Row::function(values...);
    }

  private:
    MPI_Comm comm_;
};

}  // namespace mpiprof::inline v1
