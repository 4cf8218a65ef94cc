// The tool library of one MPI library: a wrapper for each function of the table.
#include <mpiprof/preload/call_place.hpp>
#include <mpiprof/preload/interface.hpp>
#include <mpiprof/preload/outermost_call.hpp>
#include <mpiprof/preload/shown_call.hpp>
#include <mpiprof/preload/tool_controls.hpp>

#include <mpiprof/raw/invoke.hpp>
#include <mpiprof/raw/lifecycle.hpp>
#include <mpiprof/run/instrumentations.hpp>
#include <mpiprof/run/parse_settings.hpp>

#include <cstdlib>

namespace mpiprof::inline v1::preload {

namespace {

template <class Row, class Signature = decltype(Row::function)>
struct wrapper;

template <class Row, class... Arguments>
struct wrapper<Row, int (*)(Arguments...)> {
    static int call(Arguments... values) {
        raw::detail::use_hook<default_instrumentation>();
        auto* const* const frame = static_cast<void* const*>(__builtin_frame_address(0));
        if (outermost_call::entered(frame)) return Row::function(values...);
        outermost_call const here{frame};
        auto const site = place(__builtin_return_address(0), frame + 1);
        if constexpr (kind_of(Row::operation) == kind::query) {
            return raw::detail::invoke_function<Row, default_instrumentation>(site, values...);
        } else {
            shown_call<default_instrumentation> const shown{Row::operation, site};
            return raw::detail::invoke_function<Row, default_instrumentation>(site, values...);
        }
    }

    [[gnu::always_inline]] static call_site place(void const* return_address,
                                                  void const* const* slot) noexcept {
        // Programs abort in signal handlers, where nothing may take memory or a lock to find out where.
        if constexpr (Row::operation == operation::abort) return known_place_of_caller(return_address, slot);
        else return place_of_caller(return_address, slot);
    }

    static void use(function_address real) noexcept {
        Row::function = reinterpret_cast<int (*)(Arguments...)>(real);
    }
};

wrapped_function const functions[] = {
#define MPIPROF_FUNCTION(NAME, ...)                                                                          \
    {#NAME, reinterpret_cast<function_address>(&wrapper<raw::rows::NAME>::call),                             \
     &wrapper<raw::rows::NAME>::use},
#include <mpiprof/raw/functions.inc>
#undef MPIPROF_FUNCTION
};

bool wanted() noexcept try {
    settings options;
    // What is wrong in it is told by the recording.
    if (char const* const text = std::getenv("MPIPROF")) parse_settings(text, "", options);
    set_place_depth(options.depth);
    return !options.off;
} catch (...) {
    return true;
}

tool const description{tool::right_version, &wanted, functions, std::size(functions), &tool_controls};

}  // namespace

}  // namespace mpiprof::inline v1::preload

extern "C" [[gnu::visibility("default")]] mpiprof::preload::tool const* mpiprof_tool() {
    mpiprof::detail::is_preload_tool = true;
    return &mpiprof::preload::description;
}
