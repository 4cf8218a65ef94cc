// The functions that take a communicator as its member functions: world.send(buffer, count, datatype, dest,
// tag).
#pragma once

#include <mpiprof/core/call_site.hpp>
#include <mpiprof/raw/functions.hpp>

#include <type_traits>

namespace mpiprof::inline v1::raw::detail {

template <class... Types>
struct type_list {};

/// The parameters of a function before and after the one at `Place`, of which `Before` are passed already. By
/// signature and not by row: many functions share one.
template <int Place, class Before, class... Rest>
struct split;

template <class... Before, class Comm, class... After>
struct split<0, type_list<Before...>, Comm, After...> {
    using before = type_list<Before...>;
    using after = type_list<After...>;
};

template <int Place, class... Before, class Next, class... Rest>
    requires(Place > 0)
struct split<Place, type_list<Before...>, Next, Rest...>
    : split<Place - 1, type_list<Before..., Next>, Rest...> {};

/// The parameters around a function's communicator; nothing for a function that has none.
template <int Place, class Signature>
struct around_comm {
    using before = void;
    using after = void;
};

template <int Place, class... Arguments>
    requires(Place >= 0)
struct around_comm<Place, int (*)(Arguments...)> : split<Place, type_list<>, Arguments...> {};

template <class Row>
using parameters_of = around_comm<place_of<Row>(role::comm), std::remove_const_t<decltype(Row::function)>>;

/// One class template a row, with one member function. `Self` has `template <class Row> int
/// invoke(call_site, Arguments...) const` and `MPI_Comm native() const`.
#define MPIPROF_FUNCTION(NAME, OBJECT, ...)                                                                  \
    template <class Self, class Before = typename parameters_of<rows::NAME>::before,                         \
              class After = typename parameters_of<rows::NAME>::after>                                       \
    struct NAME##_member {};                                                                                 \
    template <class Self, class... Before, class... After>                                                   \
    struct NAME##_member<Self, type_list<Before...>, type_list<After...>> {                                  \
        [[gnu::always_inline]] int OBJECT(Before... before, After... after,                                  \
                                          call_site site = call_site::current()) const {                     \
            auto const& self = static_cast<Self const&>(*this);                                              \
            return self.template invoke<rows::NAME>(site, before..., self.native(), after...);               \
        }                                                                                                    \
    };
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

/// All of them. The comma before the first base is taken by an empty one.
struct no_member {};

template <class Self>
struct members : no_member
#define MPIPROF_FUNCTION(NAME, ...) , NAME##_member<Self>
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
{
};

}  // namespace mpiprof::inline v1::raw::detail
