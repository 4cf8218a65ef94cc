// The rows of the table of MPI functions as types.
#pragma once

#include <mpiprof/core/operation.hpp>
#include <mpiprof/raw/features.hpp>
#include <mpiprof/raw/role.hpp>

namespace mpiprof::inline v1::raw {

/// The place of the argument with this role in the row's function, -1 if it has none.
template <class Row>
constexpr int place_of(role what) noexcept {
    int place = 0;
    for (auto const each : Row::roles) {
        if (each == what) return place;
        ++place;
    }
    return -1;
}

/// Has the row's function an argument with this role?
template <class Row>
constexpr bool has(role what) noexcept {
    return place_of<Row>(what) >= 0;
}

/// Does the row's function make a request?
template <class Row>
inline constexpr bool posts = has<Row>(role::new_request) || has<Row>(role::new_persistent_request);

/// One type for each row, named as the function is without MPI_. That the roles fit the prototype is asserted
/// where a function is used, and by tests/raw/functions_test.cpp for all: here it would cost every unit twice
/// what the rows do.
namespace rows {

using enum role;

#define MPIPROF_FUNCTION(NAME, OBJECT, OPERATION, MOVEMENT, ...)                                             \
    struct NAME {                                                                                            \
        static constexpr auto function = &MPI_##NAME;                                                        \
        static constexpr mpiprof::operation operation = mpiprof::operation::OPERATION;                       \
        static constexpr raw::movement movement = raw::movement::MOVEMENT;                                   \
        static constexpr raw::roles roles{__VA_ARGS__};                                                      \
        static constexpr char const* name = "MPI_" #NAME;                                                    \
    };
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

}  // namespace rows

}  // namespace mpiprof::inline v1::raw
