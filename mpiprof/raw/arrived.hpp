// How many bytes a message had, from its status.
#pragma once

#include <mpiprof/core/config.hpp>

#include <atomic>
#include <cstdint>
#include <mpi.h>

namespace mpiprof::inline v1::raw::detail {

/// The number of bytes in a status, read from where the library keeps it, since asking for it takes longer
/// than measuring the call. Where that is, is each library's own affair: it is tried with the library itself
/// before it is relied on.
class status_bytes {
  public:
    /// -1 where it is not known where to look.
    [[gnu::always_inline]] static std::int64_t find(MPI_Status const& status) noexcept {
        return known_.load(std::memory_order_relaxed) ? look(status) : -1;
    }

    /// Once, when MPI runs.
    static void try_out() noexcept {
        bool right = true;
        for (MPI_Count const bytes : {MPI_Count{0}, MPI_Count{1}, MPI_Count{12345}, MPI_Count{1} << 33}) {
            MPI_Status status{};
            right = right && PMPI_Status_set_elements_x(&status, MPI_BYTE, bytes) == MPI_SUCCESS &&
                    look(status) == bytes;
        }
        known_.store(right, std::memory_order_relaxed);
    }

  private:
    template <class Status>
    [[gnu::always_inline]] static std::int64_t look(Status const& status) noexcept {
        if constexpr (requires { status._ucount; }) {  // Open MPI
            return static_cast<std::int64_t>(status._ucount);
        } else if constexpr (requires { status.count_hi_and_cancelled; }) {  // MPICH and its kin
            auto const high =
                static_cast<std::uint64_t>(static_cast<unsigned>(status.count_hi_and_cancelled) >> 1);
            return static_cast<std::int64_t>(high << 32 | static_cast<unsigned>(status.count_lo));
        } else {
            return -1;
        }
    }

    static inline constinit std::atomic<bool> known_{false};
};

/// Bytes that arrived by this status, counted in MPI_BYTE: right for derived, partial and packed messages. -1
/// where the library cannot tell.
inline std::int64_t arrived_nbytes(MPI_Status const& status) noexcept {
    if (auto const bytes = status_bytes::find(status); bytes >= 0) return bytes;
    MPI_Count bytes = MPI_UNDEFINED;
    if (PMPI_Get_elements_x(&status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes == MPI_UNDEFINED) return -1;
    return static_cast<std::int64_t>(bytes);
}

}  // namespace mpiprof::inline v1::raw::detail
