// Interposers for functions that move nothing, and what else interposers of other groups have in common.
#pragma once

#include "tests/oracle/parts.hpp"

#include <cstddef>
#include <mpi.h>
#include <tuple>

namespace oracle {

/// A call of a function, which is noted as called: its name is given without MPI_. The operation is that in
/// lower case and without _c.
call called(char const* function);

template <std::size_t Place, class Function>
struct parameter_of;

template <std::size_t Place, class... Parameters>
struct parameter_of<Place, int (*)(Parameters...)> {
    using type = std::tuple_element_t<Place, std::tuple<Parameters...>>;
};

// Interposers for functions that move nothing, by the number of their parameters.
#define ORACLE_TYPE(NAME, PLACE) typename oracle::parameter_of<PLACE, decltype(&PMPI_##NAME)>::type
#define ORACLE_PLAIN(NAME, PARAMETERS, ...)                                                                  \
    int MPI_##NAME PARAMETERS {                                                                              \
        int const code = PMPI_##NAME(__VA_ARGS__);                                                           \
        return oracle::finish(oracle::called(#NAME), code);                                                  \
    }
#define ORACLE_UP_TO_1(NAME) ORACLE_TYPE(NAME, 0) a
#define ORACLE_UP_TO_2(NAME) ORACLE_UP_TO_1(NAME), ORACLE_TYPE(NAME, 1) b
#define ORACLE_UP_TO_3(NAME) ORACLE_UP_TO_2(NAME), ORACLE_TYPE(NAME, 2) c
#define ORACLE_UP_TO_4(NAME) ORACLE_UP_TO_3(NAME), ORACLE_TYPE(NAME, 3) d
#define ORACLE_UP_TO_5(NAME) ORACLE_UP_TO_4(NAME), ORACLE_TYPE(NAME, 4) e
#define ORACLE_UP_TO_6(NAME) ORACLE_UP_TO_5(NAME), ORACLE_TYPE(NAME, 5) f
#define ORACLE_UP_TO_7(NAME) ORACLE_UP_TO_6(NAME), ORACLE_TYPE(NAME, 6) g
#define ORACLE_UP_TO_8(NAME) ORACLE_UP_TO_7(NAME), ORACLE_TYPE(NAME, 7) h
#define ORACLE_UP_TO_9(NAME) ORACLE_UP_TO_8(NAME), ORACLE_TYPE(NAME, 8) i
#define ORACLE_UP_TO_10(NAME) ORACLE_UP_TO_9(NAME), ORACLE_TYPE(NAME, 9) j
#define ORACLE_0(NAME) ORACLE_PLAIN(NAME, ())
#define ORACLE_1(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_1(NAME)), a)
#define ORACLE_2(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_2(NAME)), a, b)
#define ORACLE_3(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_3(NAME)), a, b, c)
#define ORACLE_4(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_4(NAME)), a, b, c, d)
#define ORACLE_5(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_5(NAME)), a, b, c, d, e)
#define ORACLE_6(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_6(NAME)), a, b, c, d, e, f)
#define ORACLE_7(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_7(NAME)), a, b, c, d, e, f, g)
#define ORACLE_8(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_8(NAME)), a, b, c, d, e, f, g, h)
#define ORACLE_9(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_9(NAME)), a, b, c, d, e, f, g, h, i)
#define ORACLE_10(NAME) ORACLE_PLAIN(NAME, (ORACLE_UP_TO_10(NAME)), a, b, c, d, e, f, g, h, i, j)

}  // namespace oracle
