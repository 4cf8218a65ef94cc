// The functions that take a communicator as its member functions: world.send(buffer, count, datatype, dest,
// tag).
#pragma once

#include <mpiprof/core/call_site.hpp>
#include <mpiprof/raw/functions.hpp>

namespace mpiprof::inline v1::raw {

struct pending;

namespace detail {

template <class... Types>
struct type_list {};

/// The parameters of a member function, before and after the communicator.
template <class Before, class After>
struct plain_parameters {};

/// The same where the function makes a request: without that, which is the last one.
template <class Before, class After>
struct posting_parameters {};

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

/// Parameters without the last one.
template <class Passed, class... Rest>
struct without_last;

template <class... Passed, class Last>
struct without_last<type_list<Passed...>, Last> {
    using type = type_list<Passed...>;
};

template <class... Passed, class Next, class... Rest>
    requires(sizeof...(Rest) > 0)
struct without_last<type_list<Passed...>, Next, Rest...> : without_last<type_list<Passed..., Next>, Rest...> {
};

template <class Before, class After>
struct without_request;

template <class Before, class... After>
struct without_request<Before, type_list<After...>> {
    using type = posting_parameters<Before, typename without_last<type_list<>, After...>::type>;
};

/// The parameters of a member function for a function of this signature.
template <int Place, bool Posts, class Signature>
struct member_parameters;

template <int Place, class... Arguments>
struct member_parameters<Place, false, int (*)(Arguments...)> : split<Place, type_list<>, Arguments...> {
    using type = plain_parameters<typename member_parameters::before, typename member_parameters::after>;
};

template <int Place, class... Arguments>
struct member_parameters<Place, true, int (*)(Arguments...)> : split<Place, type_list<>, Arguments...> {
    using type =
        typename without_request<typename member_parameters::before, typename member_parameters::after>::type;
};

/// A request object, built in place by a call of the row's function.
template <class Row, class Request, class Self, class... Arguments>
[[gnu::always_inline]] inline Request post(Self const& self, call_site site, Arguments... values) {
    return Request{[&](MPI_Request* handle, pending* details) __attribute__((always_inline)) {
        return self.template invoke_posting<Row>(&details, site, values..., handle);
    }};
}

// Only rows with a communicator have a member, and the preprocessor tells them apart: a class template for
// every row takes half as long again to compile. The role `comm` becomes a comma, which moves the member to
// the third place; nothing else has one. No function has more arguments than there are letters.
#define MPIPROF_INTERNAL_ROLE_comm ,
// clang-format off
#define MPIPROF_INTERNAL_ROLES(A, B, C, D, E, F, G, H, I, J, K, L, M, N, ...) \
    MPIPROF_INTERNAL_ROLE_##A MPIPROF_INTERNAL_ROLE_##B MPIPROF_INTERNAL_ROLE_##C MPIPROF_INTERNAL_ROLE_##D \
    MPIPROF_INTERNAL_ROLE_##E MPIPROF_INTERNAL_ROLE_##F MPIPROF_INTERNAL_ROLE_##G MPIPROF_INTERNAL_ROLE_##H \
    MPIPROF_INTERNAL_ROLE_##I MPIPROF_INTERNAL_ROLE_##J MPIPROF_INTERNAL_ROLE_##K MPIPROF_INTERNAL_ROLE_##L \
    MPIPROF_INTERNAL_ROLE_##M MPIPROF_INTERNAL_ROLE_##N
// clang-format on
#define MPIPROF_INTERNAL_THIRD(FIRST, SECOND, THIRD, ...) THIRD
#define MPIPROF_INTERNAL_CHOOSE(...) MPIPROF_INTERNAL_THIRD(__VA_ARGS__)
#define MPIPROF_INTERNAL_NO_MEMBER(...)
#define MPIPROF_FUNCTION(NAME, OBJECT, OPERATION, MOVEMENT, ...)                                             \
    MPIPROF_INTERNAL_CHOOSE(MPIPROF_INTERNAL_ROLES(__VA_ARGS__, , , , , , , , , , , , , , ),                 \
                            MPIPROF_INTERNAL_MEMBER, MPIPROF_INTERNAL_NO_MEMBER, )(NAME, OBJECT)

/// One class template a row, with a member function; where the function makes a request, with a second one
/// that gives it as an object. `Self` has `template <class Row> int invoke(call_site, Arguments...) const`,
/// the same as `invoke_posting`, which is told where to keep what is known of the request, and `MPI_Comm
/// native() const`.
#define MPIPROF_INTERNAL_MEMBER(NAME, OBJECT)                                                                \
    template <class Self, class Request,                                                                     \
              class Parameters =                                                                             \
                  typename member_parameters<place_in(rows::NAME::roles, role::comm),                        \
                                             makes_request(rows::NAME::roles), decltype(&MPI_##NAME)>::type> \
    struct NAME##_member;                                                                                    \
    template <class Self, class Request, class... Before, class... After>                                    \
    struct NAME##_member<Self, Request, plain_parameters<type_list<Before...>, type_list<After...>>> {       \
        [[gnu::always_inline]] int OBJECT(Before... before, After... after,                                  \
                                          call_site site = call_site::current()) const {                     \
            auto const& self = static_cast<Self const&>(*this);                                              \
            return self.template invoke<rows::NAME>(site, before..., self.native(), after...);               \
        }                                                                                                    \
    };                                                                                                       \
    template <class Self, class Request, class... Before, class... After>                                    \
    struct NAME##_member<Self, Request, posting_parameters<type_list<Before...>, type_list<After...>>> {     \
        [[gnu::always_inline]] int OBJECT(Before... before, After... after, MPI_Request* request,            \
                                          call_site site = call_site::current()) const {                     \
            auto const& self = static_cast<Self const&>(*this);                                              \
            return self.template invoke<rows::NAME>(site, before..., self.native(), after..., request);      \
        }                                                                                                    \
        [[gnu::always_inline]] Request OBJECT(Before... before, After... after,                              \
                                              call_site site = call_site::current()) const {                 \
            auto const& self = static_cast<Self const&>(*this);                                              \
            return post<rows::NAME, Request>(self, site, before..., self.native(), after...);                \
        }                                                                                                    \
    };
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_INTERNAL_MEMBER

/// All of them. The comma before the first base is taken by an empty one.
struct no_member {};

template <class Self, class Request>
struct members : no_member
#define MPIPROF_INTERNAL_MEMBER(NAME, OBJECT) , NAME##_member<Self, Request>
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_INTERNAL_MEMBER
{
};

#undef MPIPROF_FUNCTION
#undef MPIPROF_INTERNAL_NO_MEMBER
#undef MPIPROF_INTERNAL_CHOOSE
#undef MPIPROF_INTERNAL_THIRD
#undef MPIPROF_INTERNAL_ROLES
#undef MPIPROF_INTERNAL_ROLE_comm

}  // namespace detail

}  // namespace mpiprof::inline v1::raw
