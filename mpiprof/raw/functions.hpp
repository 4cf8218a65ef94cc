// The rows of the table of MPI functions as types.
#pragma once

#include <mpiprof/core/operation.hpp>
#include <mpiprof/raw/features.hpp>
#include <mpiprof/raw/role.hpp>

// What a row calls: MPI_X, so that other tools see the program's calls. The preload library, which itself is
// called as MPI_X, calls PMPI_X, by an address that it may replace by a shorter way there.
#ifdef MPIPROF_INTERNAL_PRELOAD
#define MPIPROF_INTERNAL_CALLED(NAME) static inline constinit auto function = &PMPI_##NAME
#else
#define MPIPROF_INTERNAL_CALLED(NAME) static constexpr auto function = &MPI_##NAME
#endif

namespace mpiprof::inline v1::raw {

namespace detail {

// Of lists of roles, many of which are of one type, and not by row: a function template's instance for each
// row would take longer to compile than the row does.
template <class Roles>
constexpr int place_in(Roles const& all, role what) noexcept {
    int place = 0;
    for (auto const each : all) {
        if (each == what) return place;
        ++place;
    }
    return -1;
}

template <class Roles>
constexpr bool makes_request(Roles const& all) noexcept {
    return place_in(all, role::new_request) >= 0 || place_in(all, role::new_persistent_request) >= 0;
}

}  // namespace detail

/// The place of the argument with this role in the row's function, -1 if it has none.
template <class Row>
constexpr int place_of(role what) noexcept {
    return detail::place_in(Row::roles, what);
}

/// Has the row's function an argument with this role?
template <class Row>
constexpr bool has(role what) noexcept {
    return place_of<Row>(what) >= 0;
}

/// Does the row's function make a request?
template <class Row>
inline constexpr bool posts = detail::makes_request(Row::roles);

/// One type for each row, named as the function is without MPI_. That the roles fit the prototype is asserted
/// where a function is used, and by tests/raw/functions_test.cpp for all: here it would cost every unit twice
/// what the rows do.
namespace rows {

using enum role;

#define MPIPROF_FUNCTION(NAME, OBJECT, OPERATION, MOVEMENT, ...)                                             \
    struct NAME {                                                                                            \
        MPIPROF_INTERNAL_CALLED(NAME);                                                                       \
        static constexpr mpiprof::operation operation = mpiprof::operation::OPERATION;                       \
        static constexpr raw::movement movement = raw::movement::MOVEMENT;                                   \
        static constexpr raw::roles roles{__VA_ARGS__};                                                      \
        static constexpr char const* name = "MPI_" #NAME;                                                    \
    };
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

}  // namespace rows

}  // namespace mpiprof::inline v1::raw
