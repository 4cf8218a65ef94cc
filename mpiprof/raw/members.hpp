// The functions that take a communicator as its member functions: world.send(buffer, count, datatype, dest,
// tag).
#pragma once

#include <mpiprof/core/call_site.hpp>
#include <mpiprof/raw/functions.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

namespace mpiprof::inline v1::raw::detail {

template <class... Types>
struct type_list {};

/// The parameters of a function before and after its communicator.
template <class Row, class Signature = decltype(Row::function)>
struct around_comm;

template <class Row, class... Arguments>
struct around_comm<Row, int (*const)(Arguments...)> {
  private:
    static constexpr auto place = static_cast<std::size_t>(place_of<Row>(role::comm));

    template <std::size_t First, std::size_t... Places>
    static type_list<std::tuple_element_t<First + Places, std::tuple<Arguments...>>...>
        pick(std::index_sequence<Places...>);

  public:
    using before = decltype(pick<0>(std::make_index_sequence<place>{}));
    using after = decltype(pick<place + 1>(std::make_index_sequence<sizeof...(Arguments) - place - 1>{}));
};

/// Base of a member function: nothing for a function without a communicator.
template <class Row, bool HasComm = has<Row>(role::comm)>
struct parameters_of {
    using before = type_list<>;
    using after = type_list<>;
};

template <class Row>
struct parameters_of<Row, true> : around_comm<Row> {};

/// One class template a row, with one member function named as the operation. `Self` has
/// `template <class Row> int invoke(call_site, Arguments...) const` and `MPI_Comm native() const`.
#define MPIPROF_FUNCTION(NAME, OPERATION, ...)                                                               \
    template <class Self, class Row = rows::NAME, class Before = typename parameters_of<Row>::before,        \
              class After = typename parameters_of<Row>::after, bool = has<Row>(role::comm)>                 \
    struct NAME##_member {};                                                                                 \
    template <class Self, class Row, class... Before, class... After>                                        \
    struct NAME##_member<Self, Row, type_list<Before...>, type_list<After...>, true> {                       \
        [[gnu::always_inline]] int OPERATION(Before... before, After... after,                               \
                                             call_site site = call_site::current()) const {                  \
            auto const& self = static_cast<Self const&>(*this);                                              \
            return self.template invoke<Row>(site, before..., self.native(), after...);                      \
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
