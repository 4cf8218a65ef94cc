// Function objects for every row of the table, made as raw/function.hpp makes them, without what measures a
// call.
#include <mpiprof/core/call_site.hpp>
#include <mpiprof/raw/functions.hpp>

namespace objects {

template <class Row, class Signature = decltype(Row::function)>
class function;

template <class Row, class... Arguments>
class function<Row, int (*const)(Arguments...)> {
  public:
    int operator()(Arguments... values, mpiprof::call_site /*site*/ = mpiprof::call_site::current()) const {
        return Row::function(values...);
    }
};

#define MPIPROF_FUNCTION(NAME, OBJECT, ...) inline constexpr function<mpiprof::raw::rows::NAME> OBJECT{};
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION

}  // namespace objects
