// The functions of the C API as function objects: raw::send(buffer, count, datatype, dest, tag, comm).
#pragma once

#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/run/instrumentations.hpp>

namespace mpiprof::inline v1::raw {

/// The function of a row, measured. Its parameters are those of the MPI function, then a defaulted call site;
/// it returns MPI's code.
template <class Row, class Instrumentation, class Signature = decltype(Row::function)>
class function;

template <class Row, class Instrumentation, class... Arguments>
class function<Row, Instrumentation, int (*const)(Arguments...)> {
  public:
    int operator()(Arguments... values, call_site site = call_site::current()) const {
        static_assert(detail::fit(Row::roles, Row::function), "the row's roles do not fit its function");
        detail::use_hook<Instrumentation>();
        return detail::invoke_function<Row, Instrumentation>(site, values...);
    }
};

inline namespace MPIPROF_INTERNAL_SETTING {

// One object for each row, named as MPI's function in lower case. Under -DMPIPROF_DISABLED it is a pointer to
// MPI's own function.
#ifdef MPIPROF_DISABLED
#define MPIPROF_FUNCTION(NAME, OBJECT, ...) inline constexpr auto* OBJECT = &MPI_##NAME;
#else
#define MPIPROF_FUNCTION(NAME, OBJECT, ...)                                                                  \
    inline constexpr function<rows::NAME, default_instrumentation> OBJECT{};
#endif
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

}  // namespace MPIPROF_INTERNAL_SETTING

}  // namespace mpiprof::inline v1::raw
