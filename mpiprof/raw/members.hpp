// The functions that take a communicator as its member functions: world.send(buffer, count, datatype, dest,
// tag).
#pragma once

#include <mpiprof/core/call_site.hpp>
#include <mpiprof/raw/functions.hpp>

#include <type_traits>

namespace mpiprof::inline v1::raw {

struct pending;

namespace detail {

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

/// Parameters without the last one, where a function makes a request; void elsewhere.
template <bool Posts, class Passed, class... Parameters>
struct without_request {
    using type = void;
};

template <class... Passed, class Request>
struct without_request<true, type_list<Passed...>, Request> {
    using type = type_list<Passed...>;
};

template <class... Passed, class Next, class... Rest>
    requires(sizeof...(Rest) > 0)
struct without_request<true, type_list<Passed...>, Next, Rest...>
    : without_request<true, type_list<Passed..., Next>, Rest...> {};

template <bool Posts, class After>
struct posting_parameters;

template <bool Posts>
struct posting_parameters<Posts, void> {
    using type = void;
};

template <bool Posts, class... After>
struct posting_parameters<Posts, type_list<After...>> : without_request<Posts, type_list<>, After...> {};

template <class Row>
struct parameters_of : around_comm<place_of<Row>(role::comm), std::remove_const_t<decltype(Row::function)>> {
    /// Those after the communicator, without the request that a call makes, which is the last one.
    using posting = typename detail::posting_parameters<posts<Row>, typename parameters_of::after>::type;
};

/// A request object, built in place by a call of the row's function.
template <class Row, class Request, class Self, class... Arguments>
[[gnu::always_inline]] inline Request post(Self const& self, call_site site, Arguments... values) {
    return Request{[&](MPI_Request* handle, pending* details) __attribute__((always_inline)) {
        return self.template invoke_posting<Row>(&details, site, values..., handle);
    }};
}

/// One class template a row, with a member function; where the function makes a request, with a second one
/// that gives it as an object. `Self` has `template <class Row> int invoke(call_site, Arguments...) const`,
/// the same as `invoke_posting`, which is told where to keep what is known of the request, and `MPI_Comm
/// native() const`.
#define MPIPROF_FUNCTION(NAME, OBJECT, ...)                                                                  \
    template <class Self, class Request, class Before = typename parameters_of<rows::NAME>::before,          \
              class After = typename parameters_of<rows::NAME>::after,                                       \
              class Posting = typename parameters_of<rows::NAME>::posting>                                   \
    struct NAME##_member {};                                                                                 \
    template <class Self, class Request, class... Before, class... After>                                    \
    struct NAME##_member<Self, Request, type_list<Before...>, type_list<After...>, void> {                   \
        [[gnu::always_inline]] int OBJECT(Before... before, After... after,                                  \
                                          call_site site = call_site::current()) const {                     \
            auto const& self = static_cast<Self const&>(*this);                                              \
            return self.template invoke<rows::NAME>(site, before..., self.native(), after...);               \
        }                                                                                                    \
    };                                                                                                       \
    template <class Self, class Request, class... Before, class... After, class... Posting>                  \
    struct NAME##_member<Self, Request, type_list<Before...>, type_list<After...>, type_list<Posting...>>    \
        : NAME##_member<Self, Request, type_list<Before...>, type_list<After...>, void> {                    \
        using NAME##_member<Self, Request, type_list<Before...>, type_list<After...>, void>::OBJECT;         \
        [[gnu::always_inline]] Request OBJECT(Before... before, Posting... after,                            \
                                              call_site site = call_site::current()) const {                 \
            auto const& self = static_cast<Self const&>(*this);                                              \
            return post<rows::NAME, Request>(self, site, before..., self.native(), after...);                \
        }                                                                                                    \
    };
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

/// All of them. The comma before the first base is taken by an empty one.
struct no_member {};

template <class Self, class Request>
struct members : no_member
#define MPIPROF_FUNCTION(NAME, ...) , NAME##_member<Self, Request>
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
{
};

}  // namespace detail

}  // namespace mpiprof::inline v1::raw
