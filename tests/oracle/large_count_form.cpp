#include "tests/oracle/forms.hpp"

#include <deque>
#include <type_traits>
#include <vector>

#if MPIPROF_INTERNAL_LARGE_COUNTS

namespace oracle {

namespace {

/// An argument as the function for large counts takes it. Arrays stay, since nonblocking functions read them
/// until they complete.
template <class Large, class Small>
Large widen(Small value) {
    if constexpr (std::is_same_v<Large, Small>) {
        return value;
    } else if constexpr (std::is_pointer_v<Large>) {
        if (value == nullptr) return nullptr;
        static std::deque<std::vector<std::remove_cv_t<std::remove_pointer_t<Large>>>> arrays;
        return arrays.emplace_back(value, value + widest).data();
    } else {
        return static_cast<Large>(value);
    }
}

/// A function with the signature of the small one, which calls the large one.
template <auto Large, class Signature>
struct widened;

template <auto Large, class... Arguments>
struct widened<Large, int (*)(Arguments...)> {
    static int call(Arguments... values) { return call_large(by_function.*Large, values...); }

  private:
    template <class... LargeArguments>
    static int call_large(int (*large)(LargeArguments...), Arguments... values) {
        return large(widen<LargeArguments>(values)...);
    }
};

/// Can an argument be given as the large function takes it? A number that the call writes cannot.
template <class Small, class Large>
constexpr bool widens_argument = std::is_same_v<Small, Large> || !std::is_pointer_v<Large> ||
                                 std::is_const_v<std::remove_pointer_t<Large>>;

template <class Small, class Large>
constexpr bool widens = false;

template <class... Small, class... Large>
constexpr bool widens<int (*)(Small...), int (*)(Large...)> = (widens_argument<Small, Large> && ...);

/// Its size is a result.
int detach(void* buffer, int* size) {
    MPI_Count large = 0;
    int const code = by_function.buffer_detach_c(buffer, &large);
    *size = static_cast<int>(large);
    return code;
}

form with_large_counts() {
    auto made = by_function;
    made.name = "large_count";
#define MPIPROF_FUNCTION(NAME, OBJECT, ...)                                                                  \
    [&]<class Form>(Form& all) {                                                                             \
        if constexpr (requires { all.OBJECT##_c; }) {                                                        \
            if constexpr (widens<decltype(all.OBJECT), decltype(all.OBJECT##_c)>)                            \
                all.OBJECT = &widened<&Form::OBJECT##_c, decltype(all.OBJECT)>::call;                        \
        }                                                                                                    \
    }(made);
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
    made.buffer_detach = &detach;
    return made;
}

}  // namespace

form const by_large_count = with_large_counts();

}  // namespace oracle

#endif
