// Functions of which it can be known without asking MPI what a call has moved.
#pragma once

#include <mpiprof/raw/functions.hpp>

#include <array>
#include <cstddef>

namespace mpiprof::inline v1::raw::detail {

/// Does an argument with this role tell what was moved, or between whom?
constexpr bool is_significant(role what) noexcept {
    switch (what) {
    case role::send_count:
    case role::send_type:
    case role::destination:
    case role::send_tag:
    case role::source:
    case role::receive_tag:
    case role::root:
    case role::flag:
    case role::status:
        return true;
    default:
        return false;
    }
}

/// Does what a call of this row has moved stand in its significant arguments?
template <class Row>
inline constexpr bool is_simple =
    has<Row>(role::comm) && !has<Row>(role::new_message) && !has<Row>(role::new_request) &&
    !has<Row>(role::new_persistent_request) &&
    (Row::movement == movement::nothing || Row::movement == movement::send ||
     Row::movement == movement::receive || Row::movement == movement::allreduce);

/// A simple row without its other arguments.
template <class Row>
struct simple_row {
    static constexpr mpiprof::operation operation = Row::operation;
    static constexpr raw::movement movement = Row::movement;

    static constexpr std::size_t count() noexcept {
        std::size_t number = 0;
        for (auto const each : Row::roles) number += is_significant(each) ? 1 : 0;
        return number;
    }

    static constexpr auto roles = [] {
        std::array<role, count()> chosen{};
        std::size_t next = 0;
        for (auto const each : Row::roles) {
            if (is_significant(each)) chosen[next++] = each;
        }
        return chosen;
    }();
};

}  // namespace mpiprof::inline v1::raw::detail
