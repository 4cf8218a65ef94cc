// Sizes of MPI's named datatypes, which never change, without asking each time.
#pragma once

#include <mpiprof/core/config.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <type_traits>

namespace mpiprof::inline v1::raw::detail {

/// MPI_Type_size_x; -1 where it cannot be known.
inline std::int64_t ask_size_of(MPI_Datatype type) noexcept {
    if (type == MPI_DATATYPE_NULL) return -1;
    MPI_Count size = MPI_UNDEFINED;
    bool const known = PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size != MPI_UNDEFINED;
    return known ? static_cast<std::int64_t>(size) : -1;
}

struct sized_type {
    std::atomic<MPI_Datatype> type{};
    std::int64_t size = -1;
};

/// Sizes by handle, of named types alone: a named type cannot be freed, so its handle never stands for
/// another one. Filled once, when MPI runs.
class type_sizes {
  public:
    /// -1 for a type that is not known here.
    [[gnu::always_inline]] static std::int64_t find(MPI_Datatype type) noexcept {
        auto const slot = slot_of(type);
        for (auto const place : {slot, slot ^ 1}) {
            auto const& found = entries_[place];
            if (found.type.load(std::memory_order_acquire) == type) return found.size;
        }
        return -1;
    }

    /// Asks MPI for the sizes of the types that programs use most. Once, from one thread.
    static void fill() noexcept {
        for (auto const type : {MPI_BYTE,
                                MPI_PACKED,
                                MPI_CHAR,
                                MPI_SIGNED_CHAR,
                                MPI_UNSIGNED_CHAR,
                                MPI_SHORT,
                                MPI_UNSIGNED_SHORT,
                                MPI_INT,
                                MPI_UNSIGNED,
                                MPI_LONG,
                                MPI_UNSIGNED_LONG,
                                MPI_LONG_LONG,
                                MPI_UNSIGNED_LONG_LONG,
                                MPI_FLOAT,
                                MPI_DOUBLE,
                                MPI_LONG_DOUBLE,
                                MPI_C_BOOL,
                                MPI_CXX_BOOL,
                                MPI_INT8_T,
                                MPI_INT16_T,
                                MPI_INT32_T,
                                MPI_INT64_T,
                                MPI_UINT8_T,
                                MPI_UINT16_T,
                                MPI_UINT32_T,
                                MPI_UINT64_T,
                                MPI_C_FLOAT_COMPLEX,
                                MPI_C_DOUBLE_COMPLEX,
                                MPI_CXX_FLOAT_COMPLEX,
                                MPI_CXX_DOUBLE_COMPLEX,
                                MPI_DOUBLE_INT,
                                MPI_2INT,
                                MPI_AINT,
                                MPI_COUNT,
                                MPI_OFFSET}) {
            auto const size = ask_size_of(type);
            if (size < 0) continue;
            auto const slot = slot_of(type);
            // Where both places are taken, the type is asked about each time.
            for (auto const place : {slot, slot ^ 1}) {
                auto& entry = entries_[place];
                if (entry.size >= 0) continue;
                entry.size = size;
                entry.type.store(type, std::memory_order_release);
                break;
            }
        }
    }

  private:
    static constexpr int slot_bits = 8;

    /// A handle is a pointer with Open MPI, an integer with MPICH.
    template <class Handle>
    [[gnu::always_inline]] static std::uint64_t number_of(Handle handle) noexcept {
        if constexpr (std::is_pointer_v<Handle>) return reinterpret_cast<std::uintptr_t>(handle);
        else return static_cast<std::uint64_t>(handle);
    }

    [[gnu::always_inline]] static std::size_t slot_of(MPI_Datatype type) noexcept {
        return static_cast<std::size_t>(number_of(type) * 0x9e3779b97f4a7c15 >> (64 - slot_bits));
    }

    static inline constinit std::array<sized_type, std::size_t{1} << slot_bits> entries_{};
};

}  // namespace mpiprof::inline v1::raw::detail
